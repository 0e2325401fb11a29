import { sql } from 'kysely';
import type { TeamId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import { type Reading, reading } from '#platform/reading.ts';

/** Query: the owner of an address in a team, or null. */
export function ownerReading(teamId: TeamId, address: string): Reading<UserId | null> {
  const query = sql<{ userId: UserId }>`
    select user_id as "userId" from contacts.owners where team_id = ${teamId} and address = ${address.toLowerCase()}`;
  return reading(query, ([row]) => row?.userId ?? null);
}

export interface KnownContact {
  owner: UserId;
  tags: string[];
}

/** Finds a team's owner of an address, with the owner's tags; none if it is no contact of theirs. */
export async function findTeamContact(db: Database, teamId: TeamId, address: string): Promise<KnownContact | null> {
  const { rows } = await sql<KnownContact>`
    select o.user_id as owner, coalesce(p.tags, '{}') as tags
    from contacts.owners o
      left join contacts.contacts c on c.user_id = o.user_id and c.address = o.address
      left join contacts.contacts p on p.id = c.person_id and p.deleted_ms is null
    where o.team_id = ${teamId} and o.address = ${address.toLowerCase()}`.execute(db);
  return rows[0] ?? null;
}

/** A user's contact by any of its addresses. */
export async function findOwnContact(db: Database, userId: UserId, address: string): Promise<KnownContact | null> {
  const { rows } = await sql<KnownContact>`
    select c.user_id as owner, p.tags
    from contacts.contacts c join contacts.contacts p on p.id = c.person_id and p.deleted_ms is null
    where c.user_id = ${userId} and c.address = ${address.toLowerCase()}`.execute(db);
  return rows[0] ?? null;
}

export async function listOwners(
  db: Database,
  teamIds: readonly TeamId[],
  address: string,
): Promise<{ teamId: TeamId; userId: UserId }[]> {
  const { rows } = await sql<{ teamId: TeamId; userId: UserId }>`
    select team_id as "teamId", user_id as "userId" from contacts.owners
    where team_id = any(${teamIds}::uuid[]) and address = ${address}`.execute(db);
  return rows;
}

/** Null: nobody looks after these addresses any more. */
export async function setOwner(
  tx: Tx,
  teamId: TeamId,
  addresses: readonly string[],
  userId: UserId | null,
): Promise<void> {
  if (userId === null) {
    await sql`delete from contacts.owners where team_id = ${teamId} and address = any(${addresses}::text[])`.execute(
      tx,
    );
    return;
  }
  await sql`
    insert into contacts.owners (team_id, address, user_id) select ${teamId}, unnest(${addresses}::text[]), ${userId}
    order by 2 on conflict (team_id, address) do update set user_id = excluded.user_id`.execute(tx);
}

/** Ends the ownerships of a member who left. */
export async function deleteOwner(tx: Tx, teamId: TeamId, userId: UserId): Promise<void> {
  await sql`delete from contacts.owners where team_id = ${teamId} and user_id = ${userId}`.execute(tx);
}
