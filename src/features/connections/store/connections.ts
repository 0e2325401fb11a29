import { sql } from 'kysely';
import type { ConnectionId, UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { Database, Tx } from '#platform/db.ts';

export type ConnectionStatus = 'active' | 'error' | 'needs-reconnect' | 'disconnecting';

/** An account at a provider, with its credential still sealed. */
export interface Connection {
  id: ConnectionId;
  userId: UserId;
  provider: string;
  profile: string;
  label: string;
  baseUrl: string;
  username: string;
  secret: string;
  addresses: string[];
  status: ConnectionStatus;
  statusCode: string | null;
  statusMessage: string | null;
  updatedAt: Temporal.Instant;
}

const columns = sql`id, user_id as "userId", provider, profile, label, base_url as "baseUrl", username, secret, addresses,
  status, status_code as "statusCode", status_message as "statusMessage", updated_at as "updatedAt"`;

export async function listConnections(db: Database, userId: UserId): Promise<Connection[]> {
  const { rows } = await sql<Connection>`
    select ${columns} from connections.connections where user_id = ${userId} order by created_at, id`.execute(db);
  return rows;
}

export async function findConnection(db: Database, actor: Actor, id: string): Promise<Connection | null> {
  const { rows } = await sql<Connection>`
    select ${columns} from connections.connections where id = ${id} and user_id = ${actor.userId}`.execute(db);
  return rows[0] ?? null;
}

/** For the engine, which works for everybody. */
export async function findConnectionById(db: Database, id: ConnectionId): Promise<Connection | null> {
  const { rows } = await sql<Connection>`
    select ${columns} from connections.connections where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Accounts of providers that send notices, as far as they can be talked to. */
export async function listPushing(db: Database, providers: readonly string[]): Promise<ConnectionId[]> {
  const { rows } = await sql<{ id: ConnectionId }>`
    select id from connections.connections
    where provider = any(${providers}::text[]) and status in ('active', 'error')`.execute(db);
  return rows.map((row) => row.id);
}

/** Accounts that work and whose calendars were not asked for since a day, a few at a time. */
export async function listUnlisted(db: Database, limit: number): Promise<ConnectionId[]> {
  const { rows } = await sql<{ id: ConnectionId }>`
    select id from connections.connections
    where status in ('active', 'error') and listed_at < now() - interval '1 day'
    order by listed_at limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

export async function insertConnection(
  tx: Tx,
  row: Pick<
    Connection,
    'userId' | 'provider' | 'profile' | 'label' | 'baseUrl' | 'username' | 'secret' | 'addresses'
  > & {
    id: string;
  },
): Promise<void> {
  await sql`
    insert into connections.connections (id, user_id, provider, profile, label, base_url, username, secret, addresses)
    values (${row.id}, ${row.userId}, ${row.provider}, ${row.profile}, ${row.label}, ${row.baseUrl}, ${row.username},
      ${row.secret}, ${row.addresses}::text[])`.execute(tx);
}

/** A new credential; the account works again until it is seen not to. */
export async function updateSecret(tx: Tx, id: ConnectionId, secret: string): Promise<void> {
  await sql`
    update connections.connections set secret = ${secret}, status = 'active', status_code = null, status_message = null,
      updated_at = now()
    where id = ${id} and status <> 'disconnecting'`.execute(tx);
}

/** True if this changed the status; an account that is leaving keeps leaving. */
export async function updateStatus(
  db: Database,
  id: ConnectionId,
  status: ConnectionStatus,
  reason: { code: string; message: string } | null,
): Promise<boolean> {
  const { rows } = await sql`
    update connections.connections set status = ${status}, status_code = ${reason?.code ?? null},
      status_message = ${reason?.message ?? null}, updated_at = now()
    where id = ${id} and status <> 'disconnecting'
      and (status, coalesce(status_code, '')) is distinct from (${status}::text, ${reason?.code ?? ''}::text)
    returning id`.execute(db);
  return rows.length > 0;
}

export async function deleteConnection(tx: Tx, id: ConnectionId): Promise<void> {
  await sql`delete from connections.connections where id = ${id}`.execute(tx);
}

/** This install's mirror secret, sealed; the first process to need it writes it. */
export async function findOrInsertMirrorSecret(db: Database, sealedCandidate: string): Promise<string> {
  await sql`
    insert into connections.install (mirror_secret) values (${sealedCandidate}) on conflict do nothing`.execute(db);
  const { rows } = await sql<{ secret: string }>`select mirror_secret as secret from connections.install`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the install row is missing');
  return row.secret;
}
