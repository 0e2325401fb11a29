import { isSuspended } from '#features/accounts/public.ts';
import type { PlannedItem } from '#features/calendar/public.ts';
import { clearPlanned, listLiveIds, listUnplanned } from '#features/calendar/public.ts';
import { newsOf } from '#kernel/announcement.ts';
import type { ConnectionId, ItemId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { inTransaction } from '#platform/db.ts';
import { inSlices } from '#platform/in-slices.ts';
import { planningWanted, writingAt } from './events.ts';
import { forgiveWipes } from './forgive-wipes.ts';
import { inTurns, turnBlocks } from './in-turns.ts';
import type { Pairs, RuledPair, World } from './load-world.ts';
import { loadWorld, pairsOf } from './load-world.ts';
import { originUidOf, planItems } from './plan-items.ts';
import { judgeRemovals, secondListingMs } from './rules/breaker.ts';
import type { LedgerRow } from './rules/plan.ts';
import type { HeldRemovals } from './sort-actions.ts';
import { pairKey, sortActions } from './sort-actions.ts';
import { appendAudit } from './store/audit.ts';
import { hasTripped, setBreaker } from './store/groups.ts';
import { changeMirrors, insertMirrors } from './store/intents.ts';
import { countLive, deleteMirrors, dropMirrors, listLedger, rebindMirrors, releaseMirrors } from './store/mirrors.ts';
import { listListings, wantListing } from './store/pulls.ts';

/** Items planned at once: bounds memory, and one statement writes them all. */
const batchItems = 500;

/**
 * Makes the ledger say what shall stand, for everything of a person that the planner has not seen in its present state.
 * Removals that nobody may have meant wait at the end for the breaker; their items stay unplanned until it is decided.
 */
export async function reconcile(app: App, userId: UserId, signal: AbortSignal): Promise<void> {
  // resuming the account plans everything again
  if (await isSuspended(app.db, userId)) return;
  const held = new Map<string, HeldRemovals>();
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    signal.throwIfAborted();
    const items = await listUnplanned(app.db, userId, { after, limit: batchItems });
    if (items.length === 0 && held.size === 0 && !(await hasTripped(app.db, userId))) return;
    // Items first, then the world they are planned in: a rule that changes later gives them a newer change than the one
    // read here, and they stay unplanned. The other way round, what arrived after an old world was read would be planned
    // in it and forgotten: a group created while its calendars were still being read lost some of them until midnight.
    const world = await loadWorld(app.db, userId, app.clock.nowMs());
    const pairs = pairsOf(world);
    const last = items.at(-1);
    for (const some of inTurns(items, pairs)) {
      for (let left = some; left.length > 0; ) {
        signal.throwIfAborted();
        left = await planBatch(app, world, pairs, left, held);
      }
    }
    if (last === undefined || items.length < batchItems) {
      await decideHeld(app, world, pairs, held);
      return;
    }
    after = last.id;
  }
}

/** Plans items until their blocks fill a turn. Returns those that are left, with at least one less. */
async function planBatch(
  app: App,
  world: World,
  pairs: Pairs,
  items: PlannedItem[],
  held: Map<string, HeldRemovals>,
): Promise<PlannedItem[]> {
  const origins = items.map((item) => ({ itemId: item.id, calendarId: item.calendarId, uid: originUidOf(item) }));
  const ledger = await forgiveWipes(app.db, await listLedger(app.db, world.userId, origins), world.nowMs);
  const ofOthers = rivalsOf(items, ledger);
  const alive = ofOthers.length === 0 ? new Set<ItemId>() : await listLiveIds(app.db, ofOthers);
  const plans = await inSlices(planItems(world, pairs, items, ledger, alive, turnBlocks));
  const batch = await sortActions(app, world, pairs, plans, held);
  await inTransaction(app.db, async (tx) => {
    const [, written, changed] = await Promise.all([
      rebindMirrors(tx, batch.rebind),
      insertMirrors(tx, batch.inserts),
      changeMirrors(tx, batch.changes, world.nowMs),
      dropMirrors(tx, batch.drops),
      releaseMirrors(tx, batch.optedOut, 'opted-out'),
      releaseMirrors(tx, batch.released, 'released'),
      deleteMirrors(tx, batch.forgotten),
      appendAudit(tx, batch.audit),
    ]);
    // rows whose blocks were removed since they were read, and are wanted again: they have to be inserted again
    const areGone = changed < batch.changes.length;
    await Promise.all([
      // a name that is taken (a reader files a twin this very moment, a former block is still to be removed): looked at again
      written === batch.inserts.length && !areGone && clearPlanned(tx, batch.settled),
      app.news.announceAll(tx, [
        ...writingAt(batch.accounts),
        ...(areGone ? [newsOf(planningWanted, { userId: world.userId })] : []),
      ]),
      batch.accounts.size > 0 && app.feed.publish(tx, world.userId, 'mirrors'),
    ]);
  });
  const planned = new Set(plans.map(({ item }) => item));
  return items.filter((item) => !planned.has(item));
}

/** Items other than those planned whose rows are filed under a UID that a planned one has too. */
function rivalsOf(items: PlannedItem[], ledger: LedgerRow[]): ItemId[] {
  const planned = Map.groupBy(
    items.filter((item) => !item.gone),
    (item) => `${item.calendarId} ${originUidOf(item)}`,
  );
  return ledger
    .filter((row) =>
      planned.get(`${row.originCalendarId} ${row.originUid}`)?.some((item) => item.id !== row.originItemId),
    )
    .map((row) => row.originItemId);
}

/** Lets removals go ahead, pair by pair, or holds them back as `judgeRemovals` says. */
async function decideHeld(app: App, world: World, pairs: Pairs, held: Map<string, HeldRemovals>): Promise<void> {
  const tripped = world.pairs.filter(
    (row) => row.breaker !== 'closed' && !held.has(pairKey(row.sourceCalendarId, row.targetCalendarId)),
  );
  if (held.size === 0 && tripped.length === 0) return;
  const removals = [...held.values()];
  const [live, listings] = await Promise.all([
    countLive(
      app.db,
      removals.map((one) => ({ sourceCalendarId: one.source, targetCalendarId: one.target })),
    ),
    listListings(app.db, [...new Set(removals.map((one) => one.source))]),
  ]);
  const stuck = new Set<ItemId>();
  const settled = new Map<ItemId, PlannedItem>();
  await inTransaction(app.db, async (tx) => {
    const accounts = new Set<ConnectionId>();
    for (const one of removals) {
      const pair = pairs.find(one.source, one.target);
      if (pair === null) continue;
      const listing = listings.get(one.source);
      const verdict = judgeRemovals({
        state: pair.row?.breaker ?? 'closed',
        sinceMs: pair.row?.breakerMs ?? null,
        deletes: one.items.size,
        live: live.get(pairKey(one.source, one.target)) ?? 0,
        suspect: listing?.suspect ?? false,
        lastListingMs: listing?.lastListingMs ?? null,
      });
      if (verdict.removals !== 'hold') {
        if (verdict.removals === 'delete') await dropMirrors(tx, one.rows);
        else {
          const rows = one.rows.map((row) => row.id);
          await releaseMirrors(tx, rows, 'kept');
        }
        accounts.add(pair.targetConnectionId);
        for (const [id, item] of one.items) settled.set(id, item);
      } else {
        for (const id of one.items.keys()) stuck.add(id);
      }
      await keepVerdict(tx, world, pair, verdict, one.rows.length);
    }
    for (const row of tripped) await setBreaker(tx, row, 'closed', null, row.breaker);
    for (const id of stuck) settled.delete(id);
    await clearPlanned(tx, [...settled.values()]);
    await app.news.announceAll(tx, writingAt(accounts));
    await app.feed.publish(tx, world.userId, 'mirrors');
  });
}

async function keepVerdict(
  tx: Tx,
  world: World,
  pair: RuledPair,
  verdict: ReturnType<typeof judgeRemovals>,
  deletes: number,
): Promise<void> {
  const before = pair.row?.breaker ?? 'closed';
  if (verdict.state === 'closed' && before === 'closed') return;
  await setBreaker(tx, pair, verdict.state, verdict.state === 'closed' ? null : deletes, before);
  if (verdict.askForListing) await wantListing(tx, [pair.sourceCalendarId], world.nowMs + secondListingMs + 1_000);
  if (verdict.state === 'open' && before !== 'open') {
    const name = world.calendars.get(pair.targetCalendarId)?.name ?? 'a calendar';
    await appendAudit(tx, [
      {
        userId: world.userId,
        mirrorId: null,
        originItemId: null,
        type: 'mirror.breaker_open',
        actor: 'sweep',
        status: 'pending',
        message: `${deletes} blocks in ${name} would be deleted at once. The owner has to confirm first.`,
      },
    ]);
  }
}
