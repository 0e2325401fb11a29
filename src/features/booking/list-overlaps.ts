import { randomUUID } from 'node:crypto';
import type { UserId } from '#kernel/ids.ts';
import type { Span } from '#kernel/time/intervals.ts';
import type { Database } from '#platform/db.ts';
import { listForeign } from './list-foreign.ts';
import { judgeOverlap } from './rules/judge-overlap.ts';
import type { Asked } from './store/questions.ts';
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
