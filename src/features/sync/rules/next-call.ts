/** The one provider call that brings a row nearer to what it desires. */
export type NextCall = 'create' | 'update' | 'check' | 'delete' | 'find-and-delete';

/** The parts of a ledger row that the choice depends on. */
interface DueState {
  state: 'pending' | 'deleting';
  ref: string | null;
  version: string | null;
  desiredHash: string | null;
  appliedHash: string | null;
}

/**
 * Chooses the call. A row without a ref may stand at the provider all the same (the answer of its create was lost): its
 * create then meets itself and is adopted, its delete looks for it first.
 */
export function nextCall(row: DueState): NextCall {
  const placed = row.ref !== null && row.version !== null;
  if (row.state === 'deleting') return placed ? 'delete' : 'find-and-delete';
  if (!placed) return 'create';
  return row.appliedHash === row.desiredHash ? 'check' : 'update';
}
