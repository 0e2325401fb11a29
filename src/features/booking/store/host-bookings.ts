import { sql } from 'kysely';
import type { BookingId, TeamId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import type { Appointment } from './appointments.ts';
import { type Booking, bookingColumns } from './bookings.ts';

export type HostRow = Booking &
  Pick<
    Appointment,
    'title' | 'startMs' | 'endMs' | 'location' | 'joinUrl' | 'seats' | 'itemId' | 'calendarId' | 'hostIds'
  > & {
    teamId: TeamId | null;
  };

export type ListedScope = 'upcoming' | 'past' | 'pending' | 'ended';

type Wanted = { id: BookingId } | { scope: ListedScope; nowMs: number; limit: number; after: string | null };

/** The selection: a person's own events, those with the person as another host, or all of a team. */
export type Whose = { userId: UserId } | { coHostId: UserId } | { teamId: TeamId };

/** Bookings with what they are of; never what is only held. */
export async function listHostRows(db: Database, whose: Whose, wanted: Wanted): Promise<HostRow[]> {
  const columns = sql`${bookingColumns}, a.title, a.start_ms as "startMs", a.end_ms as "endMs", a.location,
    a.join_url as "joinUrl", a.seats, a.item_id as "itemId", a.calendar_id as "calendarId",
    a.host_ids as "hostIds", t.team_id as "teamId"`;
  const tables = sql`booking.bookings b join booking.appointments a on a.id = b.appointment_id
    left join booking.event_types t on t.id = b.event_type_id`;
  if ('id' in wanted) {
    const { rows } = await sql<HostRow>`
      select ${columns} from ${tables} where b.id = ${wanted.id} and ${areOf(whose)}`.execute(db);
    return rows;
  }
  const { scope, nowMs, limit, after } = wanted;
  const isLatestFirst = scope === 'past' || scope === 'ended';
  const { rows } = await sql<HostRow>`
    select ${columns} from ${tables}
    where ${areOf(whose)} and b.state <> 'held' and ${conditionOf(scope, nowMs)}
      and (${after}::uuid is null or (a.start_ms, b.id) ${sql.raw(isLatestFirst ? '<' : '>')} (
        select la.start_ms, l.id from booking.bookings l join booking.appointments la on la.id = l.appointment_id
        where l.id = ${after}))
    order by a.start_ms ${sql.raw(isLatestFirst ? 'desc' : 'asc')}, b.id ${sql.raw(isLatestFirst ? 'desc' : 'asc')}
    limit ${limit}`.execute(db);
  return rows;
}

function areOf(whose: Whose) {
  if ('userId' in whose) return sql`a.user_id = ${whose.userId}`;
  if ('coHostId' in whose)
    return sql`a.id in (select appointment_id from booking.copies where host_id = ${whose.coHostId})
      and a.host_ids @> array[${whose.coHostId}::uuid]`;
  return sql`a.event_type_id in (select id from booking.event_types where team_id = ${whose.teamId})`;
}

function conditionOf(scope: ListedScope, nowMs: number) {
  if (scope === 'upcoming') return sql`b.state = 'confirmed' and a.end_ms > ${nowMs}`;
  if (scope === 'past') return sql`b.state = 'confirmed' and a.end_ms <= ${nowMs}`;
  if (scope === 'pending') return sql`b.state in ('pending', 'awaiting-mail')`;
  return sql`b.state in ('declined', 'cancelled', 'expired')`;
}

/** All bookings of a host with their history, for exports; nothing that opens one. */
export async function listAllBookings(db: Database, userId: UserId): Promise<object[]> {
  const { rows } = await sql<object>`
    select a.title, to_timestamp(a.start_ms / 1000.0) as "startsAt", to_timestamp(a.end_ms / 1000.0) as "endsAt", a.seats,
      b.seat, a.location, a.join_url as "joinUrl", b.uid, b.state, b.sequence, b.guest_name as name, b.guest_email as email,
      b.guest_phone as phone, b.guest_zone as zone, b.language, b.answers, b.asked, b.cancellation, b.guests, b.reason, b.ended_by as "endedBy",
      b.guest_no_show as "guestNoShow", b.host_no_show as "hostNoShow", to_timestamp(b.created_ms / 1000.0) as "createdAt",
      (select coalesce(jsonb_agg(jsonb_build_object('at', to_timestamp(h.at_ms / 1000.0), 'actor', h.actor, 'kind', h.kind,
        'details', h.details) order by h.id), '[]') from booking.audit h where h.booking_id = b.id) as history
    from booking.bookings b join booking.appointments a on a.id = b.appointment_id
    where b.user_id = ${userId} and b.state <> 'held' order by a.start_ms, b.id`.execute(db);
  return rows;
}

/** Bookings of a host that are to come or wait for an answer. */
export async function listToCome(db: Database, userId: UserId, nowMs: number, limit: number): Promise<Booking[]> {
  const { rows } = await sql<Booking>`
    select ${bookingColumns} from booking.bookings b join booking.appointments a on a.id = b.appointment_id
    where a.user_id = ${userId} and b.state in ('awaiting-mail', 'pending', 'confirmed') and a.end_ms > ${nowMs}
    order by b.id limit ${limit}`.execute(db);
  return rows;
}

/** The end of the last booking of a host that no person ended, epoch ms. */
export async function findLastEnd(db: Database, userId: UserId): Promise<number | null> {
  const { rows } = await sql<{ endedMs: number | null }>`
    select max(ended_ms) as "endedMs" from booking.bookings where user_id = ${userId} and ended_by = 'system'`.execute(
    db,
  );
  return rows[0]?.endedMs ?? null;
}
