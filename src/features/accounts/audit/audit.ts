import type { UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import { publishEntries } from '#platform/feed.ts';
import { auditTopic } from '../events.ts';
import type { AuditAction, AuditDetails, SubjectKind } from '../rules/audit.ts';
import { type Break, checkStretch, findHead, insertAct } from '../store/audit.ts';
import { listAdministratorIds } from '../store/users.ts';

interface Act {
  /** Null: the install itself. */
  actorId: UserId | null;
  action: AuditAction;
  subject?: { kind: SubjectKind; id: string } | undefined;
  /** As it was typed; null where nobody was asked. */
  reason: string | null;
  /** The request behind it, if there is one. */
  request: { id: string } | null;
  details?: AuditDetails | undefined;
}

/**
 * Adds a line to the install's audit, in the transaction of the act. The line joins the chain at the commit. Ids only:
 * readers see the current names.
 */
export async function recordAct(tx: Tx, act: Act): Promise<void> {
  await insertAct(tx, { ...act, reason: act.reason?.trim() ?? null, requestId: act.request?.id ?? null });
  await publishEntries(tx, await listAdministratorIds(tx), auditTopic);
}

/** With ten million entries a stretch takes milliseconds and blocks nothing. */
const stretchEntries = 20_000;

interface Verdict {
  /** Entries that were found whole, from the first. */
  entries: number;
  /** The last entry; an operator who noted an earlier one can compare. */
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
