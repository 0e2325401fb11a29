import { randomUUID } from 'node:crypto';
import { listUnsettled } from '#features/edits/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { askHost } from './ask-host.ts';
import { endBooking } from './end-booking.ts';
import { listOverlaps } from './list-overlaps.ts';
import { moveBooking } from './move-booking.ts';
import { restoreEvent } from './restore-event.ts';
import { changeable } from './rules/change-window.ts';
import { type EventStanding, judgeEvent } from './rules/judge-event.ts';
import { defaultSettings } from './rules/type-settings.ts';
import { lockHosts } from './store/appointments.ts';
import { type Booking, listOfAppointment } from './store/bookings.ts';
import { dropQuestions } from './store/questions.ts';
import { isTaken } from './store/taken-time.ts';
import { holdWatched, type Watched } from './store/watched.ts';

/**
 * Lets what a host did to their event of an appointment have its effect, if nobody changed the appointment since it was
 * seen. The event of each host counts.
 */
export async function followEvent(
  app: App,
  seen: Watched,
  event: EventStanding | null,
  goneTogether: number,
): Promise<void> {
  const follow = (asking: boolean) =>
    inTransaction(app.db, async (tx) => {
      await lockHosts(tx, seen.hostIds);
      const now = await holdWatched(tx, seen.id, seen.hostId);
      if (now === null || now.writes !== seen.writes || now.itemId !== seen.itemId || now.itemId === null) return;
      if ((await listUnsettled(tx, now.hostId, [now.itemId])).size > 0) return;
      await act(app, tx, now, { event, goneTogether, asking });
    });
  try {
    await follow(false);
  } catch (error) {
    // another booking is there: its buffers too
    if (!(error instanceof AppError) || error.code !== 'SLOT_TAKEN') throw error;
    await follow(true);
  }
}

interface Seen {
  event: EventStanding | null;
  goneTogether: number;
  /** Whatever the event type says. */
  asking: boolean;
}

async function act(app: App, tx: Tx, appointment: Watched, { event, goneTogether, asking }: Seen): Promise<void> {
  const { hostId } = appointment;
  const nowMs = app.clock.nowMs();
  const met = event === null ? null : await whatMeets(app, tx, appointment, event);
  const { when_moved, when_deleted } = { ...defaultSettings('one-on-one'), ...appointment.settings };
  const rules = asking ? ({ when_moved: 'ask', when_deleted: 'ask' } as const) : { when_moved, when_deleted };
  const verdict = judgeEvent({ appointment, event, rules, isMet: met !== null, goneTogether, nowMs });
  const comers = await listOfAppointment(tx, appointment.id);
  const [first] = comers;
  if (first === undefined) return;
  switch (verdict.kind) {
    case 'as-is':
      await dropQuestions(tx, hostId, [appointment.id], ['moved', 'deleted', 'declined'], nowMs);
      return;
    case 'follow': {
      const { startMs, endMs } = verdict;
      const moving = { booking: first, appointment, time: { startMs, endMs }, change: {}, found: null, offer: null };
      await moveBooking(app, tx, { ...moving, actor: 'calendar', by: hostId });
      return;
    }
    case 'restore':
      return restoreEvent(app, tx, appointment, 'calendar');
    case 'cancel':
      await endAll(app, tx, comers, hostId);
      return;
    case 'ask': {
      const { about } = verdict;
      const others = (['moved', 'deleted', 'declined'] as const).filter((kind) => kind !== about);
      await dropQuestions(tx, hostId, [appointment.id], others, nowMs);
      const at = about === 'moved' && event !== null ? event : { startMs: null, endMs: null };
      const asked = { id: randomUUID(), userId: hostId, appointmentId: appointment.id, kind: about };
      const { startMs, endMs } = at;
      await askHost(app, tx, hostId, [{ ...asked, subject: '', startMs, endMs, calendarId: null, title: met }]);
    }
  }
}

async function endAll(app: App, tx: Tx, comers: readonly Booking[], by: UserId): Promise<void> {
  for (const one of comers)
    await endBooking(app, tx, one, { from: changeable, to: 'cancelled', actor: 'calendar', by });
}

/** Returns the name of the conflict at the event's current time. */
async function whatMeets(app: App, tx: Tx, appointment: Watched, event: EventStanding): Promise<string | null> {
  const { hostId, hostIds, id, startMs, endMs } = appointment;
  if (event.startMs === startMs && event.endMs === endMs) return null;
  const overlaps = await listOverlaps(tx, hostId, [appointment], app.clock.nowMs(), () => event);
  const conflict = overlaps.find(({ kind }) => kind === 'conflict');
  if (conflict !== undefined) return conflict.title ?? 'something busy';
  for (const one of hostIds) if (await isTaken(tx, one, event, app.clock.nowMs(), id)) return 'another booking';
  return null;
}
