import { randomUUIDv7 } from 'node:crypto';
import type { PlannedItem } from '#features/calendar/public.ts';
import { loadMirrorSigner } from '#features/connections/public.ts';
import type { CalendarId, ConnectionId, ItemId, MirrorId, UserId } from '#kernel/ids.ts';
import type { Sliced } from '#kernel/work-budget.ts';
import type { App } from '#platform/app.ts';
import { inSlices } from '#platform/in-slices.ts';
import type { MirrorSigner } from '#platform/mirror-signer.ts';
import type { Pairs, RuledPair, World } from './load-world.ts';
import type { PlannedOrigin } from './plan-items.ts';
import type { Action, LedgerRow } from './rules/plan.ts';
import { countsForBreaker } from './rules/plan.ts';
import type { AuditLine } from './store/audit.ts';
import { type ChangedMirror, contested, type NewMirror } from './store/intents.ts';
import type { DroppedMirror } from './store/mirrors.ts';

/** Removals of one pair that count for the breaker, with the items that cause them. */
export interface HeldRemovals {
  source: CalendarId;
  target: CalendarId;
  rows: DroppedMirror[];
  items: Map<ItemId, PlannedItem>;
}

export const pairKey = (source: CalendarId, target: CalendarId) => `${source} ${target}`;

/** A batch of actions, by the statement that writes it. */
export interface SortedBatch {
  inserts: NewMirror[];
  changes: ChangedMirror[];
  drops: DroppedMirror[];
  optedOut: MirrorId[];
  released: MirrorId[];
  forgotten: MirrorId[];
  rebind: { id: MirrorId; originItemId: ItemId }[];
  audit: AuditLine[];
  /** Items with nothing held back. */
  settled: PlannedItem[];
  /** Accounts that have something to write. */
  accounts: Set<ConnectionId>;
}

/** Files each action under what carries it out; removals that count for the breaker go to `held`. */
export async function sortActions(
  app: App,
  world: World,
  pairs: Pairs,
  plans: PlannedOrigin[],
  held: Map<string, HeldRemovals>,
): Promise<SortedBatch> {
  return inSlices(sortInSlices(await loadMirrorSigner(app), world, pairs, plans, held));
}

function* sortInSlices(
  signer: MirrorSigner,
  world: World,
  pairs: Pairs,
  plans: PlannedOrigin[],
  held: Map<string, HeldRemovals>,
): Sliced<SortedBatch> {
  const batch: SortedBatch = {
    inserts: [],
    changes: [],
    drops: [],
    optedOut: [],
    released: [],
    forgotten: [],
    rebind: [],
    audit: [],
    settled: [],
    accounts: new Set(),
  };
  const accountOf = (target: CalendarId) => world.calendars.get(target)?.connectionId;
  const wake = (target: CalendarId) => {
    const connectionId = accountOf(target);
    if (connectionId !== undefined) batch.accounts.add(connectionId);
  };
  for (const { item, uid, actions, rebind, waits } of plans) {
    let settled = !waits;
    for (const row of rebind) batch.rebind.push({ id: row.id, originItemId: item.id });
    for (const action of actions) {
      switch (action.do) {
        case 'insert': {
          const connectionId = accountOf(action.targetCalendarId);
          if (connectionId === undefined) break;
          const { block } = action;
          batch.inserts.push({
            id: randomUUIDv7(),
            userId: world.userId,
            originCalendarId: item.calendarId,
            originItemId: item.id,
            originUid: uid,
            recId: block.recId,
            targetCalendarId: action.targetCalendarId,
            targetConnectionId: connectionId,
            identityKey: signer.keyOf({
              targetCalendarId: action.targetCalendarId,
              originCalendarId: item.calendarId,
              originUid: uid,
              recId: block.recId,
            }),
            desired: block.body,
            desiredChars: block.chars,
            desiredHash: block.hash,
            nearMs: block.nearMs,
            waits: action.waits,
          });
          wake(action.targetCalendarId);
          break;
        }
        case 'write':
        case 'restore':
        case 'recreate':
        case 'renew': {
          const { row, block } = action;
          const isUsersDoing = action.do === 'restore' || action.do === 'recreate';
          batch.changes.push({
            id: row.id,
            originItemId: item.id,
            desired: block.body,
            desiredChars: block.chars,
            desiredHash: block.hash,
            nearMs: block.nearMs,
            waits: action.waits,
            anew: action.do === 'recreate' ? 'deleted' : action.do === 'renew' ? 'removed' : null,
            restored: isUsersDoing ? action.times : 0,
            notBeforeMs: isUsersDoing ? action.notBeforeMs : null,
          });
          if (isUsersDoing) batch.audit.push(driftLine(world.userId, action));
          wake(row.targetCalendarId);
          break;
        }
        case 'release':
          (action.reason === 'opted-out' ? batch.optedOut : batch.released).push(action.row.id);
          batch.audit.push(releaseLine(world.userId, action.row, action.reason));
          break;
        case 'forget':
          batch.forgotten.push(action.row.id);
          break;
        case 'remove': {
          const { row } = action;
          const pair = pairs.find(row.originCalendarId, row.targetCalendarId);
          if (pair !== null && countsForBreaker(action.reason)) {
            hold(held, pair, { id: row.id, waits: action.waits }, item);
            settled = false;
          } else {
            batch.drops.push({ id: row.id, waits: action.waits });
            wake(row.targetCalendarId);
          }
          break;
        }
      }
      yield;
    }
    if (settled) batch.settled.push(item);
  }
  return batch;
}

function hold(held: Map<string, HeldRemovals>, pair: RuledPair, row: DroppedMirror, item: PlannedItem): void {
  const key = pairKey(pair.sourceCalendarId, pair.targetCalendarId);
  let removals = held.get(key);
  if (removals === undefined) {
    removals = { source: pair.sourceCalendarId, target: pair.targetCalendarId, rows: [], items: new Map() };
    held.set(key, removals);
  }
  removals.rows.push(row);
  removals.items.set(item.id, item);
}

function driftLine(userId: UserId, action: Extract<Action, { do: 'recreate' | 'restore' }>): AuditLine {
  const { row } = action;
  const message =
    action.do === 'recreate'
      ? "The block was deleted in its calendar. We're adding it back once."
      : "The block was changed in its calendar. We're restoring it.";
  return {
    userId,
    mirrorId: row.id,
    originItemId: row.originItemId,
    type: 'mirror.drift',
    actor: 'poll',
    status: 'pending',
    message: action.notBeforeMs === null ? message : contested,
  };
}

function releaseLine(userId: UserId, row: LedgerRow, reason: 'opted-out' | 'released'): AuditLine {
  return {
    userId,
    mirrorId: row.id,
    originItemId: row.originItemId,
    type: reason === 'opted-out' ? 'mirror.skipped' : 'mirror.released',
    actor: 'poll',
    status: 'success',
    message:
      reason === 'opted-out'
        ? "The block was deleted twice within a day. We won't add it again."
        : 'The block was changed in its calendar. We no longer manage it.',
  };
}
