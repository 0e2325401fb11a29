import type { CalendarId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { loadWorld, pairsOf } from './load-world.ts';

/** Returns a lookup: the number of calendars that a rule in force mirrors a calendar into. */
export async function countTargets(
  db: Database,
  userId: UserId,
  nowMs: number,
): Promise<(calendarId: CalendarId) => number> {
  const pairs = pairsOf(await loadWorld(db, userId, nowMs));
  return (calendarId) => pairs.ofSource(calendarId).length;
}
