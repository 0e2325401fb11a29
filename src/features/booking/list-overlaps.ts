import { randomUUID } from 'node:crypto';
import { listTakenIn } from '#features/calendar/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Span } from '#kernel/time/intervals.ts';
import type { Database } from '#platform/db.ts';
import { listLeftRefs } from './places/store.ts';
import { judgeOverlap } from './rules/judge-overlap.ts';
import type { Asked } from './store/questions.ts';
import { listOwnItems } from './store/taken-time.ts';
import type { Watched } from './store/watched.ts';

/** Lists the conflicts of a person's appointments at their time, or at another one. Three queries. */
export async function listOverlaps(
  db: Database,
  userId: UserId,
  appointments: readonly Watched[],
  nowMs: number,
  timeOf: (appointment: Watched) => Span = (appointment) => appointment,
): Promise<(Asked & { kind: 'conflict' | 'overbooked' })[]> {
  if (appointments.length === 0) return [];
  const windows = appointments.map(timeOf);
  // an event that was moved in its calendar, too
  const isOurs = new Set(appointments.map(({ itemId }) => itemId));
  return (await listForeign(db, userId, windows, nowMs)).flatMap((event) => {
    const appointment = appointments[event.window];
    if (appointment === undefined || isOurs.has(event.itemId)) return [];
    const kind = judgeOverlap(event, appointment.settings);
    if (kind === null) return [];
    // a hold that gives way on its own
    const { made } = event;
    if (made !== null && judgeOverlap({ ...event, rank: made }, appointment.settings) === 'overbooked') return [];
    const { itemId, recId, calendarId, startMs, endMs, title } = event;
    const subject = recId === '' ? itemId : `${itemId} ${recId}`;
    return [
      { id: randomUUID(), userId, appointmentId: appointment.id, kind, subject, startMs, endMs, calendarId, title },
    ];
  });
}

/**
 * Busy time in a person's calendars that no booking of theirs made, in each of these windows. An event that a booking
 * left behind is a booking's too: its account may be leaving, or may have come back before the event was deleted.
 */
export async function listForeign(
  db: Database,
  userId: UserId,
  windows: readonly Span[],
  nowMs: number,
): ReturnType<typeof listTakenIn> {
  const range = {
    startMs: Math.min(...windows.map(({ startMs }) => startMs)),
    endMs: Math.max(...windows.map(({ endMs }) => endMs)),
  };
  // read in this order: an event that is left behind in between is then known twice, and not at all in the other
  const taken = await listTakenIn(db, userId, windows, nowMs);
  const own = new Set((await listOwnItems(db, [userId], range)).map(({ itemId }) => itemId));
  const left = new Set(
    await listLeftRefs(
      db,
      userId,
      taken.map(({ ref }) => ref),
    ),
  );
  return taken.filter(({ itemId, ref }) => !own.has(itemId) && !left.has(ref));
}
