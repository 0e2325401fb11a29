import type { PlannedItem } from '#features/calendar/public.ts';
import type { ItemId } from '#kernel/ids.ts';
import type { Sliced } from '#kernel/work-budget.ts';
import type { Pairs, RuledPair, World } from './load-world.ts';
import type { Origin } from './rules/desired.ts';
import { type Desired, planBlocks } from './rules/desired.ts';
import type { Action, LedgerRow } from './rules/plan.ts';
import { planOrigin } from './rules/plan.ts';

export interface PlannedOrigin {
  item: PlannedItem;
  /** The UID under which the ledger files the rows. */
  uid: string;
  actions: Action[];
  /** Rows that mirrored it under an id it no longer has. */
  rebind: LedgerRow[];
  /** Whether a deleted item is kept because one of its blocks cannot be removed now. */
  waits: boolean;
}

/** UID, or the provider's ref where there is none. */
export const originUidOf = (item: Pick<PlannedItem, 'uid' | 'ref'>) => item.uid ?? item.ref;

/**
 * Actions for a batch of items. Pure over what was read: items, their ledger rows, the person's world. `alive` tells
 * which other items still stand, for rows filed under a UID that this item has too: a dead one's rows are taken over
 * (the event came back under another name), a live one keeps them and this item is filed under UID and ref.
 *
 * Ends after the item that reaches `most` actions: the items without a plan are left for the next turn.
 */
export function* planItems(
  world: World,
  pairs: Pairs,
  items: PlannedItem[],
  ledger: LedgerRow[],
  alive: ReadonlySet<ItemId>,
  most: number,
): Sliced<PlannedOrigin[]> {
  const rowsOfItem = Map.groupBy(ledger, (row) => row.originItemId);
  const rowsOfUid = Map.groupBy(ledger, (row) => `${row.originCalendarId} ${row.originUid}`);
  const taken = new Map<string, ItemId>();
  const reboundRows = new Set<LedgerRow>();
  // existing items come first, because they may take over the rows of deleted ones
  const ordered = items.toSorted((one, other) => Number(one.gone) - Number(other.gone));
  const plans: PlannedOrigin[] = [];
  const likeness = new Map<RuledPair, string>();
  let planned = 0;
  for (const item of ordered) {
    if (planned >= most) break;
    const plainUid = originUidOf(item);
    const others = (rowsOfUid.get(`${item.calendarId} ${plainUid}`) ?? []).filter(
      (row) => row.originItemId !== item.id,
    );
    const rivals = others.some((row) => alive.has(row.originItemId));
    const key = `${item.calendarId} ${plainUid}`;
    const twin = taken.get(key) ?? item.id;
    const allRows = rowsOfItem.get(item.id) ?? [];
    // an item filed beside a twin stays there when the twin goes, or its block would be rewritten for nothing
    const besideTwin = `${plainUid} ${item.ref}`;
    const isBesideTwin = rivals || twin !== item.id || allRows.some((row) => row.originUid === besideTwin);
    const uid = isBesideTwin ? besideTwin : plainUid;
    if (!item.gone && !isBesideTwin) taken.set(key, item.id);
    const own = allRows.filter((row) => !reboundRows.has(row));
    // rows filed under another UID than today's belong to what this object used to be: they go
    const current = own.filter((row) => row.originUid === uid);
    const former = own.filter((row) => row.originUid !== uid && !pairs.isSuspended(row.targetCalendarId));
    const rebind = uid === plainUid && !item.gone ? others : [];
    for (const row of rebind) reboundRows.add(row);
    const rows = [...current, ...rebind].filter((row) => !pairs.isSuspended(row.targetCalendarId));
    const origin = originOf(world, item, uid);
    const writable = pairs.ofSource(item.calendarId).filter((pair) => !pairs.isSuspended(pair.targetCalendarId));
    const actions = yield* planTargets(origin, writable, rows, world.nowMs, likeness);
    planned += actions.length;
    plans.push({
      item,
      uid,
      rebind,
      waits: item.gone && own.some((row) => row.state !== 'skipped' && pairs.isSuspended(row.targetCalendarId)),
      actions: actions.concat(planOrigin([], former, world.nowMs)),
    });
    yield;
  }
  return plans;
}

/** Actions for one item, target by target. Targets with the same rule share the blocks of a series. */
function* planTargets(
  origin: Origin,
  pairs: RuledPair[],
  rows: LedgerRow[],
  nowMs: number,
  likeness: Map<RuledPair, string>,
): Sliced<Action[]> {
  const rowsOf = Map.groupBy(rows, (row) => row.targetCalendarId);
  const known = new Map<string, Desired>();
  let actions: Action[] = [];
  for (const pair of pairs) {
    const own = rowsOf.get(pair.targetCalendarId) ?? [];
    rowsOf.delete(pair.targetCalendarId);
    const like = origin.body.kind === 'single' ? null : likenessOf(pair, likeness);
    const desired = (like === null ? undefined : known.get(like)) ?? (yield* planBlocks(origin, pair, nowMs));
    if (like !== null) known.set(like, desired);
    actions = actions.concat(planOrigin([{ pair, desired }], own, nowMs));
    yield;
  }
  const others = [...rowsOf.values()].flat();
  return actions.concat(planOrigin([], others, nowMs));
}

/** The parts of a pair that decide about its blocks. They differ from target to target of one source. */
function likenessOf(pair: RuledPair, known: Map<RuledPair, string>): string {
  const addresses = pair.rule.skipIfTargetInvited ? pair.targetAddresses : [];
  const like = known.get(pair) ?? JSON.stringify([pair.series, pair.rule, addresses]);
  known.set(pair, like);
  return like;
}

/** An item as the rules see it. */
export function originOf(world: World, item: PlannedItem, uid: string): Origin {
  const calendar = world.calendars.get(item.calendarId);
  const connection = calendar === undefined ? undefined : world.connections.get(calendar.connectionId);
  return {
    itemId: item.id,
    calendarId: item.calendarId,
    uid,
    body: item.body,
    gone: item.gone,
    own: item.own,
    tooDense: item.problem === 'too dense',
    calendarZone: calendar?.zone ?? world.zone,
    ownerZone: world.zone,
    calendarName: calendar?.name ?? '',
    accountLabel: connection?.label ?? '',
  };
}
