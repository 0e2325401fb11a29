import { listTakenIn } from '#features/calendar/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Span } from '#kernel/time/intervals.ts';
import type { Database } from '#platform/db.ts';
import { listLeftRefs } from './places/store.ts';
import { listOwnItems } from './store/taken-time.ts';

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
