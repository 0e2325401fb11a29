import { sql } from 'kysely';
import type { PolicyId, UserId } from '#kernel/ids.ts';
import { type Database, jsonb, type Tx } from '#platform/db.ts';
import type { Hours } from '../rules/hours.ts';

export interface Policy {
  policyId: PolicyId;
  name: string;
  n: number;
  hours: Hours;
  note: string;
  createdMs: number; // creation of the version
}

/** The newest version of each policy that is not deleted, by name. */
export async function listPolicies(db: Database, userId: UserId): Promise<Policy[]> {
  const { rows } = await sql<Policy>`
    select p.id as "policyId", p.name, v.n, v.hours, v.note, v.created_ms as "createdMs"
    from availability.policies p join availability.versions v on v.policy_id = p.id and v.n = p.version
    where p.user_id = ${userId} and p.deleted_ms is null
    order by lower(p.name), p.id`.execute(db);
  return rows;
}

/** Lets nobody else count a person's hours until the transaction ends. */
export async function lockHours(tx: Tx, userId: UserId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('hours of ' || ${userId}::text, 0))`.execute(tx);
}

/** Time ranges and dates of all policies of a person. Until the transaction ends, nobody else counts them. */
export async function countTimes(tx: Tx, userId: UserId): Promise<number> {
  await lockHours(tx, userId);
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(v.times), 0)::int as count
    from availability.policies p join availability.versions v on v.policy_id = p.id and v.n = p.version
    where p.user_id = ${userId} and p.deleted_ms is null`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** The newest versions of a person's policy that hold no more times together, the newest always; none where it is not theirs. */
export async function listVersions(
  db: Database,
  userId: UserId,
  policyId: PolicyId,
  most: { versions: number; times: number },
): Promise<Omit<Policy, 'name' | 'policyId'>[]> {
  const { rows } = await sql<Omit<Policy, 'name' | 'policyId'>>`
    select n, hours, note, "createdMs" from (
      select *, sum(times) over (order by n desc) as total, row_number() over (order by n desc) as place
      from (
        select v.n, v.hours, v.note, v.created_ms as "createdMs", v.times
        from availability.policies p join availability.versions v on v.policy_id = p.id
        where p.user_id = ${userId} and p.id = ${policyId} and p.deleted_ms is null
        order by v.n desc limit ${most.versions}) newest) measured
    where total <= ${most.times} or place = 1 order by n desc`.execute(db);
  return rows;
}

export async function countPolicies(db: Database, userId: UserId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from availability.policies where user_id = ${userId} and deleted_ms is null`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** *Errors*: the database's, on `policies_name`, where the name is taken. */
export async function insertPolicy(
  tx: Tx,
  policy: { id: PolicyId; userId: UserId; name: string; nowMs: number },
): Promise<void> {
  await sql`
    insert into availability.policies (id, user_id, name, version, created_ms)
    values (${policy.id}, ${policy.userId}, ${policy.name}, 1, ${policy.nowMs})`.execute(tx);
}

/** False where `version` is not the newest any more, or there is no such policy. *Errors*: as `insertPolicy`. */
export async function raiseVersion(
  tx: Tx,
  policy: { id: PolicyId; userId: UserId; version: number; name: string | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update availability.policies set version = version + 1, name = coalesce(${policy.name}::text, name)
    where id = ${policy.id} and user_id = ${policy.userId} and version = ${policy.version} and deleted_ms is null`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

export async function insertVersion(
  tx: Tx,
  version: { policyId: PolicyId; n: number; hours: Hours; note: string; userId: UserId; nowMs: number },
): Promise<void> {
  await sql`
    insert into availability.versions (policy_id, n, hours, note, author_id, created_ms)
    values (${version.policyId}, ${version.n}, ${jsonb(version.hours)}, ${version.note}, ${version.userId},
      ${version.nowMs})`.execute(tx);
}

/** As many as its page lists. An older one stays while something is pinned to it. */
export const keptVersions = 50;

export async function trimVersions(tx: Tx, policyId: PolicyId, newest: number): Promise<void> {
  await sql`
    delete from availability.versions v where v.policy_id = ${policyId} and v.n <= ${newest - keptVersions}
      and not exists (select from availability.policy_uses u where u.policy_id = v.policy_id and u.n = v.n)`.execute(
    tx,
  );
}

/** A person's policy as it stays until the transaction ends; null where there is none. */
export async function lockPolicy(
  tx: Tx,
  userId: UserId,
  policyId: PolicyId,
): Promise<{ name: string; version: number } | null> {
  const { rows } = await sql<{ name: string; version: number }>`
    select name, version from availability.policies
    where id = ${policyId} and user_id = ${userId} and deleted_ms is null for update`.execute(tx);
  return rows[0] ?? null;
}

/** A deleted policy keeps its last version, for the days on which it was the default. */
export async function markDeleted(tx: Tx, policyId: PolicyId, nowMs: number): Promise<void> {
  await sql`update availability.policies set deleted_ms = ${nowMs} where id = ${policyId}`.execute(tx);
  await sql`
    delete from availability.versions v using availability.policies p
    where v.policy_id = ${policyId} and p.id = v.policy_id and v.n < p.version`.execute(tx);
}

/** Removes deleted policies that were never the default, as far back as defaults are kept. */
export async function removeUnused(tx: Tx, userId: UserId): Promise<void> {
  await sql`
    delete from availability.policies p where p.user_id = ${userId} and p.deleted_ms is not null
      and not exists (select from availability.defaults d where d.user_id = p.user_id and d.policy_id = p.id)`.execute(
    tx,
  );
}

/** The content of a version of a user's policy, or null. */
export async function findVersion(db: Database, userId: UserId, policyId: PolicyId, n: number): Promise<Hours | null> {
  const { rows } = await sql<{ hours: Hours }>`
    select v.hours from availability.policies p join availability.versions v on v.policy_id = p.id
    where p.user_id = ${userId} and p.id = ${policyId} and p.deleted_ms is null and v.n = ${n}`.execute(db);
  return rows[0]?.hours ?? null;
}

/** Every version that is kept, for the export. */
export async function listEveryVersion(
  db: Database,
  userId: UserId,
): Promise<(Policy & { deletedMs: number | null })[]> {
  const { rows } = await sql<Policy & { deletedMs: number | null }>`
    select p.id as "policyId", p.name, v.n, v.hours, v.note, v.created_ms as "createdMs", p.deleted_ms as "deletedMs"
    from availability.policies p join availability.versions v on v.policy_id = p.id
    where p.user_id = ${userId} order by p.id, v.n`.execute(db);
  return rows;
}
