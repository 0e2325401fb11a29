import type { PlannedItem } from '#features/calendar/public.ts';
import type { CalendarId, ConnectionId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { send, type Tx } from '#platform/db.ts';
import { inSlices } from '#platform/in-slices.ts';
import { inTurns } from './in-turns.ts';
import { pairsOf, type World } from './load-world.ts';
import { originUidOf, type PlannedOrigin, planItems } from './plan-items.ts';
import { sortActions } from './sort-actions.ts';
import { changeMirrors, holdFree, insertMirrors, listFiledUids, listLedger } from './store/mirrors.ts';

interface PlannedPage {
  /** For the planner. */
  left: PlannedItem[];
  /** Where something is to be written. */
  accounts: ReadonlySet<ConnectionId>;
}

/**
 * Plans events in the transaction that brings them: their bodies are at hand, and nobody waits for a planner to read them
 * again. Only what is plain: new, or changed so that its blocks are written anew and nothing of it goes. Whose UID is
 * filed for another, or comes twice in one batch, has a past or a twin; whose block its person touched, or which loses
 * one, asks for a decision: these are left to `reconcile`, as is more than one turn's worth of blocks. The caller holds
 * the calendar's plans (`holdPlans`) since before it read the world, so that no rule changes unseen, and tells of what is
 * to be written.
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
  const plans = await inSlices(planItems(world, pairs, turn, ledger, new Set()));
  const written = plans.filter(isWrittenOnly);
  // whoever has a row of theirs now may want them planned next (`unplanItems`): waiting for him would be waiting for each other
  const free = await holdFree(tx, written.flatMap(rowsOf));
  const unheld = written.filter((plan) => rowsOf(plan).every((id) => free.has(id)));
  const { inserts, changes, settled, accounts } = await sortActions(app, world, pairs, unheld, new Map());
  // another planner filed a twin of theirs this very moment: all are looked at again with what it wrote
  if ((await insertMirrors(tx, inserts)) < inserts.length) return { left: items, accounts: new Set() };
  send(tx, changeMirrors(tx, changes, world.nowMs));
  const done = new Set(settled);
  return { left: items.filter((item) => !done.has(item)), accounts };
}

const rowsOf = ({ actions }: PlannedOrigin) =>
  actions.flatMap((action) => (action.do === 'write' ? action.row.id : []));

const isWrittenOnly = ({ actions, rebind, waits }: PlannedOrigin) =>
  !waits && rebind.length === 0 && actions.every((action) => action.do === 'insert' || action.do === 'write');
