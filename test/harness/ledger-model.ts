import { nextCall } from '../../src/features/sync/rules/next-call.ts';
import type { Action, LedgerRow } from '../../src/features/sync/rules/plan.ts';
import type { CalendarId, MirrorId } from '../../src/kernel/ids.ts';
import type { MirrorBody } from '../../src/providers/port.ts';
import { ordinaryRow, plannedAtMs } from './mirror-subjects.ts';

/** A ledger row with what the writer keeps in it. */
export interface ModelRow extends LedgerRow {
  desired: MirrorBody | null;
  ref: string | null;
  appliedHash: string | null;
}

/**
 * Ledger and target calendars of one origin in memory: the store carries out plans, the writer what is due, as their SQL
 * and their calls do. A call's outcome may be lost; what was listed may be called after the next plan.
 */
export class LedgerModel {
  rows: ModelRow[] = [];
  /** Objects in the targets by identity, each with its target. */
  readonly objects = new Map<string, { target: string; body: MirrorBody; hash: string }>();

  /** Applies a plan as the store does. */
  carryOut(actions: Action[]): void {
    const rows = new Map(this.rows.map((row) => [row.id, row]));
    for (const action of actions) {
      if (action.do === 'insert') {
        const id = `${action.targetCalendarId} ${action.block.recId}` as MirrorId;
        if (rows.has(id)) throw new Error(`${id} is inserted twice`);
        rows.set(id, this.#newRow(id, action.targetCalendarId, action.block.recId, action));
        continue;
      }
      const row = rows.get(action.row.id);
      if (row === undefined) throw new Error(`${action.row.id} is not in the ledger`);
      const changed = changedBy(row, action);
      if (changed === null) rows.delete(row.id);
      else rows.set(row.id, changed);
    }
    this.rows = [...rows.values()];
  }

  #newRow(
    id: MirrorId,
    targetCalendarId: CalendarId,
    recId: string,
    { block, waits }: Extract<Action, { do: 'insert' }>,
  ): ModelRow {
    const row = ordinaryRow({ id, targetCalendarId, recId, state: 'pending', desiredHash: block.hash, waits });
    return { ...row, desired: block.body, ref: null, appliedHash: null };
  }

  /** Rows that may be written or removed now. */
  listDue(): ModelRow[] {
    return this.rows.filter((row) => (row.state === 'pending' || row.state === 'deleting') && this.#isReleased(row));
  }

  #isReleased(row: ModelRow): boolean {
    const others = this.rows.filter((one) => one.targetCalendarId === row.targetCalendarId && one.id !== row.id);
    return !row.waits || !others.some((one) => holdsUp(one, row));
  }

  /** One call for a row as it was listed. `lost`: it took effect, and nobody heard of it. */
  call(row: ModelRow, lost: boolean): void {
    const state = row.state as 'pending' | 'deleting';
    const identity = row.ref ?? `${row.id} g${row.generation}`;
    const call = nextCall({ ...row, state, version: row.ref });
    if (call === 'delete' || call === 'find-and-delete') this.objects.delete(identity);
    else if (row.desired !== null && row.desiredHash !== null)
      this.objects.set(identity, { target: row.targetCalendarId, body: row.desired, hash: row.desiredHash });
    if (lost) return;
    this.rows = this.rows.flatMap((now) => {
      if (now.id !== row.id) return [now];
      if (state === 'deleting') {
        if (now.state === 'deleting') return [];
        return [{ ...now, ref: null, appliedHash: null, generation: now.generation + 1, removalTried: false }];
      }
      const written = now.state === 'pending' && now.desiredHash === row.desiredHash;
      return [
        {
          ...now,
          ref: identity,
          appliedHash: row.desiredHash,
          removalTried: false,
          state: written ? 'created' : now.state,
        },
      ];
    });
  }
}

function holdsUp(other: ModelRow, row: ModelRow): boolean {
  if (other.desired === null) return false;
  if (row.state === 'deleting') return other.state === 'pending' || other.state === 'failed';
  return other.state === 'pending' && other.recId !== '';
}

/** The row after an action, or null where it goes. */
function changedBy(row: ModelRow, action: Exclude<Action, { do: 'insert' }>): ModelRow | null {
  switch (action.do) {
    case 'write':
    case 'restore':
    case 'recreate':
    case 'renew': {
      const again = action.do === 'recreate' || action.do === 'renew';
      const isUsersDoing = action.do === 'recreate' || action.do === 'restore';
      return {
        ...row,
        state: 'pending',
        reason: null,
        desired: action.block.body,
        desiredHash: action.block.hash,
        waits: action.waits,
        seen: null,
        restored: isUsersDoing ? action.times : 0,
        restoredAtMs: isUsersDoing ? plannedAtMs : null,
        removalTried: !again && (row.removalTried || row.desired === null),
        ...(again ? { ref: null, generation: row.generation + 1 } : {}),
        ...(action.do === 'recreate' ? { userDeletedAtMs: plannedAtMs } : {}),
        ...(again || row.seen === 'changed' ? { appliedHash: null } : {}),
      };
    }
    case 'release':
      return { ...row, state: 'skipped', reason: action.reason, seen: null };
    case 'remove':
      return { ...row, state: 'deleting', desired: null, desiredHash: null, waits: action.waits, seen: null };
    case 'forget':
      return null;
  }
}
