import type { Database } from '#platform/db.ts';
import { type Break, checkStretch, findHead } from './store/audit.ts';

/** With ten million entries a stretch takes milliseconds and blocks nothing. */
const stretchEntries = 20_000;

export interface Verdict {
  /** Entries that were found whole, from the first. */
  entries: number;
  /** The last of them; whoever has noted an earlier one can compare. */
  head: { position: number; hash: string } | null;
  broken: Break | null;
}

/** Looks through the whole chain of the audit; stops where it does not hold. */
export async function verifyAudit(db: Database, signal?: AbortSignal): Promise<Verdict> {
  const end = await findHead(db);
  let verdict: Verdict = { entries: 0, head: null, broken: null };
  while (end !== null && verdict.entries < end.position) {
    signal?.throwIfAborted();
    const { entries, last, broken } = await checkStretch(db, verdict.entries, stretchEntries);
    if (broken !== null) return { ...verdict, broken };
    // further on are others: what lies between is gone
    if (last === null) return { ...verdict, broken: { position: verdict.entries + 1, kind: 'missing' } };
    verdict = { entries: verdict.entries + entries, head: last, broken: null };
  }
  return verdict;
}
