import { sql } from 'kysely';
import type { BookingId, EventTypeId, TeamId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { Expression } from '#platform/reading.ts';
import type { BookingActor, BookingChange } from '../rules/booking-states.ts';
import type { KnownVersion } from '../rules/who-is-told.ts';
import type { Appointment } from './appointments.ts';
import { type Booking, bookingColumns } from './bookings.ts';
import { isUsable } from './links.ts';

export type FactRow = Booking &
  Pick<Appointment, 'hostIds' | 'title' | 'startMs' | 'endMs' | 'location' | 'joinUrl'> & {
    /** Slug of the current event type; null if it is deleted or secret. */
    slug: string | null;
    handle: string | null;
    /** Sealed, of the link that its guest booked by, while that can be used. */
    linkToken: string | null;
    /** The latest change. */
    last: { what: BookingChange; actor: BookingActor; details: Record<string, unknown> } | null;
    /** The version that its people were last told of. */
    told: KnownVersion | null;
    /** Whether it is the first of bookings that were made together. */
    isFirst: boolean;
    /** Whether it ended in one act with others of its series, and is not the first of them. */
    isAlongside: boolean;
    /** Team of its event type. */
    teamId: TeamId | null;
    /** The guest has shown to this host, with some booking, to read the mail of the address. */
    isProved: boolean;
  };

/** Bookings with what they are of, in one statement; those that are only held, or gone, are left out. */
export async function listFactRows(db: Database, ids: readonly BookingId[], nowMs: number): Promise<FactRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<FactRow>`
    select ${bookingColumns}, a.host_ids as "hostIds", a.title, a.start_ms as "startMs", a.end_ms as "endMs", a.location, a.join_url as "joinUrl",
      case when not t.secret and t.deleted_at is null then t.slug end as slug, h.handle,
      k.token as "linkToken",
      t.team_id as "teamId", l.last, b.told,
      b.series_id is null or not exists (
        select from booking.bookings s join booking.appointments sa on sa.id = s.appointment_id
        where s.series_id = b.series_id and (sa.start_ms, s.id) < (a.start_ms, b.id)) as "isFirst",
      b.series_id is not null and exists (
        select from booking.bookings s
        where s.series_id = b.series_id and s.state = b.state and s.ended_ms = b.ended_ms
          and (select max(n.id) from booking.audit n where n.booking_id = s.id and n.kind <> 'mail-withheld') < l.id)
        as "isAlongside",
      exists (select from booking.bookings p where p.guest_email = b.guest_email and p.user_id = b.user_id
        and p.mail_confirmed_ms is not null) as "isProved"
    from booking.bookings b join booking.appointments a on a.id = b.appointment_id
      left join booking.event_types t on t.id = b.event_type_id
      left join booking.handles h on h.owner_id = t.owner_id and h.free_at is null
      left join booking.links k on k.id = b.link_id and ${isUsable(nowMs)}
      left join lateral (
        select json_build_object('what', n.kind, 'actor', n.actor, 'details', n.details) as last, n.id
        from booking.audit n where n.booking_id = b.id and n.kind <> 'mail-withheld' order by n.id desc limit 1) l on true
    where b.id = any(${ids}::uuid[]) and b.state <> 'held'`.execute(db);
  return rows;
}

/** The confirmed bookings of a person, or of a team's event types, that end after an instant, in order, after one of them. */
export async function listFactIds(
  db: Database,
  { userId, teamId }: { userId: UserId; teamId: TeamId | null },
  { endsAfterMs, after, limit }: { endsAfterMs: number; after: BookingId | null; limit: number },
): Promise<BookingId[]> {
  const { rows } = await sql<{ id: BookingId }>`
    select b.id from booking.bookings b join booking.appointments a on a.id = b.appointment_id
    where ${teamId === null ? sql`b.user_id = ${userId}` : sql`b.event_type_id in (select id from booking.event_types where team_id = ${teamId})`}
      and a.end_ms > ${endsAfterMs} and b.state = 'confirmed'
      and (${after}::uuid is null or b.id > ${after}) order by b.id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The version of a booking, which stays as it is until the caller's transaction ends; null where it is gone. */
export async function holdSequence(tx: Tx, id: BookingId): Promise<number | null> {
  const { rows } = await sql<{ sequence: number }>`
    select sequence from booking.bookings where id = ${id} for share`.execute(tx);
  return rows[0]?.sequence ?? null;
}

/** The same of several; those that somebody is changing just now are left out, so that nobody waits for each other. */
export async function holdSequences(tx: Tx, ids: readonly BookingId[]): Promise<Map<BookingId, number>> {
  const { rows } = await sql<{ id: BookingId; sequence: number }>`
    select id, sequence from booking.bookings where id = any(${ids}::uuid[]) for share skip locked`.execute(tx);
  return new Map(rows.map(({ id, sequence }) => [id, sequence]));
}

/** The team whose event type was booked, for others' queries. */
export const teamOfBooking = (id: BookingId): Expression<TeamId | null> =>
  sql<TeamId | null>`(select t.team_id from booking.bookings b join booking.event_types t on t.id = b.event_type_id
    where b.id = ${id})`;

/** Which of these event types are this person's, or this team's, and there. */
export async function listOwnTypeIds(
  db: Database,
  { userId, teamId }: { userId: UserId; teamId: TeamId | null },
  ids: readonly EventTypeId[],
): Promise<EventTypeId[]> {
  const { rows } = await sql<{ id: EventTypeId }>`
    select id from booking.event_types
    where id = any(${ids}::uuid[]) and owner_id = ${teamId ?? userId} and deleted_at is null`.execute(db);
  return rows.map(({ id }) => id);
}

/** Finds a person's confirmed booking that was made last. */
export async function findNewestBookingId(db: Database, userId: UserId): Promise<BookingId | null> {
  const { rows } = await sql<{ id: BookingId }>`
    select id from booking.bookings where user_id = ${userId} and state = 'confirmed'
    order by created_ms desc, id limit 1`.execute(db);
  return rows[0]?.id ?? null;
}
