import type { UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import { publishEntries } from '#platform/feed.ts';
import { auditTopic } from './events.ts';
import type { AuditAction, AuditDetails, SubjectKind } from './rules/audit.ts';
import { insertAct } from './store/audit.ts';
import { listAdministratorIds } from './store/users.ts';

export interface Act {
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
 * Adds a line to the audit of the install, in the transaction of the act it tells of; the line joins the chain when that
 * commits. Ids only: whoever reads it is shown the names that there are then.
 */
export async function recordAct(tx: Tx, act: Act): Promise<void> {
  await insertAct(tx, { ...act, reason: act.reason?.trim() ?? null, requestId: act.request?.id ?? null });
  await publishEntries(tx, await listAdministratorIds(tx), auditTopic);
}
