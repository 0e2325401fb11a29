import { readLive } from '#features/booking/public.ts';
import { listStanding, type Standing } from '#features/calendar/public.ts';
import { findCalendar } from '#features/connections/public.ts';
import { listUnsettled } from '#features/edits/public.ts';
import type { CalendarId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { finishHold, recordChange } from './holds.ts';
import { mostHolds, placeOf } from './rules.ts';
import { findHold, type Hold, listInCalendar, lockHolds, markSeen, updateHold } from './store.ts';

/**
 * Applies the user's changes to the events of holds: a moved event gives its hold a new home, and a deleted one removes it.
 * Events with a pending or failed write of ours are skipped, and the provider confirms each change first. Returns whether a
 * hold moved.
 * *Errors*: ProviderError if the provider cannot be reached.
 */
export async function followHolds(app: App, calendarId: CalendarId, signal: AbortSignal): Promise<boolean> {
  const calendar = await findCalendar(app.db, calendarId);
  if (calendar === null || calendar.removed) return false;
  const { userId } = calendar;
  const holds = await listInCalendar(app.db, calendarId, { nowMs: app.clock.nowMs(), limit: mostHolds });
  const items = holds.flatMap(({ itemId }) => itemId ?? []);
  if (items.length === 0) return false;
  // read before the events: what was wanted when they were read is known
  const unsettled = await listUnsettled(app.db, userId, items);
  const standing = new Map((await listStanding(app.db, userId, items)).map((one) => [one.itemId, one]));
  let followed = false;
  for (const hold of holds) {
    signal.throwIfAborted();
    if (hold.itemId === null || unsettled.has(hold.itemId)) continue;
    const event = standing.get(hold.itemId);
    if (event !== undefined && isAsKept(hold, event)) {
      if (!hold.seen) await markSeen(app.db, [hold.id]);
      continue;
    }
    if (event === undefined && !hold.seen) continue;
    const live =
      event === undefined ? null : await readLive(app, calendar, { itemId: event.itemId, ref: event.ref }, signal);
    if (live === 'unknown' || (live !== null && isAsKept(hold, live))) continue;
    followed = (await follow(app, hold, live)) || followed;
  }
  return followed;
}

type Event = Pick<Standing, 'body' | 'startsMs' | 'endsMs'>;

function isAsKept(hold: Hold, { body, startsMs, endsMs }: Event): boolean {
  return (
    body.kind === 'single' &&
    startsMs === hold.startMs &&
    endsMs === hold.endMs &&
    (body.core.title ?? hold.title) === hold.title
  );
}

/** Applies one change, unless the hold changed since it was read. */
function follow(app: App, seen: Hold, event: Event | null): Promise<boolean> {
  return inTransaction(app.db, async (tx) => {
    await lockHolds(tx, seen.userId);
    const hold = await findHold(tx, seen.userId, seen.id);
    if (hold === null || hold.version !== seen.version || hold.itemId === null) return false;
    if ((await listUnsettled(tx, hold.userId, [hold.itemId])).size > 0) return false;
    if (event === null) {
      await finishHold(app, tx, hold, 'removed');
      return false;
    }
    const { body, startsMs, endsMs } = event;
    // an event that repeats or has no time any more is left alone: it is no hold
    if (body.kind !== 'single' || startsMs === null || endsMs === null || endsMs <= startsMs) return false;
    const moved = startsMs !== hold.startMs || endsMs !== hold.endMs;
    const at = { startMs: startsMs, endMs: endsMs };
    const followed = await updateHold(tx, hold.id, {
      title: body.core.title?.slice(0, 1_000) || hold.title,
      ...(moved ? { homeStartMs: startsMs, homeEndMs: endsMs, ...at } : {}),
    });
    await recordChange(app, tx, followed, 'followed', moved ? { from: placeOf(hold), to: at } : {});
    await markSeen(tx, [hold.id]);
    return moved;
  });
}
