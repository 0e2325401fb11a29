import type { CalendarId, ItemId, MirrorId } from '#kernel/ids.ts';
import { parseRecId } from '#kernel/time/rec-id.ts';
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
}

/**
 * `rule`: no pair wants it any more; `instance`: the event stands, this instance of it does not; `shape`: what it blocks
 * is blocked by a series where there were instances, or the other way round.
 */
export type RemovalReason = SkipReason | 'rule' | 'instance' | 'shape';

export type Action =
  | { do: 'insert'; targetCalendarId: CalendarId; block: DesiredBlock }
  /** The block shall look different, or stand again as it was (`drift`: its user changed it). */
  | { do: 'write'; row: LedgerRow; block: DesiredBlock; cause: 'origin' | 'drift' }
  /** Its user deleted it for the first time: written again under the next generation. */
  | { do: 'recreate'; row: LedgerRow; block: DesiredBlock }
  /** We no longer manage it; nothing is written. */
  | { do: 'release'; row: LedgerRow; reason: 'opted-out' | 'released' }
  | { do: 'remove'; row: LedgerRow; reason: RemovalReason }
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
  for (const { pair, desired } of wanted) {
    for (const block of desired.blocks) {
      const row = rowsOf.get(keyOf(pair.targetCalendarId, block.recId));
      if (row === undefined) {
        actions.push({ do: 'insert', targetCalendarId: pair.targetCalendarId, block });
        continue;
      }
      handled.add(row);
      const action = planBlock(row, block, pair, nowMs);
      if (action !== null) actions.push(action);
    }
  }
  const wantedIn = new Map(wanted.map((one) => [one.pair.targetCalendarId, one]));
  for (const row of rows) {
    if (handled.has(row)) continue;
    const one = wantedIn.get(row.targetCalendarId);
    const action = planUnwanted(row, one === undefined ? 'rule' : removalReason(row, one));
    if (action !== null) actions.push(action);
  }
  return actions;
}

function removalReason(row: LedgerRow, { pair, desired }: { pair: Pair; desired: Desired }): RemovalReason {
  const refused = desired.refused.get(row.recId);
  if (refused !== undefined) return refused;
  if (desired.skipped !== null) return desired.skipped;
  const whole = desired.blocks.some((block) => block.recId === '');
  if (whole !== (row.recId === '')) return 'shape';
  const originalMs = parseRecId(row.recId)?.ms;
  const outside = originalMs !== undefined && (originalMs < pair.window.fromMs || originalMs >= pair.window.toMs);
  return outside ? 'out-of-window' : 'instance';
}

const keyOf = (targetCalendarId: string, recId: string) => `${targetCalendarId} ${recId}`;

function planBlock(row: LedgerRow, block: DesiredBlock, pair: Pair, nowMs: number): Action | null {
  if (row.state === 'skipped') {
    // kept when its origin went: the origin is back, so the block is managed again
    return row.reason === 'kept' ? { do: 'write', row, block, cause: 'origin' } : null;
  }
  if (row.state !== 'deleting' && row.seen === 'gone') {
    const again = row.userDeletedAtMs !== null && nowMs - row.userDeletedAtMs < optOutMs;
    return again ? { do: 'release', row, reason: 'opted-out' } : { do: 'recreate', row, block };
  }
  if (row.state !== 'deleting' && row.seen === 'changed') {
    return pair.rule.onUserEdit === 'release'
      ? { do: 'release', row, reason: 'released' }
      : { do: 'write', row, block, cause: 'drift' };
  }
  if (row.state === 'deleting' || row.desiredHash !== block.hash) return { do: 'write', row, block, cause: 'origin' };
  return null;
}

function planUnwanted(row: LedgerRow, reason: RemovalReason): Action | null {
  // there, but not understood: what stands for it is the best that is known
  if (reason === 'not-understood') return null;
  if (row.state === 'deleting') return null;
  // a released or kept block is its user's now; of an opted-out one nothing stands
  if (row.state === 'skipped') return row.reason === 'opted-out' ? { do: 'forget', row } : null;
  if (row.seen === 'gone') return { do: 'forget', row };
  return { do: 'remove', row, reason };
}

/** Removals that somebody may not have meant: they count for the breaker. A person's own decision does not. */
export function countsForBreaker(reason: RemovalReason): boolean {
  return reason === 'gone' || reason === 'not-busy' || reason === 'instance';
}
