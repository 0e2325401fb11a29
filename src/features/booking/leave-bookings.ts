import { accountLeaving } from '#features/accounts/events.ts';
import { dropFarewell, isLeaving, loadOwner } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { hasWaitingMails } from '#platform/mail-outbox.ts';
import { endBooking } from './end-booking.ts';
import { handOverOne } from './hand-over-one.ts';
import { changeable } from './rules/change-window.ts';
import { findLastEnd, listToCome } from './store/host-bookings.ts';
import { forgetOrganizer } from './store/told-bookings.ts';

const most = 200;
/** Time for the mails of a cancellation to be written, and then to be sent. */
const writtenWithinMs = 5_000;
const sentWithinMs = 600_000;

/**
 * One step of an account deletion. The caller repeats it after the returned time, until that is null. Upcoming bookings
 * are cancelled. The deletion waits until their guests were notified, or could not be reached for ten minutes.
 */
export async function leaveBookings(app: App, userId: UserId): Promise<number | null> {
  if (!(await isLeaving(app.db, userId))) return null;
  const nowMs = app.clock.nowMs();
  const toCome = await listToCome(app.db, userId, nowMs, most);
  for (const booking of toCome) {
    // another host takes a team's booking
    if (await handOverOne(app, booking.appointmentId, { from: userId, actor: 'system' })) continue;
    await inTransaction(app.db, (tx) =>
      endBooking(app, tx, booking, { from: changeable, to: 'cancelled', actor: 'system' }),
    );
  }
  if (toCome.length === most) return 0;
  const waitedMs = nowMs - ((await findLastEnd(app.db, userId)) ?? 0);
  if (waitedMs < writtenWithinMs) return writtenWithinMs - waitedMs;
  const canMail = app.mail.transport !== null;
  if (canMail && waitedMs < sentWithinMs && (await hasWaitingMails(app.db, userId))) return writtenWithinMs;
  await inTransaction(app.db, async (tx) => {
    await forgetOrganizer(tx, (await loadOwner(tx, userId)).email);
    if (await dropFarewell(tx, userId)) await app.news.announce(tx, accountLeaving, { userId });
  });
  return null;
}
