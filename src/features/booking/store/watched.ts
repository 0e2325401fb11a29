import { sql } from 'kysely';
import type { AppointmentId, BookingId, CalendarId, EventTypeId, ItemId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { TypeSettings } from '../rules/type-settings.ts';
import { type Appointment, appointmentColumns } from './appointments.ts';
import { presentSettings } from './event-type-rows.ts';

/**
 * An appointment as one of its hosts has it, with what its event type says of its calendars; null where the event type is
 * gone. The fields of its event are those of the event in the calendar of `hostId`.
 */
export type Watched = Appointment & {
  hostId: UserId;
  settings: Partial<Pick<TypeSettings, 'rank' | 'blocking_calendar_ids' | 'when_moved' | 'when_deleted'>> | null;
};

type Row = Omit<Watched, keyof OwnEvent> & { own: OwnEvent };
type OwnEvent = Pick<Watched, 'hostId' | 'calendarId' | 'itemId' | 'eventRef' | 'writes' | 'restores'>;

const watched = sql`select ${appointmentColumns}, ${presentSettings(sql`t.settings`)} as settings,
    json_build_object('hostId', h.host_id, 'calendarId', h.calendar_id, 'itemId', h.item_id, 'eventRef', h.event_ref,
      'writes', h.writes, 'restores', h.restores) as own
  from booking.hosted h join booking.appointments a on a.id = h.appointment_id
  left join booking.event_types t on t.id = a.event_type_id and t.deleted_at is null`;
const toWatched = ({ own, ...row }: Row): Watched => ({ ...row, ...own });
/** Copies are written after a move, and until then their host has moved nothing. */
const isWritten = sql`h.start_ms = a.start_ms and h.end_ms = a.end_ms`;
const isExpected = sql`a.live and exists (
  select from booking.bookings b where b.appointment_id = a.id and b.state = 'confirmed')`;

/** Appointments with a person as the first host that are not over and that somebody is expected at, by their time. */
export async function listWatched(
  db: Database,
  userId: UserId,
  { nowMs, limit, only = null }: { nowMs: number; limit: number; only?: AppointmentId | null },
): Promise<Watched[]> {
  const { rows } = await sql<Row>`
    ${watched} where a.user_id = ${userId} and h.host_id = ${userId} and ${isExpected} and a.end_ms > ${nowMs}
      and (${only}::uuid is null or a.id = ${only}) order by a.start_ms, a.id limit ${limit}`.execute(db);
  return rows.map(toWatched);
}

/** Lists the appointments whose events are in a calendar, as its owner has them. */
export async function listWatchedIn(
  db: Database,
  calendarId: CalendarId,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<Watched[]> {
  const { rows } = await sql<Row>`
    ${watched} where h.calendar_id = ${calendarId} and h.item_id is not null and ${isWritten} and ${isExpected} and a.end_ms > ${nowMs}
    order by a.start_ms, a.id limit ${limit}`.execute(db);
  return rows.map(toWatched);
}

/** Where events of appointments were seen standing. */
export async function noteRefs(
  db: Database,
  refs: readonly { id: AppointmentId; itemId: ItemId; ref: string }[],
): Promise<void> {
  if (refs.length === 0) return;
  await sql`
    with given as (
      select * from unnest(${refs.map(({ id }) => id)}::uuid[], ${refs.map(({ itemId }) => itemId)}::uuid[],
        ${refs.map(({ ref }) => ref)}::text[]) as g(id, item_id, ref)),
    copied as (
      update booking.copies c set event_ref = g.ref from given g
      where c.appointment_id = g.id and c.item_id = g.item_id and c.event_ref is distinct from g.ref)
    update booking.appointments a set event_ref = g.ref from given g
    where a.id = g.id and a.item_id = g.item_id and a.event_ref is distinct from g.ref`.execute(db);
}

export type GuestResponse = 'accepted' | 'declined' | 'tentative';

/** Keeps what guests answered in their calendars; those for whom it is news. */
export async function noteResponses(
  tx: Tx,
  appointmentId: AppointmentId,
  responses: readonly { email: string; response: GuestResponse }[],
): Promise<{ id: BookingId; response: GuestResponse }[]> {
  if (responses.length === 0) return [];
  const { rows } = await sql<{ id: BookingId; response: GuestResponse }>`
    update booking.bookings b set guest_response = g.response
    from unnest(${responses.map(({ email }) => email)}::text[], ${responses.map(({ response }) => response)}::text[])
      as g(email, response)
    where b.appointment_id = ${appointmentId} and b.state = 'confirmed' and lower(b.guest_email) = g.email
      and coalesce(b.guest_response, 'accepted') <> g.response
    returning b.id, b.guest_response as response`.execute(tx);
  return rows;
}

/** Whether anything of a person's is watched at all. */
export async function hasWatched(db: Database, userId: UserId, nowMs: number): Promise<boolean> {
  const { rows } = await sql`
    select from booking.hosted h join booking.appointments a on a.id = h.appointment_id
    where h.host_id = ${userId} and a.live and a.end_ms > ${nowMs} limit 1`.execute(db);
  return rows.length > 0;
}

/** An appointment as this host has it now, locked; null where nobody is expected any more, or the host left. */
export async function holdWatched(tx: Tx, id: AppointmentId, hostId: UserId): Promise<Watched | null> {
  const { rows } = await sql<Row>`
    ${watched} where a.id = ${id} and h.host_id = ${hostId} and ${isWritten} and ${isExpected} for update of a`.execute(
    tx,
  );
  return rows[0] === undefined ? null : toWatched(rows[0]);
}

/** Event types with bookings to come that were made while calendars could not be read; in no order, so that all get their turn. */
export async function listUnverifiedTypes(
  db: Database,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<{ eventTypeId: EventTypeId; userId: UserId; bookingIds: BookingId[] }[]> {
  const { rows } = await sql<{ eventTypeId: EventTypeId; userId: UserId; bookingIds: BookingId[] }>`
    select b.event_type_id as "eventTypeId", b.user_id as "userId", array_agg(b.id) as "bookingIds"
    from booking.bookings b join booking.appointments a on a.id = b.appointment_id
      join booking.event_types t on t.id = b.event_type_id and t.deleted_at is null
    where b.state = 'confirmed' and not b.verified and a.live and a.end_ms > ${nowMs}
    group by 1, 2 order by random() limit ${limit}`.execute(db);
  return rows;
}

export async function markVerified(tx: Tx, ids: readonly BookingId[]): Promise<void> {
  await sql`update booking.bookings set verified = true where id = any(${ids}::uuid[])`.execute(tx);
}
