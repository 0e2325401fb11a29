import type { UserId } from '#kernel/ids.ts';
import type { Span } from '#kernel/time/intervals.ts';
import type { Database } from '#platform/db.ts';
import { listForeign } from './list-overlaps.ts';
import { judgeOverlap } from './rules/judge-overlap.ts';
import type { EventType } from './store/event-type-rows.ts';
import type { Prevention } from './store/preventions.ts';

/** Events of others' making that stand in the way of a host of an event type at some moment of the range; buffers are the caller's. */
export async function listInTheWay(
  db: Database,
  type: Pick<EventType, 'settings'>,
  hostId: UserId,
  range: Span,
  nowMs: number,
): Promise<Prevention[]> {
  return (await listForeign(db, hostId, [range], nowMs))
    .filter((event) => judgeOverlap(event, type.settings) === 'conflict')
    .map(({ itemId, recId, calendarId, startMs, endMs }) => ({ itemId, recId, calendarId, startMs, endMs }));
}
