import type { PlannedItem } from '#features/calendar/public.ts';
import type { CalendarId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { writingWanted } from './events.ts';
import { inTurns } from './in-turns.ts';
import { loadWorld, pairsOf } from './load-world.ts';
import { originUidOf, planItems } from './plan-items.ts';
import { sortActions } from './sort-actions.ts';
import { insertMirrors, listFiledUids } from './store/mirrors.ts';

/**
 * Plans events that the store has not known before, in the transaction that brings them: their bodies are at hand, and
 * nobody waits for a planner to read them again. Only what is plainly new: whose UID is filed already, or comes twice in
 * one batch, has a past or a twin and is left to `reconcile`, as is more than one turn's worth of blocks. The caller
 * holds the calendar's plans (`holdPlans`), so that no rule changes unseen. Answers with what is left.
 */
export async function planNew(
  app: App,
  tx: Tx,
  { id: calendarId, userId }: { id: CalendarId; userId: UserId },
  items: PlannedItem[],
): Promise<PlannedItem[]> {
  const ofUid = Map.groupBy(items, originUidOf);
  const filed = await listFiledUids(tx, calendarId, [...ofUid.keys()]);
  const isPlain = (item: PlannedItem) => {
    const uid = originUidOf(item);
    return !filed.has(uid) && ofUid.get(uid)?.length === 1;
  };
  const world = await loadWorld(tx, userId, app.clock.nowMs());
  const pairs = pairsOf(world);
  const [turn = []] = inTurns(items.filter(isPlain), pairs);
  const plans = planItems(world, pairs, turn, [], new Set());
  const { inserts, settled, accounts } = await sortActions(app, world, pairs, plans, new Map());
  // another planner filed a twin of theirs this very moment: all are looked at again with what it wrote
  if ((await insertMirrors(tx, inserts)) < inserts.length) return items;
  for (const connectionId of accounts) await app.news.announce(tx, writingWanted, { connectionId });
  if (accounts.size > 0) await app.feed.publish(tx, userId, 'mirrors');
  const done = new Set(settled);
  return items.filter((item) => !done.has(item));
}
