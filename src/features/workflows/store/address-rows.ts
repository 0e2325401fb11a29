import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

/** Addresses that steps write to besides host and guest: lower case, and only once their reader has agreed. */

export async function listConfirmed(db: Database, userId: UserId, addresses: readonly string[]): Promise<Set<string>> {
  if (addresses.length === 0) return new Set();
  const { rows } = await sql<{ address: string }>`
    select address from workflows.addresses
    where user_id = ${userId} and address = any(${addresses.map((one) => one.toLowerCase())}::text[])
      and confirmed_ms is not null`.execute(db);
  return new Set(rows.map(({ address }) => address));
}

/** The agreements among these, as `person address`. */
export async function listAgreements(
  db: Database,
  given: readonly { userId: UserId; address: string }[],
): Promise<Set<string>> {
  if (given.length === 0) return new Set();
  const { rows } = await sql<{ key: string }>`
    select a.user_id || ' ' || a.address as key from workflows.addresses a
    join unnest(${given.map(({ userId }) => userId)}::uuid[],
      ${given.map(({ address }) => address)}::text[]) as given(user_id, address)
      on a.user_id = given.user_id and a.address = given.address
    where a.confirmed_ms is not null`.execute(db);
  return new Set(rows.map(({ key }) => key));
}

/** The reader of an address takes back every agreement, e.g. as their account is deleted. */
export async function dropAgreements(tx: Tx, address: string): Promise<void> {
  await sql`delete from workflows.addresses where address = ${address.toLowerCase()}`.execute(tx);
}

/** Keeps a new code for an address; the one before is worth nothing. */
export async function keepCode(
  tx: Tx,
  { userId, address, codeHash, nowMs }: { userId: UserId; address: string; codeHash: Buffer; nowMs: number },
): Promise<void> {
  await sql`
    insert into workflows.addresses (user_id, address, code_hash, asked_ms) values (${userId}, ${address}, ${codeHash}, ${nowMs})
    on conflict (user_id, address) do update set code_hash = excluded.code_hash, tries = 0, asked_ms = excluded.asked_ms
      where workflows.addresses.confirmed_ms is null`.execute(tx);
}

/** Counts a try and takes the code where it is the one; few tries, and not for ever. */
export async function takeCode(
  db: Database,
  {
    userId,
    address,
    codeHash,
    nowMs,
    sinceMs,
    most,
  }: {
    userId: UserId;
    address: string;
    codeHash: Buffer;
    nowMs: number;
    sinceMs: number;
    most: number;
  },
): Promise<boolean> {
  const { rows } = await sql<{ ok: boolean }>`
    update workflows.addresses set tries = tries + 1,
      confirmed_ms = case when code_hash = ${codeHash} then ${nowMs}::bigint end,
      code_hash = case when code_hash = ${codeHash} then null else code_hash end
    where user_id = ${userId} and address = ${address} and confirmed_ms is null and asked_ms > ${sinceMs} and tries < ${most}
    returning confirmed_ms is not null as ok`.execute(db);
  return rows[0]?.ok ?? false;
}

/** For exports. */
export async function listAddresses(db: Database, userId: UserId): Promise<object[]> {
  const { rows } = await sql<object>`
    select address, to_timestamp(confirmed_ms / 1000.0) as "agreedAt" from workflows.addresses
    where user_id = ${userId} order by address`.execute(db);
  return rows;
}
