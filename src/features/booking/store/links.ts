import { type Expression, sql } from 'kysely';
import type { BookingLinkId, CalendarId, ConnectionId, EventTypeId, TeamId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

export interface BookingLink {
  id: BookingLinkId;
  /** Null of what a form made. */
  userId: UserId | null;
  eventTypeId: EventTypeId;
  kind: 'private' | 'account' | 'calendar' | 'times' | 'routed';
  label: string;
  /** Sealed. */
  token: string;
  connectionId: ConnectionId | null;
  calendarId: CalendarId | null;
  starts: number[] | null;
  durationMinutes: number | null;
  usesLeft: number | null;
  expiresMs: number | null;
  createdMs: number;
  /** Routed: of the hosts only these; null: all. */
  hostIds: UserId[] | null;
  /** Routed: who looks after the guest gets it first. */
  ownerFirst: boolean;
}

const columns = sql`id, user_id as "userId", event_type_id as "eventTypeId", kind, label, token,
  connection_id as "connectionId", calendar_id as "calendarId", starts, duration_minutes as "durationMinutes",
  uses_left as "usesLeft", (extract(epoch from expires_at) * 1000)::bigint as "expiresMs",
  (extract(epoch from created_at) * 1000)::bigint as "createdMs", host_ids as "hostIds", owner_first as "ownerFirst"`;

/** Epoch ms fit a number; the driver gives arrays of int8 as text. */
const readRow = (row: BookingLink): BookingLink => ({ ...row, starts: row.starts?.map(Number) ?? null });

/** As it is, used up or expired too. */
export async function findLink(db: Database, tokenHash: Buffer): Promise<BookingLink | null> {
  const { rows } = await sql<BookingLink>`
    select ${columns} from booking.links where token_hash = ${tokenHash}`.execute(db);
  return rows.map(readRow)[0] ?? null;
}

/** Uses a link once; returns false if it has no use left or has expired. Runs in the booking's transaction. */
export async function spendLink(tx: Tx, id: BookingLinkId, nowMs: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update booking.links set uses_left = uses_left - 1
    where id = ${id} and (uses_left is null or uses_left > 0)
      and (expires_at is null or expires_at > to_timestamp(${nowMs}::float8 / 1000))`.execute(tx);
  return numAffectedRows === 1n;
}

/** Conditions under which the link `k` leads to something that can be booked. */
export const isUsable = (nowMs: number) => sql`
  (k.uses_left is null or k.uses_left > 0) and (k.expires_at is null or k.expires_at > to_timestamp(${nowMs}::float8 / 1000))
  and (k.starts is null or (select max(s) from unnest(k.starts) as s) > ${nowMs})
  and k.event_type_id in (select id from booking.event_types where deleted_at is null)`;

/** The sealed token of a link that can be used; null for any other. */
export async function findUsableToken(db: Database, id: BookingLinkId, nowMs: number): Promise<string | null> {
  const { rows } = await sql<{ token: string }>`
    select k.token from booking.links k where k.id = ${id} and ${isUsable(nowMs)}`.execute(db);
  return rows[0]?.token ?? null;
}

/** Newest first; those of deleted event types are left out. */
export async function listLinks(db: Database, userId: UserId, eventTypeId: EventTypeId | null): Promise<OwnLink[]> {
  const { rows } = await sql<OwnLink>`
    select ${columns} from booking.links
    where user_id = ${userId} and (${eventTypeId}::uuid is null or event_type_id = ${eventTypeId})
      and event_type_id in (select id from booking.event_types where deleted_at is null)
    order by created_at desc, id`.execute(db);
  return rows.map(readRow) as OwnLink[];
}

/** The links of an event type that can be handed on, by any maker, newest first; not those into somebody's own calendars. */
export async function listLinksOfType(db: Database, eventTypeId: EventTypeId): Promise<OwnLink[]> {
  const { rows } = await sql<OwnLink>`
    select ${columns} from booking.links where event_type_id = ${eventTypeId} and kind in ('private', 'times')
    order by created_at desc, id`.execute(db);
  return rows.map(readRow) as OwnLink[];
}

/** Gives the owner of a team the links that another member made there. Links into the maker's own calendars end. */
export async function passOnLinks(
  tx: Tx,
  teamId: TeamId,
  { from, to }: { from: UserId; to: Expression<UserId | null> },
): Promise<void> {
  const ofTeam = sql`user_id = ${from} and event_type_id in (select id from booking.event_types where team_id = ${teamId})`;
  await sql`delete from booking.links where ${ofTeam} and kind in ('account', 'calendar')`.execute(tx);
  await sql`
    update booking.links set user_id = owner from (select ${to} as owner) o
    where ${ofTeam} and kind in ('private', 'times') and owner is not null`.execute(tx);
}

/** Titles of the event types behind a person's links. */
export async function listTitlesOfLinked(db: Database, userId: UserId): Promise<Map<EventTypeId, string>> {
  const { rows } = await sql<{ id: EventTypeId; title: string }>`
    select id, title from booking.event_types
    where id in (select event_type_id from booking.links where user_id = ${userId})`.execute(db);
  return new Map(rows.map(({ id, title }) => [id, title]));
}

/** A link that a person makes. */
export type OwnLink = BookingLink & { userId: UserId; kind: Exclude<BookingLink['kind'], 'routed'> };
export type NewLink = Omit<OwnLink, 'createdMs' | 'hostIds' | 'ownerFirst'>;

/** An account and a calendar have one link, which leads to another event type then; its address stays. */
export async function keepLink(tx: Tx, link: NewLink, tokenHash: Buffer): Promise<OwnLink> {
  const { rows } = await sql<OwnLink>`
    insert into booking.links as l (id, user_id, event_type_id, kind, label, token_hash, token, connection_id,
      calendar_id, starts, duration_minutes, uses_left, expires_at)
    values (${link.id}, ${link.userId}, ${link.eventTypeId}, ${link.kind}, ${link.label}, ${tokenHash}, ${link.token},
      ${link.connectionId}, ${link.calendarId}, ${link.starts}::bigint[], ${link.durationMinutes}, ${link.usesLeft},
      to_timestamp(${link.expiresMs}::float8 / 1000))
    ${onePer(link.kind)}
    returning ${columns}`.execute(tx);
  return readRow(rows[0] as OwnLink) as OwnLink;
}

function onePer(kind: OwnLink['kind']) {
  const leadsOn = sql`do update set event_type_id = excluded.event_type_id`;
  if (kind === 'account') return sql`on conflict (connection_id) where kind = 'account' ${leadsOn}`;
  if (kind === 'calendar') return sql`on conflict (calendar_id) where kind = 'calendar' ${leadsOn}`;
  return sql``;
}

/** Finds the link of an account or a calendar. */
export async function findLinkOf(
  db: Database,
  place: { connectionId: ConnectionId } | { calendarId: CalendarId },
): Promise<OwnLink | null> {
  const here =
    'connectionId' in place
      ? sql`kind = 'account' and connection_id = ${place.connectionId}`
      : sql`kind = 'calendar' and calendar_id = ${place.calendarId}`;
  const { rows } = await sql<OwnLink>`select ${columns} from booking.links where ${here}`.execute(db);
  return (rows.map(readRow)[0] as OwnLink | undefined) ?? null;
}

export async function countLinks(db: Database, userId: UserId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from booking.links where user_id = ${userId}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** False where neither this person nor one of these teams has such a link. */
export async function deleteLink(
  tx: Tx,
  userId: UserId,
  teamIds: readonly TeamId[],
  id: BookingLinkId,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from booking.links where id = ${id} and (user_id = ${userId} or kind in ('private', 'times')
      and event_type_id in (select id from booking.event_types where team_id = any(${teamIds}::uuid[])))`.execute(tx);
  return numAffectedRows === 1n;
}

/** Deletes links that have been unusable for 30 days: used up, expired, or with their last start past. */
export async function deleteSpentLinks(db: Database, nowMs: number): Promise<void> {
  const longAgoMs = nowMs - 30 * 86_400_000;
  await sql`
    delete from booking.links
    where kind in ('private', 'times') and (
      (uses_left = 0 and created_at < to_timestamp(${longAgoMs}::float8 / 1000))
      or expires_at < to_timestamp(${longAgoMs}::float8 / 1000)
      or (select max(s) from unnest(starts) as s) < ${longAgoMs})`.execute(db);
}
