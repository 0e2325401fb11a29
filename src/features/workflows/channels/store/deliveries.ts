import { sql } from 'kysely';
import type { CredentialId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

/** The state of a run's call to a service. `trying`: the outcome is unknown. */
export interface Delivery {
  state: 'trying' | 'done';
  begunMs: number;
  reference: string | null;
}

export async function findDelivery(db: Database, runKey: string): Promise<Delivery | null> {
  const { rows } = await sql<Delivery>`
    select state, begun_ms as "begunMs", reference from workflows.deliveries where run_key = ${runKey}`.execute(db);
  return rows[0] ?? null;
}

/** True for the one that may call now. */
export async function beginDelivery(
  db: Database,
  { runKey, credentialId, nowMs }: { runKey: string; credentialId: CredentialId; nowMs: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into workflows.deliveries (run_key, credential_id, state, begun_ms)
    values (${runKey}, ${credentialId}, 'trying', ${nowMs}) on conflict do nothing returning run_key`.execute(db);
  return rows.length > 0;
}

/** Restarts a delivery that was looked for and not found; true for the one that may call now. */
export async function renewDelivery(db: Database, runKey: string, begunMs: number, nowMs: number): Promise<boolean> {
  const { rows } = await sql`
    update workflows.deliveries set begun_ms = ${nowMs}
    where run_key = ${runKey} and state = 'trying' and begun_ms = ${begunMs} returning run_key`.execute(db);
  return rows.length > 0;
}

export async function finishDelivery(db: Database, runKey: string, reference: string): Promise<void> {
  await sql`
    update workflows.deliveries set state = 'done', reference = ${reference} where run_key = ${runKey}`.execute(db);
}

/** The service said no: nothing was sent. */
export async function dropDelivery(tx: Database, runKey: string): Promise<void> {
  await sql`delete from workflows.deliveries where run_key = ${runKey} and state = 'trying'`.execute(tx);
}

/** The given references that belong to a run already. */
export async function listTaken(
  db: Database,
  credentialId: CredentialId,
  references: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ reference: string }>`
    select reference from workflows.deliveries
    where credential_id = ${credentialId} and reference = any(${references}::text[])`.execute(db);
  return new Set(rows.map(({ reference }) => reference));
}

/** Stores the network's report of a message. A final state stays. */
export async function updateNetworkStatus(
  db: Database,
  credentialId: CredentialId,
  told: { reference: string; status: string; errorCode: number | null },
): Promise<void> {
  await sql`
    update workflows.deliveries set status = ${told.status}, error_code = ${told.errorCode}
    where credential_id = ${credentialId} and reference = ${told.reference}
      and coalesce(status, '') not in ('delivered', 'undelivered', 'failed')`.execute(db);
}

/** Long after a run can be tried again. */
export async function trimDeliveries(db: Database, beforeMs: number): Promise<void> {
  await sql`delete from workflows.deliveries where begun_ms < ${beforeMs}`.execute(db);
}

/** One more text message in this month, unless that is more than its cap. */
export async function takeFromMonth(
  tx: Tx,
  { credentialId, month, cap }: { credentialId: CredentialId; month: string; cap: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into workflows.sms_months as m (credential_id, month, used) values (${credentialId}, ${month}, 1)
    on conflict (credential_id, month) do update set used = m.used + 1 where m.used < ${cap}
    returning used`.execute(tx);
  return rows.length > 0;
}

export async function giveBackToMonth(tx: Tx, credentialId: CredentialId, month: string): Promise<void> {
  await sql`
    update workflows.sms_months set used = used - 1
    where credential_id = ${credentialId} and month = ${month} and used > 0`.execute(tx);
}

export async function countMonths(
  db: Database,
  credentialIds: readonly CredentialId[],
  month: string,
): Promise<Map<CredentialId, number>> {
  const { rows } = await sql<{ id: CredentialId; used: number }>`
    select credential_id as id, used from workflows.sms_months
    where credential_id = any(${credentialIds}::uuid[]) and month = ${month}`.execute(db);
  return new Map(rows.map(({ id, used }) => [id, used]));
}

/** False where a newer state was pushed already; null where somebody pushes right now. */
export async function claimRecord(
  db: Database,
  claim: { credentialId: CredentialId; externalId: string; sequence: number; nowMs: number; untilMs: number },
): Promise<boolean | null> {
  const { credentialId, externalId, sequence, nowMs, untilMs } = claim;
  const { rows } = await sql`
    insert into workflows.crm_records as r (credential_id, external_id, sequence, busy_until_ms)
    values (${credentialId}, ${externalId}, ${sequence}, ${untilMs})
    on conflict (credential_id, external_id) do update set sequence = ${sequence}, busy_until_ms = ${untilMs}
      where r.busy_until_ms <= ${nowMs} and r.sequence <= ${sequence}
    returning sequence`.execute(db);
  if (rows.length > 0) return true;
  const { rows: found } = await sql<{ sequence: number }>`
    select sequence from workflows.crm_records
    where credential_id = ${credentialId} and external_id = ${externalId}`.execute(db);
  return (found[0]?.sequence ?? sequence) > sequence ? false : null;
}

/** Only the claim's own: one that took longer has lost it. */
export async function releaseRecord(
  db: Database,
  { credentialId, externalId, untilMs }: { credentialId: CredentialId; externalId: string; untilMs: number },
): Promise<void> {
  await sql`
    update workflows.crm_records set busy_until_ms = 0
    where credential_id = ${credentialId} and external_id = ${externalId} and busy_until_ms = ${untilMs}`.execute(db);
}
