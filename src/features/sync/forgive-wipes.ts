import type { Database } from '#platform/db.ts';
import type { LedgerRow } from './rules/plan.ts';
import { isDeletedAgain } from './rules/plan.ts';
import { countVanished } from './store/own-blocks.ts';

/** More blocks than this that vanish together are no word on each of them. */
const manyAtOnce = 10;

/**
 * A block that is deleted twice in a day is left out from then on, but not where a calendar was emptied twice: somebody
 * cleared it, an app lost it, it was restored. Such blocks count as deleted for the first time.
 */
export async function forgiveWipes(db: Database, ledger: LedgerRow[], nowMs: number): Promise<LedgerRow[]> {
  const targets = new Set(ledger.filter((row) => isDeletedAgain(row, nowMs)).map((row) => row.targetCalendarId));
  if (targets.size === 0) return ledger;
  const vanished = await countVanished(db, [...targets]);
  return ledger.map((row) =>
    (vanished.get(row.targetCalendarId) ?? 0) > manyAtOnce ? { ...row, userDeletedAtMs: null } : row,
  );
}
