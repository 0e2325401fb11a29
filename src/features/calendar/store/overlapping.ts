import { type RawBuilder, sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import { pendingIn } from './pending-spans.ts';

/** Longest span of the main index: the scan for what overlaps starts this much earlier. Longer ones have their own. */
export const shortSpanMs = 93_600_000;
/** As the two indexes have it, word for word: a parameter in its place would use neither. */
export const isShort = sql`end_ms - start_ms <= 93600000`;
export const isLong = sql`end_ms - start_ms > 93600000`;

export const overlapping = (userId: UserId | RawBuilder<unknown>, fromMs: number, toMs: number) => sql`
  select * from calendar.spans
  where user_id = ${userId} and ${isShort} and start_ms > ${fromMs - shortSpanMs - 1} and start_ms < ${toMs}
    and (end_ms > ${fromMs} or start_ms >= ${fromMs})
  union all
  select * from calendar.spans
  where user_id = ${userId} and ${isLong} and end_ms > ${fromMs} and start_ms < ${toMs}`;

/** The same with the time of unwritten edits: everything that may be in the way. */
export const blocking = (userId: UserId | RawBuilder<unknown>, fromMs: number, toMs: number) => sql`
  ${overlapping(userId, fromMs, toMs)} union all ${pendingIn(userId, fromMs, toMs)}`;

/** Only what counts as busy time: calendars that take part and that their provider still lists. */
export const isCounted = (userIds: readonly UserId[]) => sql`
  s.calendar_id <> all (array(select id from connections.uncounted where user_id = any(${userIds}::uuid[])))`;
