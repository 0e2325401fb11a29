import { sql } from 'kysely';
import type { CalendarId, ChannelId, ConnectionId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

export interface Channel {
  id: ChannelId;
  calendarId: CalendarId;
  connectionId: ConnectionId;
  state: 'opening' | 'live' | 'closing';
  /** The provider's names of it; null until it has answered. */
  ref: string | null;
  resource: string | null;
  openedMs: number;
  renewMs: number | null;
  expiresMs: number | null;
}

const columns = sql`id, calendar_id as "calendarId", connection_id as "connectionId", state, ref, resource,
  (extract(epoch from opened_at) * 1000)::bigint as "openedMs",
  (extract(epoch from renew_at) * 1000)::bigint as "renewMs",
  (extract(epoch from expires_at) * 1000)::bigint as "expiresMs"`;

export async function listChannels(db: Database, connectionId: ConnectionId): Promise<Channel[]> {
  const { rows } = await sql<Channel>`
    select ${columns} from sync.channels where connection_id = ${connectionId} order by opened_at, id`.execute(db);
  return rows;
}

/** Calendars of an account that are read, and since when a channel may be asked for. */
export async function listWatchable(
  db: Database,
  connectionId: ConnectionId,
): Promise<{ calendarId: CalendarId; afterMs: number }[]> {
  const { rows } = await sql<{ calendarId: CalendarId; afterMs: number }>`
    select calendar_id as "calendarId", (extract(epoch from push_after) * 1000)::bigint as "afterMs"
    from sync.pulls where connection_id = ${connectionId} order by calendar_id`.execute(db);
  return rows;
}

/** Returns the given accounts that have a calendar without a channel, or a channel that needs work. */
export async function listChannelWork(
  db: Database,
  connectionIds: ConnectionId[],
  nowMs: number,
): Promise<ConnectionId[]> {
  const now = sql`to_timestamp(${nowMs / 1000})`;
  const { rows } = await sql<{ id: ConnectionId }>`
    select connection_id as id from sync.pulls p
    where connection_id = any(${connectionIds}::uuid[]) and push_after <= ${now}
      and not exists (select from sync.channels c where c.calendar_id = p.calendar_id
        and c.state = 'live' and c.renew_at > ${now})
    union
    select connection_id from sync.channels
    where connection_id = any(${connectionIds}::uuid[]) and (state <> 'live' or renew_at <= ${now})`.execute(db);
  return rows.map((row) => row.id);
}

/** The intent: from here on its deliveries are known. */
export async function insertChannel(
  db: Database,
  row: Pick<Channel, 'id' | 'calendarId' | 'connectionId' | 'openedMs'> & { secretHash: Buffer },
): Promise<void> {
  await sql`
    insert into sync.channels (id, calendar_id, connection_id, state, secret_hash, opened_at)
    values (${row.id}, ${row.calendarId}, ${row.connectionId}, 'opening', ${row.secretHash},
      to_timestamp(${row.openedMs / 1000}))`.execute(db);
}

/** The provider's answer to opening or renewing. */
export async function keepChannel(
  db: Database,
  id: ChannelId,
  answer: { ref: string; resource: string; openedMs: number; renewMs: number; expiresMs: number },
): Promise<void> {
  await sql`
    update sync.channels set state = case when state = 'closing' then state else 'live' end, ref = ${answer.ref},
      resource = ${answer.resource}, opened_at = to_timestamp(${answer.openedMs / 1000}),
      renew_at = to_timestamp(${answer.renewMs / 1000}), expires_at = to_timestamp(${answer.expiresMs / 1000})
    where id = ${id}`.execute(db);
}

/** Deletes channels that their provider no longer has. */
export async function forgetChannels(db: Database, ids: ChannelId[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`delete from sync.channels where id = any(${ids}::uuid[])`.execute(db);
}

/**
 * Schedules a renewal as soon as possible; channels that were just renewed are skipped, however often their provider
 * asks.
 */
export async function renewSoon(db: Database, ids: ChannelId[], openedBeforeMs: number): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update sync.channels set renew_at = 'epoch'
    where id = any(${ids}::uuid[]) and opened_at < to_timestamp(${openedBeforeMs / 1000})`.execute(db);
}

/** No channel is asked for before then. */
export async function deferChannel(db: Database, calendarId: CalendarId, afterMs: number): Promise<void> {
  await sql`
    update sync.pulls set push_after = to_timestamp(${afterMs / 1000}) where calendar_id = ${calendarId}`.execute(db);
}

export interface NoticedChannel {
  id: ChannelId;
  calendarId: CalendarId;
  connectionId: ConnectionId;
  secretHash: Buffer;
}

export async function findChannels(db: Database, ids: string[]): Promise<NoticedChannel[]> {
  const { rows } = await sql<NoticedChannel>`
    select id, calendar_id as "calendarId", connection_id as "connectionId", secret_hash as "secretHash"
    from sync.channels where id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

export async function touchChannels(db: Database, ids: ChannelId[], nowMs: number): Promise<void> {
  await sql`
    update sync.channels set noticed_at = to_timestamp(${nowMs / 1000}) where id = any(${ids}::uuid[])`.execute(db);
}
