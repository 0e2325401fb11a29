import type { CalendarId, ItemId, MirrorId } from '#kernel/ids.ts';
import { parseRecId } from '#kernel/time/rec-id.ts';
import { type Restoring, restoring } from './backoff.ts';
import type { Desired, DesiredBlock, Pair, SkipReason } from './desired.ts';

/** A ledger row as the planner sees it. */
export interface LedgerRow {
  id: MirrorId;
  originItemId: ItemId;
  originCalendarId: CalendarId;
  originUid: string;
  recId: string;
  targetCalendarId: CalendarId;
  generation: number;
  state: 'pending' | 'created' | 'failed' | 'deleting' | 'skipped';
  reason: string | null;
  desiredHash: string | null;
  seen: 'changed' | 'gone' | null;
  userDeletedAtMs: number | null;
  /**
   * Whether a removal was tried before the block was wanted again, with no write since. A missing block may then be our
   * own removal.
   */
  removalTried: boolean;
  /** How often it was written again after others had changed or deleted it, and when last. */
  restored: number;
  restoredAtMs: number | null;
  /** Whether its write or removal waits for the other blocks of its event. */
  waits: boolean;
}

/**
 * `rule`: no pair wants it any more; `instance`: the event stands, this instance of it does not; `shape`: what it blocks
 * is blocked by a series where there were instances, or the other way round.
 */
export type RemovalReason = SkipReason | 'rule' | 'instance' | 'shape';

/**
 * The steps of a plan. In each target, single instances are written first, then the series; removals come last. Time
 * that was blocked and will be blocked stays blocked at every moment in between. `waits` marks removals that depend on
 * the writes. The ledger holds them back, also across a crash.
 */
export type Action =
  | { do: 'insert'; targetCalendarId: CalendarId; block: DesiredBlock; waits: boolean }
  /** The block shall look different. */
  | { do: 'write'; row: LedgerRow; block: DesiredBlock; waits: boolean }
  /** Changed by its user: restored. */
  | ({ do: 'restore'; row: LedgerRow; block: DesiredBlock; waits: boolean } & Restoring)
  /** Deleted by its user for the first time: written again under the next generation. */
  | ({ do: 'recreate'; row: LedgerRow; block: DesiredBlock; waits: boolean } & Restoring)
  /** We removed it ourselves before it was wanted again: written under the next generation. */
  | { do: 'renew'; row: LedgerRow; block: DesiredBlock; waits: boolean }
  /** We no longer manage it; nothing is written. */
  | { do: 'release'; row: LedgerRow; reason: 'opted-out' | 'released' }
  | { do: 'remove'; row: LedgerRow; reason: RemovalReason; waits: boolean }
  /** Nothing of it stands anywhere. */
  | { do: 'forget'; row: LedgerRow };

const optOutMs = 24 * 3_600_000;

/**
 * The difference between what shall stand and what the ledger says, for one origin. Pure and idempotent: carried out
 * and planned again, it is empty. `wanted` has one entry per target; rows of targets without one lose their blocks.
 */
export function planOrigin(wanted: { pair: Pair; desired: Desired }[], rows: LedgerRow[], nowMs: number): Action[] {
  const actions: Action[] = [];
  const rowsOf = new Map<string, LedgerRow>(rows.map((row) => [keyOf(row.targetCalendarId, row.recId), row]));
  const handled = new Set<LedgerRow>();
  /** Targets where something of it is still to be written. */
  const unwritten = new Set<CalendarId>();
  for (const { pair, desired } of wanted) {
    for (const block of desired.blocks) {
      const waits = block.recId === '' && desired.blocks.length > 1;
      const row = rowsOf.get(keyOf(pair.targetCalendarId, block.recId));
      if (row === undefined) {
        actions.push({ do: 'insert', targetCalendarId: pair.targetCalendarId, block, waits });
        unwritten.add(pair.targetCalendarId);
        continue;
      }
      handled.add(row);
      const action = planBlock(row, block, pair, nowMs, waits);
      if (action !== null) actions.push(action);
      if (action === null ? row.state === 'pending' : action.do !== 'release') unwritten.add(pair.targetCalendarId);
    }
  }
  const wantedIn = new Map(wanted.map((one) => [one.pair.targetCalendarId, one]));
  for (const row of rows) {
    if (handled.has(row)) continue;
    const one = wantedIn.get(row.targetCalendarId);
    const reason = one === undefined ? 'rule' : removalReason(row, one);
    const waits = reason === 'shape' || unwritten.has(row.targetCalendarId);
    const action = planUnwanted(row, reason, waits);
    if (action !== null) actions.push(action);
  }
  return actions;
}

function removalReason(row: LedgerRow, { pair, desired }: { pair: Pair; desired: Desired }): RemovalReason {
  const refused = desired.refused.get(row.recId);
  if (refused !== undefined) return refused;
  if (desired.skipped !== null) return desired.skipped;
  if (row.recId === '') return 'shape';
  const [first] = desired.blocks;
  // a series is the first of its blocks
  const whole = first?.recId === '' ? first.body : undefined;
  if (whole !== undefined) return whole.kind === 'series' && whole.exdates.includes(row.recId) ? 'instance' : 'shape';
  const originalMs = parseRecId(row.recId)?.ms;
  const outside =
    originalMs !== undefined &&
    (originalMs < pair.window.fromMs || originalMs >= Math.min(pair.window.toMs, pair.horizonMs));
  return outside ? 'out-of-window' : 'instance';
}

const keyOf = (targetCalendarId: string, recId: string) => `${targetCalendarId} ${recId}`;

function planBlock(row: LedgerRow, block: DesiredBlock, pair: Pair, nowMs: number, waits: boolean): Action | null {
  if (row.state === 'skipped') {
    // kept when its origin went: the origin is back, so the block is managed again
    return row.reason === 'kept' ? { do: 'write', row, block, waits } : null;
  }
  if (row.state !== 'deleting' && row.seen === 'gone') {
    if (row.removalTried) return { do: 'renew', row, block, waits };
    return isDeletedAgain(row, nowMs)
      ? { do: 'release', row, reason: 'opted-out' }
      : { do: 'recreate', row, block, waits, ...restoring(row, nowMs) };
  }
  if (row.state !== 'deleting' && row.seen === 'changed') {
    return pair.rule.onUserEdit === 'release'
      ? { do: 'release', row, reason: 'released' }
      : { do: 'restore', row, block, waits, ...restoring(row, nowMs) };
  }
  const hastens = waits && !row.waits && row.state === 'pending';
  if (row.state === 'deleting' || row.desiredHash !== block.hash || hastens) return { do: 'write', row, block, waits };
  return null;
}

/** Whether its user deleted it again within a day. */
export function isDeletedAgain(
  row: Pick<LedgerRow, 'seen' | 'userDeletedAtMs' | 'removalTried'>,
  nowMs: number,
): boolean {
  return (
    row.seen === 'gone' && !row.removalTried && row.userDeletedAtMs !== null && nowMs - row.userDeletedAtMs < optOutMs
  );
}

function planUnwanted(row: LedgerRow, reason: RemovalReason, waits: boolean): Action | null {
  // an event that is not understood, or too dense, keeps its blocks: they are the best known state
  if (reason === 'not-understood' || reason === 'too-dense') return null;
  if (row.state === 'deleting' && (row.waits || !waits)) return null;
  // a released or kept block is its user's now; of an opted-out one nothing stands
  if (row.state === 'skipped') return row.reason === 'opted-out' ? { do: 'forget', row } : null;
  if (row.seen === 'gone') return { do: 'forget', row };
  return { do: 'remove', row, reason, waits };
}

/** Removals that somebody may not have meant: they count for the breaker. A person's own decision does not. */
export function countsForBreaker(reason: RemovalReason): boolean {
  return reason === 'gone' || reason === 'not-busy' || reason === 'instance';
}
