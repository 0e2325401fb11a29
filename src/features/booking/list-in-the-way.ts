import { listTakenIn } from '#features/calendar/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Span } from '#kernel/time/intervals.ts';
import type { Database } from '#platform/db.ts';
import { judgeOverlap } from './rules/judge-overlap.ts';
import type { EventType } from './store/event-type-rows.ts';
import type { Prevention } from './store/preventions.ts';
import { listOwnItems } from './store/taken-time.ts';

/** Events of others' making that stand in the way of a host of an event type at some moment of the range; buffers are the caller's. */
export async function listInTheWay(
  db: Database,
  type: Pick<EventType, 'settings'>,
  hostId: UserId,
  range: Span,
  nowMs: number,
): Promise<Prevention[]> {
  const [taken, own] = await Promise.all([listTakenIn(db, hostId, [range], nowMs), listOwnItems(db, [hostId], range)]);
  const isOurs = new Set(own.map(({ itemId }) => itemId));
  return taken
    .filter((event) => !isOurs.has(event.itemId) && judgeOverlap(event, type.settings) === 'conflict')
    .map(({ itemId, recId, calendarId, startMs, endMs }) => ({ itemId, recId, calendarId, startMs, endMs }));
}
