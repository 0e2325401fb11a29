import type { PlannedItem } from '#features/calendar/public.ts';
import type { CalendarId, ConnectionId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { send, type Tx } from '#platform/db.ts';
import { inSlices } from '#platform/in-slices.ts';
import { inTurns, turnBlocks } from './in-turns.ts';
import { pairsOf, type World } from './load-world.ts';
import { originUidOf, type PlannedOrigin, planItems } from './plan-items.ts';
import { sortActions } from './sort-actions.ts';
import { changeMirrors, insertMirrors } from './store/intents.ts';
import { holdFree, listFiledUids, listLedger } from './store/mirrors.ts';

interface PlannedPage {
  /** For the planner. */
  left: PlannedItem[];
  /** Where something is to be written. */
  accounts: ReadonlySet<ConnectionId>;
}

/**
 * Plans events in the transaction that stores them: their bodies are at hand, and no planner has to read them again.
 *
 * Only plain cases are planned: new events, and changed ones whose blocks are all rewritten and none removed. Other
 * cases are left to `reconcile`: UIDs of another item or repeated in a batch, blocks that changed or go, and more
 * blocks than one turn allows.
 *
 * The caller locks the calendar's plans (`holdPlans`) before it loads the world, so that no rule changes unseen. It
 * also enqueues the writers.
 */
export async function planPage(
  app: App,
  tx: Tx,
  world: World,
  calendarId: CalendarId,
  items: PlannedItem[],
): Promise<PlannedPage> {
  const ofUid = Map.groupBy(items, originUidOf);
  const fresh = items.filter((item) => item.change === 0);
  const changed = items.filter((item) => item.change !== 0);
  const origins = changed.map((item) => ({ itemId: item.id, calendarId, uid: originUidOf(item) }));
  const [filed, ledger] = await Promise.all([
    listFiledUids(tx, calendarId, fresh.map(originUidOf)),
    listLedger(tx, world.userId, origins),
  ]);
  const touched = new Set(ledger.filter((row) => row.seen !== null).map((row) => row.originItemId));
  const rowsOfUid = Map.groupBy(ledger, (row) => row.originUid);
  const isPlain = (item: PlannedItem) => {
    const uid = originUidOf(item);
    if (ofUid.get(uid)?.length !== 1) return false;
    if (item.change === 0) return !filed.has(uid);
    return !touched.has(item.id) && (rowsOfUid.get(uid) ?? []).every((row) => row.originItemId === item.id);
  };
  const pairs = pairsOf(world);
  const [turn = []] = inTurns(items.filter(isPlain), pairs);
  const plans = await inSlices(planItems(world, pairs, turn, ledger, new Set(), turnBlocks));
  const written = plans.filter(isWrittenOnly);
  // another process that locked one of the rows may wait for this plan (`unplanItems`), so waiting for it could
  // deadlock
  const free = await holdFree(tx, written.flatMap(rowsOf));
  const unheld = written.filter((plan) => rowsOf(plan).every((id) => free.has(id)));
  const { inserts, changes, settled, accounts } = await sortActions(app, world, pairs, unheld, new Map());
  // another planner filed a twin of one of them at the same moment: all are planned again with its rows
  if ((await insertMirrors(tx, inserts)) < inserts.length) return { left: items, accounts: new Set() };
  send(tx, changeMirrors(tx, changes, world.nowMs));
  const done = new Set(settled);
  return { left: items.filter((item) => !done.has(item)), accounts };
}

const rowsOf = ({ actions }: PlannedOrigin) =>
  actions.flatMap((action) => (action.do === 'write' ? action.row.id : []));

const isWrittenOnly = ({ actions, rebind, waits }: PlannedOrigin) =>
  !waits &&
  rebind.length === 0 &&
  actions.length <= turnBlocks &&
  actions.every((action) => action.do === 'insert' || action.do === 'write');
