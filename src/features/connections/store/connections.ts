import { sql } from 'kysely';
import type { CalendarId, ConnectionId, UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { Database, Tx } from '#platform/db.ts';
import { type Reading, reading } from '#platform/reading.ts';

/** `suspended` is its person, not the account: it goes on as what it was. */
export type ConnectionStatus = 'active' | 'error' | 'needs-reconnect' | 'disconnecting' | 'suspended';

/** disconnecting takes precedence over a suspension */
const statusNow = sql`case when suspended and status <> 'disconnecting' then 'suspended' else status end`;

/** An account at a provider, with its credential still sealed. */
export interface Connection {
  id: ConnectionId;
  userId: UserId;
  provider: string;
  profile: string;
  label: string;
  /** Null where the provider's own address is meant: an account that signed in by OAuth. */
  baseUrl: string | null;
  username: string | null;
  secret: string | null;
  /** Issuer and subject of an account that signed in by OAuth. */
  subject: string | null;
  /** Counts the times its person granted access. */
  grantNo: number;
  addresses: string[];
  status: ConnectionStatus;
  statusCode: string | null;
  statusMessage: string | null;
  updatedAt: Temporal.Instant;
}

const columns = sql`id, user_id as "userId", provider, profile, label, base_url as "baseUrl", username, secret, subject,
  grant_no as "grantNo", addresses, ${statusNow} as status, status_code as "statusCode", status_message as "statusMessage", updated_at as "updatedAt"`;

const connectionsOf = (userIds: readonly UserId[]) => sql<Connection>`
  select ${columns} from connections.connections where user_id = any(${userIds}::uuid[]) order by created_at, id`;

/** The accounts of one person, or of several in one query. */
export async function listConnections(db: Database, of: UserId | readonly UserId[]): Promise<Connection[]> {
  return (await connectionsOf([of].flat()).execute(db)).rows;
}

/** Query of the same rows, to combine with others. */
export const connectionsReading = (userId: UserId): Reading<Connection[]> =>
  reading(connectionsOf([userId]), (rows) =>
    rows.map((row) => ({ ...row, updatedAt: Temporal.Instant.from(String(row.updatedAt)) })),
  );

/** Every address of these people's accounts, in lower case. */
export async function listAddressesOf(db: Database, userIds: readonly UserId[]): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select distinct lower(a.address) as address
    from connections.connections c cross join lateral unnest(c.addresses || c.username || c.label) as a(address)
    where c.user_id = any(${userIds}::uuid[]) and a.address like '%@%'`.execute(db);
  return rows.map(({ address }) => address);
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

/** The account that a calendar belongs to, also for who does not know the calendar yet. */
export async function findConnectionOf(db: Database, calendarId: CalendarId): Promise<Connection | null> {
  const { rows } = await sql<Connection>`
    select ${columns} from connections.connections
    where id = (select connection_id from connections.calendars where id = ${calendarId})`.execute(db);
  return rows[0] ?? null;
}

/** Accounts of providers that send notices, as far as they can be talked to. */
export async function listPushing(db: Database, providers: readonly string[]): Promise<ConnectionId[]> {
  const { rows } = await sql<{ id: ConnectionId }>`
    select id from connections.connections
    where provider = any(${providers}::text[]) and status in ('active', 'error') and not suspended`.execute(db);
  return rows.map((row) => row.id);
}

/** Accounts that work and whose calendars were not asked for since a day, a few at a time. */
export async function listUnlisted(db: Database, limit: number): Promise<ConnectionId[]> {
  const { rows } = await sql<{ id: ConnectionId }>`
    select id from connections.connections
    where status in ('active', 'error') and not suspended and coalesce(listed_at, '-infinity') < now() - interval '1 day'
    order by listed_at nulls first limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

export async function insertConnection(
  tx: Tx,
  row: Pick<
    Connection,
    'userId' | 'provider' | 'profile' | 'label' | 'baseUrl' | 'username' | 'secret' | 'subject' | 'addresses'
  > & {
    id: string;
  },
): Promise<void> {
  await sql`
    insert into connections.connections (id, user_id, provider, profile, label, base_url, username, secret, subject, addresses)
    values (${row.id}, ${row.userId}, ${row.provider}, ${row.profile}, ${row.label}, ${row.baseUrl}, ${row.username},
      ${row.secret}, ${row.subject}, ${row.addresses}::text[])`.execute(tx);
}

/** The account of this person with this identity; held until the transaction ends, so that it is connected once. */
export async function findBySubject(
  tx: Tx,
  account: { userId: UserId; provider: string; profile: string; subject: string },
): Promise<Connection | null> {
  const { rows } = await sql<Connection>`
    select ${columns} from connections.connections
    where user_id = ${account.userId} and provider = ${account.provider} and profile = ${account.profile}
      and subject = ${account.subject}
    for update`.execute(tx);
  return rows[0] ?? null;
}

/** Updates an account after a new grant; it counts as working until a failure. */
export async function updateIdentity(
  tx: Tx,
  id: ConnectionId,
  identity: { label: string; addresses: string[] },
): Promise<void> {
  await sql`
    update connections.connections set label = ${identity.label}, addresses = ${identity.addresses}::text[],
      grant_no = grant_no + 1, status = 'active', status_code = null, status_message = null, updated_at = now()
    where id = ${id} and status <> 'disconnecting'`.execute(tx);
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

/** Returns this install's mirror secret, sealed; the first process to need it writes it. */
export async function findOrInsertMirrorSecret(db: Database, sealedCandidate: string): Promise<string> {
  await sql`
    insert into connections.install (mirror_secret) values (${sealedCandidate}) on conflict do nothing`.execute(db);
  const { rows } = await sql<{ secret: string }>`select mirror_secret as secret from connections.install`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the install row is missing');
  return row.secret;
}

/** An account that has not worked for too long to recover on its own. */
export interface UnwellConnection {
  userId: UserId;
  id: ConnectionId;
  label: string;
  /** The reason: a new sign-in is needed, or it has not been read for long. */
  kind: 'reconnect' | 'stopped';
  message: string | null;
}

/** Accounts with lasting problems. Problems that end within minutes are left out. */
export async function listUnwell(db: Database): Promise<UnwellConnection[]> {
  const { rows } = await sql<UnwellConnection>`
    select user_id as "userId", id, label, 'reconnect' as kind, status_message as message
    from connections.connections where status = 'needs-reconnect' and not suspended
      and updated_at < now() - interval '5 minutes'
    union all
    select c.user_id, c.id, c.label, 'stopped', k.message
    from connections.connections c join lateral (
      select error_message as message from connections.calendars
      where connection_id = c.id and removed_at is null and failures >= 3
        and coalesce(last_synced_at, created_at) < now() - interval '1 hour'
      order by last_synced_at nulls first limit 1) k on true
    where c.status in ('active', 'error') and not c.suspended`.execute(db);
  return rows;
}

/** Accounts of a kind in the order of their ids, or just the one. */
export async function listAccountsOfKind(
  db: Database,
  { provider, profile }: { provider: string; profile: string },
  { only, after, limit }: { only: ConnectionId | null; after: ConnectionId | null; limit: number },
): Promise<ConnectionId[]> {
  const { rows } = await sql<{ id: ConnectionId }>`
    select id from connections.connections
    where provider = ${provider} and profile = ${profile} and status <> 'disconnecting'
      and (${only}::uuid is null or id = ${only}) and (${after}::uuid is null or id > ${after})
    order by id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

interface WorstAccount {
  accountId: ConnectionId;
  provider: string;
  profile: string;
  label: string;
  /** Calendars of the account that cannot be read. */
  calendars: number;
  /** In a row, of the worst of them. */
  failures: number;
  code: string | null;
  needsReconnect: boolean;
  lastSyncedAt: number | null;
}

/** Accounts whose calendars cannot be read, those with most failures in a row first; looks at so many calendars. */
export async function listWorstAccounts(db: Database, calendars: number): Promise<WorstAccount[]> {
  const { rows } = await sql<WorstAccount>`
    select c.id as "accountId", c.provider, c.profile, c.label, count(*) as calendars, max(k.failures) as failures,
      (array_agg(k.error_code order by k.failures desc))[1] as code, c.status = 'needs-reconnect' as "needsReconnect",
      floor(extract(epoch from max(k.last_synced_at)) * 1000)::float8 as "lastSyncedAt"
    from (select * from connections.calendars where failures > 0 order by failures desc limit ${calendars}) k
      join connections.connections c on c.id = k.connection_id
    where k.removed_at is null and c.status <> 'disconnecting'
    group by c.id order by max(k.failures) desc, c.id`.execute(db);
  return rows;
}

/** All that somebody has connected rests, or no longer. */
export async function setSuspended(tx: Tx, userId: UserId, suspended: boolean): Promise<ConnectionId[]> {
  const { rows } = await sql<{ id: ConnectionId }>`
    update connections.connections set suspended = ${suspended} where user_id = ${userId} returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Which providers each of these people has connected, every one once. */
export async function listProvidersOf(db: Database, userIds: readonly UserId[]): Promise<Map<UserId, string[]>> {
  const { rows } = await sql<{ userId: UserId; providers: string[] }>`
    select user_id as "userId", array_agg(distinct case when profile in ('icloud', 'zoho') then profile else provider end)
      as providers
    from connections.connections where user_id = any(${userIds}::uuid[]) and status <> 'disconnecting'
    group by user_id`.execute(db);
  return new Map(rows.map(({ userId, providers }) => [userId, providers]));
}
