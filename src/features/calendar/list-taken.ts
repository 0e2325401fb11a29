import { madeHoldsOf } from '#features/availability/public.ts';
import type { CalendarId, UserId } from '#kernel/ids.ts';
import type { Span } from '#kernel/time/intervals.ts';
import type { Database } from '#platform/db.ts';
import type { Reading } from '#platform/reading.ts';
import * as store from './store/spans.ts';

/** Busy time, including holds made here, each at its rank at the given moment. */

export function listTaken(
  db: Database,
  userId: UserId,
  calendarIds: CalendarId[],
  range: { fromMs: number; toMs: number; rank: number; limitEach: number; nowMs: number },
): Promise<(store.Taken & { isInTheWay: boolean })[]> {
  return store.listTaken(db, userId, calendarIds, range, madeHoldsOf);
}

export function listTakenIn(
  db: Database,
  userId: UserId,
  windows: readonly Span[],
  nowMs: number,
): Promise<(store.Taken & { window: number })[]> {
  return store.listTakenIn(db, userId, windows, nowMs, madeHoldsOf);
}

export function busyTimeReading(
  userIds: readonly UserId[],
  range: { fromMs: number; toMs: number },
  filter: store.BusyFilter = {},
): Reading<Map<UserId, Span[]>> {
  return store.busyTimeReading(userIds, range, filter, madeHoldsOf);
}
