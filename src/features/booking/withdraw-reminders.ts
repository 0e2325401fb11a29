import type { EventTypeId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { withdrawMailsLike } from '#platform/mail-outbox.ts';
import { reminderUseMs } from './mail.ts';
import { listRemindedLately } from './store/told-bookings.ts';

/** Takes back reminders that wait in the outbox and are no longer among those of their event type. */
export async function withdrawReminders(
  app: App,
  tx: Tx,
  eventTypeId: EventTypeId,
  { before, after }: { before: readonly number[]; after: readonly number[] },
): Promise<void> {
  const gone = before.filter((minutes) => !after.includes(minutes));
  if (gone.length === 0) return;
  const when = { nowMs: app.clock.nowMs(), lateMs: reminderUseMs };
  const waiting = await listRemindedLately(tx, eventTypeId, gone, when);
  await withdrawMailsLike(
    tx,
    [...new Set(waiting.flatMap(({ hostIds }) => hostIds))],
    waiting.flatMap(({ id, appointmentId, startMs, minutes }) =>
      [id, appointmentId].map((of) => `booking.reminder:${of}:${startMs}:${minutes}:%`),
    ),
  );
}
