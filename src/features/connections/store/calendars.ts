import { sql } from 'kysely';
import type { CalendarId, ConnectionId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import { type Reading, reading } from '#platform/reading.ts';
import type { Conference, RemoteCalendar } from '#providers/port.ts';

export interface Calendar {
  id: CalendarId;
  connectionId: ConnectionId;
  userId: UserId;
  ref: string;
  name: string;
  color: string;
  zone: string;
  /** The zone is the calendar's own; else it is that of its owner. */
  zoneNamed: boolean;
  writable: boolean;
  isPrimary: boolean;
  includeInUnified: boolean;
  visible: boolean;
  removed: boolean;
  /** When its events leave, as its account no longer lists it; null while it is listed. */
  leavesMs: number | null;
  /** They have left. */
  left: boolean;
  /** Its events take time: it takes part, and is listed or was until a few hours ago. */
  counts: boolean;
  lastSyncedMs: number | null;
  failures: number;
  errorCode: string | null;
  errorMessage: string | null;
  /** Why it takes no writes, though it can be read; null until it refuses one, and after one that it took. */
  writeErrorCode: string | null;
  writeErrorMessage: string | null;
  /** Whether its provider sends notices of changes. */
  pushLive: boolean;
  /** As `RemoteCalendar`; null: its provider does not tell. */
  conferences: Conference[] | null;
  /** Warnings of its last reading about the whole calendar. */
  warnings: string[];
}

const columns = sql`id, connection_id as "connectionId", user_id as "userId", ref, name, color, zone,
  zone_named as "zoneNamed", writable, is_primary as "isPrimary", include_in_unified as "includeInUnified", visible, removed_at is not null as removed,
  (extract(epoch from leaves_at) * 1000)::bigint as "leavesMs", coalesce(leaves_at < now(), false) as left,
  id not in (select u.id from connections.uncounted u where u.user_id = calendars.user_id) as counts,
  (extract(epoch from last_synced_at) * 1000)::bigint as "lastSyncedMs", failures, error_code as "errorCode",
  error_message as "errorMessage", write_error_code as "writeErrorCode", write_error_message as "writeErrorMessage",
  push_live as "pushLive", conferences, warnings`;

const calendarsOf = (userIds: readonly UserId[]) => sql<Calendar>`
  select ${columns} from connections.calendars where user_id = any(${userIds}::uuid[])
  order by created_at, is_primary desc, name, id`;

/** The calendars of one person, or of several in one query. */
export async function listCalendars(db: Database, of: UserId | readonly UserId[]): Promise<Calendar[]> {
  return (await calendarsOf([of].flat()).execute(db)).rows;
}

/** Query of the same rows, to combine with others. */
export const calendarsReading = (userId: UserId): Reading<Calendar[]> => reading(calendarsOf([userId]), (rows) => rows);

/** People with a calendar (among those given, or any) that was last read to its end before then, or never. */
export function unreadOwnersReading(
  userIds: readonly UserId[],
  { calendarIds, beforeMs }: { calendarIds: readonly CalendarId[] | null; beforeMs: number },
): Reading<UserId[]> {
  const query = sql<{ userId: UserId }>`
    select distinct user_id as "userId" from connections.calendars
    where user_id = any(${userIds}::uuid[]) and removed_at is null and include_in_unified
      and (${calendarIds}::uuid[] is null or id = any(${calendarIds}::uuid[]))
      and (last_synced_at is null or last_synced_at < to_timestamp(${beforeMs}::float8 / 1000))`;
  return reading(query, (rows) => rows.map(({ userId }) => userId));
}

/** Lists everybody who has a calendar here. */
export async function listOwners(db: Database): Promise<UserId[]> {
  const { rows } = await sql<{ userId: UserId }>`
    select distinct user_id as "userId" from connections.calendars`.execute(db);
  return rows.map(({ userId }) => userId);
}

export async function findCalendar(db: Database, id: CalendarId): Promise<Calendar | null> {
  const { rows } = await sql<Calendar>`select ${columns} from connections.calendars where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

const turnedReadOnly = {
  code: 'READ_ONLY',
  message:
    'Your account can only read this calendar now. Existing blocks are kept. Get write access again, or remove the calendar from its mirror group.',
};

/**
 * Brings the calendars of an account in line with what its provider lists. One that is no longer listed is marked, not
 * deleted: everything known of it stays until its account leaves. One that turns read-only says so, as if a write had
 * been refused.
 */
export async function writeCalendars(
  tx: Tx,
  connection: { id: string; userId: UserId },
  rows: (RemoteCalendar & { id: string; color: string; zone: string; zoneNamed: boolean })[],
): Promise<void> {
  await sql`
    insert into connections.calendars as c (id, connection_id, user_id, ref, name, color, zone, zone_named, writable, is_primary,
      conferences)
    select r.id, ${connection.id}, ${connection.userId}, r.ref, r.name, r.color, r.zone, r."zoneNamed", r.writable, r.primary,
      r.conferences
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
      id uuid, ref text, name text, color text, zone text, "zoneNamed" boolean, writable boolean, "primary" boolean, conferences text[])
    order by r.ref
    on conflict (connection_id, ref) do update set name = excluded.name, writable = excluded.writable,
      zone = case when excluded.zone_named then excluded.zone else c.zone end, zone_named = c.zone_named or excluded.zone_named,
      is_primary = excluded.is_primary, conferences = excluded.conferences, removed_at = null, leaves_at = null,
      write_error_code = case when c.writable = excluded.writable then c.write_error_code
        when not excluded.writable then ${turnedReadOnly.code} end,
      write_error_message = case when c.writable = excluded.writable then c.write_error_message
        when not excluded.writable then ${turnedReadOnly.message} end`.execute(tx);
  await sql`update connections.connections set listed_at = now() where id = ${connection.id}`.execute(tx);
  await sql`
    update connections.calendars set removed_at = now(), leaves_at = now() + interval '6 hours'
    where connection_id = ${connection.id} and removed_at is null
      and ref <> all(${rows.map((row) => row.ref)}::text[])`.execute(tx);
}

/** Calendars that their provider has not listed for longer than the grace, a page by id. */
export async function listForgotten(db: Database, page: { after: string; limit: number }): Promise<Calendar[]> {
  const { rows } = await sql<Calendar>`
    select ${columns} from connections.calendars
    where leaves_at < now() and id > ${page.after} order by id limit ${page.limit}`.execute(db);
  return rows;
}

/** Ends the grace of a calendar that is no longer listed. False where it is listed. */
export async function endGrace(tx: Tx, id: CalendarId): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update connections.calendars set leaves_at = least(leaves_at, now() - interval '1 second')
    where id = ${id} and removed_at is not null`.execute(tx);
  return Number(numAffectedRows) > 0;
}

export async function updateCalendar(
  db: Database,
  userId: UserId,
  id: string,
  patch: { includeInUnified?: boolean | undefined; visible?: boolean | undefined; color?: string | undefined },
): Promise<Calendar | null> {
  const { rows } = await sql<Calendar>`
    update connections.calendars set
      include_in_unified = coalesce(${patch.includeInUnified ?? null}, include_in_unified),
      visible = coalesce(${patch.visible ?? null}, visible),
      color = coalesce(${patch.color ?? null}, color)
    where id = ${id} and user_id = ${userId}
    returning ${columns}`.execute(db);
  return rows[0] ?? null;
}

/** A calendar was read to its end. */
export async function recordSuccess(
  db: Database,
  id: CalendarId,
  warnings: readonly string[] | null,
  moved: { zone: string; zoneNamed: boolean } | null = null,
): Promise<void> {
  await sql`
    update connections.calendars set last_synced_at = now(), failures = 0, error_code = null, error_message = null,
      warnings = coalesce(${warnings}::text[], warnings), zone = coalesce(${moved?.zone ?? null}, zone),
      zone_named = coalesce(${moved?.zoneNamed ?? null}::boolean, zone_named)
    where id = ${id}`.execute(db);
}

/** Calendars without a zone of their own follow their owner. */
export async function followOwner(tx: Tx, userId: UserId, zone: string): Promise<void> {
  await sql`
    update connections.calendars set zone = ${zone}
    where id in (
      select id from connections.calendars where user_id = ${userId} and not zone_named and zone <> ${zone}
      order by id for update)`.execute(tx);
}

/** A calendar could not be read; what we know of it stays. */
export async function recordFailure(
  db: Database,
  id: CalendarId,
  error: { code: string; message: string },
): Promise<void> {
  await sql`
    update connections.calendars set failures = failures + 1, error_code = ${error.code}, error_message = ${error.message}
    where id = ${id}`.execute(db);
}

/** Why a calendar takes no writes; null where it took one. True where that is news. */
export async function recordRefusal(
  db: Database,
  id: CalendarId,
  reason: { code: string; message: string } | null,
): Promise<boolean> {
  const { rows } = await sql`
    update connections.calendars set write_error_code = ${reason?.code ?? null},
      write_error_message = ${reason?.message ?? null}
    where id = ${id} and write_error_code is distinct from ${reason?.code ?? null} returning id`.execute(db);
  return rows.length > 0;
}

/** Which calendars of an account have a live push channel now; true where that is news. */
export async function recordPush(db: Database, connectionId: ConnectionId, live: CalendarId[]): Promise<boolean> {
  const { rows } = await sql`
    update connections.calendars set push_live = (id = any(${live}::uuid[]))
    where connection_id = ${connectionId} and push_live <> (id = any(${live}::uuid[])) returning id`.execute(db);
  return rows.length > 0;
}

/** Names of calendars, by their ids. */
export async function listCalendarNames(db: Database, ids: readonly CalendarId[]): Promise<Map<CalendarId, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: CalendarId; name: string }>`
    select id, name from connections.calendars where id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
