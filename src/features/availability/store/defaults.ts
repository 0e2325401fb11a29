import { sql } from 'kysely';
import type { PolicyId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { PolicyUse } from '../rules/policy-uses.ts';
import type { DefaultSince } from '../rules/versions-in-force.ts';
import { lockHours } from './policies.ts';

/** Which policy is a person's default from when on, in order of time. */
export async function listDefaults(db: Database, userId: UserId): Promise<DefaultSince[]> {
  const { rows } = await sql<DefaultSince>`
    select policy_id as "policyId", from_ms as "fromMs" from availability.defaults
    where user_id = ${userId} order by from_ms`.execute(db);
  return rows;
}

/** A later entry replaces one that begins at the same instant. */
export async function setDefault(tx: Tx, userId: UserId, { policyId, fromMs }: DefaultSince): Promise<void> {
  await sql`
    insert into availability.defaults (user_id, from_ms, policy_id) values (${userId}, ${fromMs}, ${policyId})
    on conflict (user_id, from_ms) do update set policy_id = excluded.policy_id`.execute(tx);
}

/** Switches kept of the past, the one in force included. */
const keptDefaults = 50;

export async function trimDefaults(tx: Tx, userId: UserId, nowMs: number): Promise<void> {
  await sql`
    delete from availability.defaults where user_id = ${userId} and from_ms < (
      select from_ms from availability.defaults where user_id = ${userId} and from_ms <= ${nowMs}
      order by from_ms desc offset ${keptDefaults - 1} limit 1)`.execute(tx);
}

/** Planned switches at other instants than `butMs`. Until the transaction ends, nobody else counts them. */
export async function countPlanned(
  tx: Tx,
  userId: UserId,
  { nowMs, butMs }: { nowMs: number; butMs: number },
): Promise<number> {
  await lockHours(tx, userId);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from availability.defaults
    where user_id = ${userId} and from_ms > ${nowMs} and from_ms <> ${butMs}`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Cancels a planned switch of the default. Returns false if there is none at that instant. */
export async function deleteDefault(tx: Tx, userId: UserId, fromMs: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from availability.defaults where user_id = ${userId} and from_ms = ${fromMs}`.execute(tx);
  return numAffectedRows === 1n;
}

/** The uses of each of a user's policies. */
export async function listFollowers(db: Database, userId: UserId): Promise<(PolicyUse & { policyId: PolicyId })[]> {
  const { rows } = await sql<PolicyUse & { policyId: PolicyId }>`
    select policy_id as "policyId", kind, subject_id as id, label as name from availability.policy_uses
    where user_id = ${userId} order by kind, label, subject_id`.execute(db);
  return rows;
}

export async function upsertUse(
  tx: Tx,
  userId: UserId,
  follower: PolicyUse,
  policy: { policyId: PolicyId; n: number | null },
): Promise<void> {
  await sql`
    insert into availability.policy_uses (kind, subject_id, user_id, policy_id, n, label)
    values (${follower.kind}, ${follower.id}, ${userId}, ${policy.policyId}, ${policy.n}, ${follower.name})
    on conflict (kind, subject_id) do update set user_id = excluded.user_id, policy_id = excluded.policy_id,
      n = excluded.n, label = excluded.label`.execute(tx);
}

export async function deleteUse(tx: Tx, kind: string, id: string): Promise<void> {
  await sql`delete from availability.policy_uses where kind = ${kind} and subject_id = ${id}`.execute(tx);
}
