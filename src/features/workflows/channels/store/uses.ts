import { sql } from 'kysely';
import type { CredentialId, UserId, WorkflowId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

/** Workflows of a person as they are in force, with each account that a step of theirs sends through. */
export async function listUses(
  db: Database,
  userId: UserId,
): Promise<{ id: WorkflowId; name: string; credentialId: CredentialId }[]> {
  const { rows } = await sql<{ id: WorkflowId; name: string; credentialId: CredentialId }>`
    select distinct w.id, w.name, step -> 'action' ->> 'credential_id' as "credentialId"
    from workflows.workflows w
      join workflows.versions v on v.workflow_id = w.id and v.n = w.version
      cross join lateral jsonb_array_elements(v.definition -> 'steps') step
    where w.user_id = ${userId} and w.deleted_at is null and step -> 'action' ->> 'credential_id' is not null
    order by w.name, w.id limit 1000`.execute(db);
  return rows;
}
