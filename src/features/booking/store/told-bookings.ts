import { sql } from 'kysely';
import type { AppointmentId, BookingId, EventTypeId, UserId } from '#kernel/ids.ts';
import { type Database, jsonb, type Tx } from '#platform/db.ts';
import { defaultSettings, longestReminderMinutes } from '../rules/type-settings.ts';
import type { KnownVersion } from '../rules/who-is-told.ts';
import type { Booking } from './bookings.ts';

/** A reminder of a booking that is due, by its minutes before the start. */
export interface DueReminder {
  id: BookingId;
  minutes: number;
}

const minuteMs = 60_000;
/** Reminders of bookings whose event type is deleted. */
const defaultReminders = JSON.stringify(defaultSettings('one-on-one').reminders_minutes);

/**
 * Lists reminders of confirmed bookings that are due, not too late, and not sent yet. A reminder is planned when the
 * current time of a booking is set. Reminders whose moment had passed by then are left out. The later of two reminders
 * due together counts.
 */
export async function listToRemind(
  db: Database,
  { nowMs, lateMs, limit }: { nowMs: number; lateMs: number; limit: number },
): Promise<DueReminder[]> {
  const { rows } = await sql<DueReminder>`
    select b.id, min(r.minutes) as minutes
    from booking.appointments a join booking.bookings b on b.appointment_id = a.id
      left join booking.event_types t on t.id = a.event_type_id
      cross join lateral (
        select value::int as minutes, a.start_ms - value::bigint * ${minuteMs}::bigint as due_ms
        from jsonb_array_elements_text(coalesce(t.settings -> 'reminders_minutes', ${defaultReminders}::jsonb))) r
    where a.live and a.start_ms > ${nowMs} and a.start_ms <= ${nowMs + longestReminderMinutes * minuteMs}
      and b.state = 'confirmed' and r.due_ms <= ${nowMs} and r.due_ms > ${nowMs - lateMs}
      and greatest(coalesce(b.confirmed_ms, b.created_ms), b.arranged_ms) < r.due_ms
      and (b.reminded_start_ms is distinct from a.start_ms or b.reminded_minutes > r.minutes)
    group by b.id, a.start_ms
    order by a.start_ms, b.id limit ${limit}`.execute(db);
  return rows;
}

/** Marks due reminders as sent after a restore, because they may have been sent since the backup. */
export async function passOverReminders(tx: Tx, when: { nowMs: number; lateMs: number }): Promise<void> {
  const due = await listToRemind(tx, { ...when, limit: 1_000_000 });
  await sql`
    update booking.bookings b set reminded_start_ms = a.start_ms, reminded_minutes = d.minutes
    from unnest(${due.map(({ id }) => id)}::uuid[], ${due.map(({ minutes }) => minutes)}::int[]) as d(id, minutes),
      booking.appointments a
    where b.id = d.id and a.id = b.appointment_id`.execute(tx);
}

/**
 * Notes a reminder of this version of a booking as sent; false where it is another version by now, where a guest
 * has declined, where it was sent before, or where its event type no longer has the reminder. A change of the event type waits for the caller's transaction.
 */
export async function markReminded(
  tx: Tx,
  { id, eventTypeId, sequence, guests }: Pick<Booking, 'id' | 'eventTypeId' | 'sequence' | 'guests'>,
  { minutes, startMs }: { minutes: number; startMs: number },
): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select coalesce(settings -> 'reminders_minutes', ${defaultReminders}::jsonb) @> to_jsonb(${minutes}::int) as has
    from booking.event_types where id = ${eventTypeId} for share`.execute(tx);
  if (rows[0]?.has === false) return false;
  const { numAffectedRows } = await sql`
    update booking.bookings set reminded_start_ms = ${startMs}, reminded_minutes = ${minutes}
    where id = ${id} and sequence = ${sequence} and state = 'confirmed' and guests = ${jsonb(guests)}
      and (reminded_start_ms is distinct from ${startMs} or reminded_minutes > ${minutes})`.execute(tx);
  return numAffectedRows === 1n;
}

/** The version of each of these bookings that its people were last told of, where they were told of one. */
export async function findKnown(db: Database, ids: readonly BookingId[]): Promise<Map<BookingId, KnownVersion>> {
  const { rows } = await sql<{ id: BookingId; told: KnownVersion }>`
    select id, told from booking.bookings where id = any(${ids}::uuid[]) and told is not null`.execute(db);
  return new Map(rows.map(({ id, told }) => [id, told]));
}

/** A change of another date of the series that nobody was told of yet: it was booked, or requested. Null: there is none. */
export async function findUntoldDate(
  db: Database,
  { id, seriesId }: Pick<Booking, 'id' | 'seriesId'>,
): Promise<{ bookingId: BookingId; what: 'confirmed' | 'requested'; sequence: number } | null> {
  const { rows } = await sql<{ bookingId: BookingId; what: 'confirmed' | 'requested'; sequence: number }>`
    select id as "bookingId", case state when 'confirmed' then 'confirmed' else 'requested' end as what, sequence
    from booking.bookings
    where series_id = ${seriesId} and id <> ${id} and state in ('confirmed', 'pending') and told is null
    order by series_start_ms limit 1`.execute(db);
  return rows[0] ?? null;
}

/**
 * Notes the version of these bookings that their people are told of, `told`; null where only the guest is asked for a
 * proof. `known` was read before. False where one of the bookings has another version by now, or where another job has told
 * of it.
 */
export async function keepKnown(
  tx: Tx,
  given: readonly (Pick<Booking, 'id' | 'sequence' | 'state' | 'guests'> & {
    known: KnownVersion | null;
    told: KnownVersion | null;
  })[],
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update booking.bookings b set told = coalesce(nullif(g.told, 'null'), b.told)
    from jsonb_to_recordset(${jsonb(given)}) as g(id uuid, sequence int, state text, guests jsonb, known jsonb, told jsonb)
    where b.id = g.id and b.sequence = g.sequence and b.state = g.state and b.guests = g.guests
      and b.told is not distinct from nullif(g.known, 'null')`.execute(tx);
  return numAffectedRows === BigInt(given.length);
}

/** Notes who organizes these bookings in their guests' calendars, once of each. */
export async function noteOrganizer(tx: Tx, ids: readonly BookingId[], organizer: string): Promise<void> {
  await sql`
    update booking.bookings set organizer = ${organizer}
    where id = any(${ids}::uuid[]) and organizer is null`.execute(tx);
}

/** The install organizes what somebody did whose address is to be forgotten. */
export async function forgetOrganizer(tx: Tx, address: string): Promise<void> {
  await sql`update booking.bookings set organizer = '' where organizer = ${address}`.execute(tx);
}

/** Bookings of an event type for which one of these reminders may wait in the outbox. */
export async function listRemindedLately(
  tx: Tx,
  eventTypeId: EventTypeId,
  reminders: readonly number[],
  { nowMs, lateMs }: { nowMs: number; lateMs: number },
): Promise<(DueReminder & { appointmentId: AppointmentId; startMs: number; hostIds: UserId[] })[]> {
  const { rows } = await sql<DueReminder & { appointmentId: AppointmentId; startMs: number; hostIds: UserId[] }>`
    select b.id, m.minutes, a.id as "appointmentId", a.start_ms as "startMs",
      array_append(a.host_ids, a.user_id) as "hostIds"
    from unnest(${reminders}::int[]) as m(minutes) join booking.appointments a on a.live and a.event_type_id = ${eventTypeId}
        and a.start_ms > ${nowMs - lateMs} + m.minutes * ${minuteMs}::bigint
        and a.start_ms <= ${nowMs} + m.minutes * ${minuteMs}::bigint
      join booking.bookings b on b.appointment_id = a.id and b.reminded_start_ms = a.start_ms`.execute(tx);
  return rows;
}
