import type { CalendarId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { loadWorld, pairsOf } from './load-world.ts';

/** Of each calendar of a person, into how many others a rule in force mirrors it. */
export async function countTargets(
  db: Database,
  userId: UserId,
  nowMs: number,
): Promise<(calendarId: CalendarId) => number> {
  const pairs = pairsOf(await loadWorld(db, userId, nowMs));
  return (calendarId) => pairs.ofSource(calendarId).length;
}
