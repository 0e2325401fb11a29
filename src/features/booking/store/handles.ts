import { sql } from 'kysely';
import type { EventTypeId, TeamId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { Expression } from '#platform/reading.ts';

/** Owner of a handle: all share one namespace. */
export type OwnerId = UserId | TeamId;

/** One of the two is the owner. */
export interface FoundHandle {
  userId: UserId | null;
  teamId: TeamId | null;
  handle: string;
}

/** Finds the owner of a current or recent handle, and the handle in use now. */
export async function findHandle(db: Database, handle: string): Promise<FoundHandle | null> {
  const { rows } = await sql<FoundHandle>`
    select n.user_id as "userId", n.team_id as "teamId", n.handle
    from booking.handles h join booking.handles n on n.owner_id = h.owner_id and n.free_at is null
    where h.handle = ${handle} and (h.free_at is null or h.free_at > now())`.execute(db);
  return rows[0] ?? null;
}

/** Which person's handle this is, as an expression for others' queries. */
export function ownerOf(handle: string): Expression<UserId> {
  return sql<UserId>`(select user_id from booking.handles where handle = ${handle} and (free_at is null or free_at > now()))`;
}

/** The handle in use. */
export async function findHandleOf(db: Database, ownerId: OwnerId): Promise<string | null> {
  const { rows } = await sql<{ handle: string }>`
    select handle from booking.handles where owner_id = ${ownerId} and free_at is null`.execute(db);
  return rows[0]?.handle ?? null;
}

/** The handle at which an event type is, its person's or its team's. */
export async function findHandleOfType(db: Database, id: EventTypeId): Promise<string | null> {
  const { rows } = await sql<{ handle: string }>`
    select h.handle from booking.event_types t
      join booking.handles h on h.owner_id = t.owner_id and h.free_at is null
    where t.id = ${id}`.execute(db);
  return rows[0]?.handle ?? null;
}

/** The handles in use of teams. */
export async function listTeamHandles(db: Database, teamIds: readonly TeamId[]): Promise<Map<TeamId, string>> {
  const { rows } = await sql<{ teamId: TeamId; handle: string }>`
    select team_id as "teamId", handle from booking.handles
    where team_id = any(${teamIds}::uuid[]) and free_at is null`.execute(db);
  return new Map(rows.map(({ teamId, handle }) => [teamId, handle]));
}

export interface RestingHandle {
  handle: string;
  freeMs: number;
}

/** Lists the owner's former handles that still redirect, the latest first. */
export async function listResting(db: Database, ownerId: OwnerId): Promise<RestingHandle[]> {
  const { rows } = await sql<RestingHandle>`
    select handle, (extract(epoch from free_at) * 1000)::bigint as "freeMs"
    from booking.handles where owner_id = ${ownerId} and free_at > now() order by free_at desc`.execute(db);
  return rows;
}

/** Whom these looks belong to, as hex of their hashes; null for a deleted member. Looks that are free are left out. */
export async function listTakenLooks(db: Database, looks: Buffer[]): Promise<Map<string, OwnerId | null>> {
  const { rows } = await sql<{ look: string; ownerId: OwnerId | null }>`
    select encode(look, 'hex') as look, owner_id as "ownerId" from booking.handles
    where look = any(select decode(h, 'hex') from unnest(${looks.map((look) => look.toString('hex'))}::text[]) as h)
      and (free_at is null or free_at > now())`.execute(db);
  return new Map(rows.map(({ look, ownerId }) => [look, ownerId]));
}

/** Gives up the one in use, for so many days. */
export async function restHandle(tx: Tx, ownerId: OwnerId, days: number): Promise<void> {
  await sql`
    update booking.handles set free_at = now() + make_interval(days => ${days})
    where owner_id = ${ownerId} and free_at is null`.execute(tx);
}

/** False where it is somebody else's. Their own one of this look, and one that is free by now, make room. */
export async function insertHandle(
  tx: Tx,
  owner: { userId: UserId } | { teamId: TeamId },
  handle: string,
  look: Buffer,
): Promise<boolean> {
  const [userId, teamId] = 'userId' in owner ? [owner.userId, null] : [null, owner.teamId];
  await sql`
    delete from booking.handles
    where look = ${look} and (owner_id = ${userId ?? teamId} or free_at <= now())`.execute(tx);
  const { numAffectedRows } = await sql`
    insert into booking.handles (look, handle, user_id, team_id) values (${look}, ${handle}, ${userId}, ${teamId})
    on conflict do nothing`.execute(tx);
  return numAffectedRows === 1n;
}
