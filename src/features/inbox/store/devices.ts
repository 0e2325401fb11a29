import { sql } from 'kysely';
import type { SessionId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

export interface Device {
  id: string;
  sessionId: SessionId;
  host: string;
  userAgent: string | null;
  createdMs: number;
}

export async function listDevices(db: Database, userId: UserId): Promise<Device[]> {
  const { rows } = await sql<Device>`
    select id, session_id as "sessionId", host, user_agent as "userAgent",
      floor(extract(epoch from created_at) * 1000)::float8 as "createdMs"
    from inbox.devices where user_id = ${userId} order by created_at desc, id`.execute(db);
  return rows;
}

export interface NewDevice {
  id: string;
  userId: UserId;
  sessionId: SessionId;
  /** Sealed. */
  subscription: string;
  endpointHash: Buffer;
  host: string;
  userAgent: string | null;
}

/** As this migration has it too. */
export const mostDevices = 10;

/**
 * In the place of what the session had, and of whoever had it on in the same browser before; with the person's row locked.
 * False where they have no room for another.
 */
export async function replaceDevice(tx: Tx, device: NewDevice): Promise<boolean> {
  const { id, userId, sessionId, subscription, endpointHash, host, userAgent } = device;
  await sql`delete from inbox.devices where session_id = ${sessionId} or endpoint_hash = ${endpointHash}`.execute(tx);
  const { numAffectedRows } = await sql`
    insert into inbox.devices (id, user_id, session_id, slot, subscription, endpoint_hash, host, user_agent)
    select ${id}, ${userId}, ${sessionId}, min(slot), ${subscription}, ${endpointHash}, ${host}, ${userAgent}
    from generate_series(1, ${sql.lit(mostDevices)}) slot
    where not exists (select from inbox.devices d where d.user_id = ${userId} and d.slot = slot.slot)
    having min(slot) is not null`.execute(tx);
  return numAffectedRows === 1n;
}

export async function deleteDevice(db: Database, userId: UserId, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from inbox.devices where id = ${id} and user_id = ${userId}`.execute(db);
  return numAffectedRows === 1n;
}

/** People with a device for whom nobody has looked for so long, those who waited longest first; from now on somebody has. */
export async function claimUnlooked(db: Database, seconds: number, limit: number): Promise<UserId[]> {
  const { rows } = await sql<{ userId: UserId }>`
    with due as materialized (
      select id from inbox.devices where looked_at < now() - make_interval(secs => ${seconds})
      order by looked_at limit ${limit} for update skip locked)
    update inbox.devices d set looked_at = now() from due where d.id = due.id
    returning d.user_id as "userId"`.execute(db);
  return [...new Set(rows.map(({ userId }) => userId))];
}
