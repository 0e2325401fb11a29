import { sql } from 'kysely';
import type { AppointmentId, BookingId, BookingLinkId, EventTypeId, UserId } from '#kernel/ids.ts';
import { type Database, jsonb, type Tx } from '#platform/db.ts';
import type { BookingActor, BookingState } from '../rules/booking-states.ts';
import type { Answer, AskedQuestion } from '../rules/check-answers.ts';
import type { TypeSettings } from '../rules/type-settings.ts';
import type { Appointment } from './appointments.ts';
import { type AuditEntry, auditPart } from './booking-audit.ts';
import { type Filling, filledSet, type NewSeat, seatInsert } from './new-seat.ts';

/** A guest's part of an appointment. The guest's fields are empty while it is only reserved. Times are epoch ms. */
export interface Booking {
  id: BookingId;
  uid: string;
  appointmentId: AppointmentId;
  seat: number;
  userId: UserId;
  eventTypeId: EventTypeId | null;
  linkId: BookingLinkId | null;
  seriesId: string | null;
  /** For a series: the originally booked start, kept after a move, and the zone of the booking hours. */
  seriesStartMs: number | null;
  seriesZone: string | null;
  state: BookingState;
  sequence: number;
  expiresMs: number | null;
  /** Sealed. */
  token: string | null;
  guestName: string;
  guestEmail: string;
  guestPhone: string | null;
  guestZone: string;
  language: string | null;
  answers: Record<string, Answer>;
  /** The answered questions as the guest read them. */
  asked: AskedQuestion[];
  /** The policy that its guest was told, whatever its event type says by now. */
  cancellation: TypeSettings['cancellation'];
  guests: string[];
  verified: boolean;
  mailConfirmedMs: number | null;
  reason: string | null;
  endedBy: BookingActor | null;
  guestResponse: 'accepted' | 'declined' | 'tentative' | null;
  guestNoShow: boolean;
  hostNoShow: boolean;
  createdMs: number;
  confirmedMs: number | null;
  endedMs: number | null;
  /** The address of the organizer in its invitations, empty for that of the install; null before the first. */
  organizer: string | null;
}

/** Without the answers of the guest, which may take 100 KB for each date of a series. */
const dateColumns = sql`b.id, b.uid, b.appointment_id as "appointmentId", b.seat, b.user_id as "userId",
  b.event_type_id as "eventTypeId", b.link_id as "linkId", b.series_id as "seriesId", b.series_start_ms as "seriesStartMs",
  b.series_zone as "seriesZone", b.state, b.sequence, b.expires_ms as "expiresMs", b.token, coalesce(b.guest_name, '') as "guestName",
  coalesce(b.guest_email, '') as "guestEmail", b.guest_phone as "guestPhone", coalesce(b.guest_zone, 'UTC') as "guestZone",
  b.language, b.cancellation, b.guests, b.verified, b.mail_confirmed_ms as "mailConfirmedMs", b.reason, b.ended_by as "endedBy", b.guest_response as "guestResponse", b.guest_no_show as "guestNoShow", b.host_no_show as "hostNoShow", b.created_ms as "createdMs", b.confirmed_ms as "confirmedMs", b.ended_ms as "endedMs", b.organizer`;

export const bookingColumns = sql`${dateColumns}, b.answers, b.asked`;

/**
 * Takes the first free seat of an appointment with room for this many people. Returns its number, or null without room.
 * The caller has locked the appointment. The constraint gives a contested seat to one caller; the others try the next.
 */
export async function insertSeat(
  tx: Tx,
  seat: NewSeat,
  { id, seats, people }: { id: AppointmentId; seats: number; people: number },
): Promise<number | null> {
  for (;;) {
    const { rows } = await sql<{ free: number | null; seat: number | null }>`
      with free as (
        select min(n)::int as seat from generate_series(1, ${seats}::int) n
        where not exists (
            select from booking.bookings b where b.appointment_id = ${id} and b.taken and b.seat = n)
          and (select coalesce(sum(1 + jsonb_array_length(b.guests)), 0) from booking.bookings b
            where b.appointment_id = ${id} and b.taken) + ${people} <= ${seats}),
      made as (
        ${seatInsert(seat, id, sql`free.seat`)} from free where free.seat is not null
        on conflict (appointment_id, seat) where taken do nothing
        returning b.seat)${auditPart(seat.entry, sql`exists (select from made)`)}
      select free.seat as free, made.seat from free left join made on true`.execute(tx);
    const [row] = rows;
    if (row?.free == null) return null;
    if (row.seat !== null) return row.seat;
  }
}

/**
 * Gives back seats of an appointment that were held, or waited for a mail, too long; those who waited. A link that led
 * to nothing but them has its use again: its guest may have mistyped the address.
 */
export async function expireSeats(tx: Tx, appointmentId: AppointmentId, nowMs: number): Promise<Booking[]> {
  const { rows } = await sql<Booking>`
    with gone as (
      delete from booking.bookings where appointment_id = ${appointmentId} and state = 'held' and expires_ms <= ${nowMs}),
    expired as (
      update booking.bookings b set state = 'expired', expires_ms = null, ended_ms = ${nowMs}, ended_by = 'system'
      where b.appointment_id = ${appointmentId} and b.state = 'awaiting-mail' and b.expires_ms <= ${nowMs}
      returning ${bookingColumns}),
    given_back as (
      update booking.links l set uses_left = l.uses_left + u.uses
      from (select e."linkId" as id, count(*)::int as uses from expired e
        where not exists (select from booking.bookings o where o.series_id = e."seriesId" and o.id <> e.id
          and o.state <> 'expired') group by 1) u
      where l.id = u.id and l.uses_left is not null)
    select * from expired`.execute(tx);
  return rows;
}

/** Appointments with seats that were held, or waited for a mail, too long. */
export async function listExpiring(db: Database, nowMs: number, limit: number): Promise<AppointmentId[]> {
  const { rows } = await sql<{ id: AppointmentId }>`
    select distinct appointment_id as id from booking.bookings
    where expires_ms <= ${nowMs} order by 1 limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Bookings that wait for their host's answer although their time has come. */
export async function listUnanswered(db: Database, nowMs: number, limit: number): Promise<Booking[]> {
  const { rows } = await sql<Booking>`
    select ${bookingColumns} from booking.bookings b join booking.appointments a on a.id = b.appointment_id
    where b.state = 'pending' and a.start_ms <= ${nowMs} order by b.id limit ${limit}`.execute(db);
  return rows;
}

/**
 * Makes a booking of what is held, and where nobody else can have a seat beside it, has it take its time for as long; null
 * where it is held no more.
 */
export async function fillHold(
  tx: Tx,
  id: BookingId,
  filling: Filling,
  entry: AuditEntry | null = null,
): Promise<Booking | null> {
  const { rows } = await sql<Booking>`
    with filled as (
      update booking.bookings b set ${filledSet(filling)}
      where b.id = ${id} and b.state = 'held' and b.expires_ms > ${filling.createdMs}
      returning ${bookingColumns}),
    kept as (
      update booking.blocks k set expires_ms = ${filling.expiresMs} from booking.appointments a, filled f
      where a.id = f."appointmentId" and a.seats = 1 and k.appointment_id = a.id)
    ${auditPart(entry, sql`exists (select from filled)`)}
    select * from filled`.execute(tx);
  return rows[0] ?? null;
}

/** A hold of several dates is a seat for each: the others have its id as their series. */
const isOf = (holdId: string) => sql`(b.id = ${holdId} or b.series_id = ${holdId})`;

/** Lists the times of a reservation that has not expired. */
export async function listHeld(
  db: Database,
  hold: { id: string; eventTypeId: EventTypeId; nowMs: number },
): Promise<{ appointmentId: AppointmentId; startMs: number }[]> {
  const { rows } = await sql<{ appointmentId: AppointmentId; startMs: number }>`
    select b.appointment_id as "appointmentId", a.start_ms as "startMs" from booking.bookings b
      join booking.appointments a on a.id = b.appointment_id
    where ${isOf(hold.id)} and b.state = 'held' and b.expires_ms > ${hold.nowMs} and b.event_type_id = ${hold.eventTypeId}`.execute(
    db,
  );
  return rows;
}

/** A hold of this time that is still worth something. */
interface Hold {
  id: BookingId;
  userId: UserId;
  appointmentId: AppointmentId;
  expiresMs: number;
}

export async function findHold(
  db: Database,
  hold: { id: string; eventTypeId: EventTypeId; startMs: number; endMs: number; nowMs: number },
): Promise<Hold | null> {
  const { rows } = await sql<Hold>`
    select b.id, b.user_id as "userId", b.appointment_id as "appointmentId", b.expires_ms as "expiresMs" from booking.bookings b
      join booking.appointments a on a.id = b.appointment_id
    where ${isOf(hold.id)} and b.state = 'held' and b.expires_ms > ${hold.nowMs} and b.event_type_id = ${hold.eventTypeId}
      and a.live and a.start_ms = ${hold.startMs} and a.end_ms = ${hold.endMs}`.execute(db);
  return rows[0] ?? null;
}

/** Takes a hold away, or what is left of it; its appointments, of which the caller settles the blocks. */
export async function deleteHold(tx: Tx, id: string, eventTypeId: EventTypeId): Promise<AppointmentId[]> {
  const { rows } = await sql<{ appointmentId: AppointmentId }>`
    delete from booking.bookings b where ${isOf(id)} and b.event_type_id = ${eventTypeId} and b.state = 'held'
    returning b.appointment_id as "appointmentId"`.execute(tx);
  return rows.map(({ appointmentId }) => appointmentId).sort();
}

/** Holds, whatever number of dates each keeps. `network`: its first half is that of the site. */
export async function countHolds(
  db: Database,
  of: { eventTypeId: EventTypeId; network: Buffer; nowMs: number },
): Promise<{ ofNetwork: number; ofSite: number; ofType: number }> {
  const site = of.network.subarray(0, 16);
  const ofSite = sql`network between ${site} and ${Buffer.concat([site, Buffer.alloc(16, 255)])}`;
  const { rows } = await sql<{ ofNetwork: number; ofSite: number; ofType: number }>`
    select count(distinct coalesce(series_id, id)) filter (where network = ${of.network})::int as "ofNetwork",
      count(distinct coalesce(series_id, id)) filter (where ${ofSite})::int as "ofSite",
      count(distinct coalesce(series_id, id)) filter (where event_type_id = ${of.eventTypeId})::int as "ofType"
    from booking.bookings where network is not null and expires_ms > ${of.nowMs}
      and (${ofSite} or event_type_id = ${of.eventTypeId})`.execute(db);
  return rows[0] ?? { ofNetwork: 0, ofSite: 0, ofType: 0 };
}

export async function findBooking(db: Database, id: BookingId): Promise<Booking | null> {
  const { rows } = await sql<Booking>`
    select ${bookingColumns} from booking.bookings b where b.id = ${id} and b.state <> 'held'`.execute(db);
  return rows[0] ?? null;
}

export async function findByToken(db: Database, tokenHash: Buffer): Promise<Booking | null> {
  const { rows } = await sql<Booking>`
    select ${bookingColumns} from booking.bookings b where b.token_hash = ${tokenHash}`.execute(db);
  return rows[0] ?? null;
}

/** Lists the active bookings of an appointment by seat. */
export async function listOfAppointment(db: Database, id: AppointmentId): Promise<Booking[]> {
  const { rows } = await sql<Booking>`
    select ${bookingColumns} from booking.bookings b where b.appointment_id = ${id}
      and b.state in ('awaiting-mail', 'pending', 'confirmed') order by b.seat`.execute(db);
  return rows;
}

/** A time of a series, without the answers. `leftOutMs`: starts of the series that its guest left out, the same of each. */
export type SeriesBooking = Omit<Booking, 'answers' | 'asked'> &
  Pick<Appointment, 'startMs' | 'endMs' | 'joinUrl' | 'hostIds'> & { leftOutMs: readonly number[] };

/** Booked together with it, in the order of their times. */
export async function listSeries(db: Database, seriesId: string): Promise<SeriesBooking[]> {
  const { rows } = await sql<SeriesBooking>`
    select ${dateColumns}, a.start_ms as "startMs", a.end_ms as "endMs", a.join_url as "joinUrl",
      a.host_ids as "hostIds", b.series_left_out as "leftOutMs"
    from booking.bookings b join booking.appointments a on a.id = b.appointment_id
    where b.series_id = ${seriesId} order by a.start_ms, b.id`.execute(db);
  return rows;
}

/** Bookings with the same host or the same team: a guest who confirms an address for one of them can confirm the others. */
export const isAkin = ({ userId, eventTypeId }: Pick<Booking, 'userId' | 'eventTypeId'>) => sql`(b.user_id = ${userId}
  or b.event_type_id in (select akin.id from booking.event_types akin join booking.event_types own using (team_id)
    where own.id = ${eventTypeId}::uuid))`;

/** Bookings of a guest with the same host or team that wait for the mail of the address, by their appointments. */
export async function listAwaiting(db: Database, booking: Booking, nowMs: number): Promise<Booking[]> {
  const { rows } = await sql<Booking>`
    select ${bookingColumns} from booking.bookings b join booking.appointments a on a.id = b.appointment_id
    where b.guest_email = ${booking.guestEmail} and b.state = 'awaiting-mail' and b.expires_ms > ${nowMs} and a.live
      and ${isAkin(booking)}
    order by a.id`.execute(db);
  return rows;
}

type Change = Partial<
  Pick<
    Booking,
    | 'state'
    | 'sequence'
    | 'expiresMs'
    | 'appointmentId'
    | 'seat'
    | 'mailConfirmedMs'
    | 'reason'
    | 'endedBy'
    | 'guestNoShow'
    | 'hostNoShow'
    | 'confirmedMs'
    | 'endedMs'
    | 'verified'
    | 'cancellation'
  > & { arrangedMs: number }
>;

const isPlain = (value: unknown) => typeof value !== 'object' || value === null;

/** Changes a booking if it is in one of these states; null where it is in another by now. */
export async function updateBooking(
  tx: Tx,
  id: BookingId,
  from: readonly BookingState[],
  change: Change,
): Promise<Booking | null> {
  const set = Object.entries(change).map(
    ([name, value]) =>
      sql`${sql.id(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))} = ${isPlain(value) ? value : jsonb(value)}`,
  );
  const { rows } = await sql<Booking>`
    update booking.bookings b set ${sql.join(set)} where b.id = ${id} and b.state = any(${from}::text[])
    returning ${bookingColumns}`.execute(tx);
  return rows[0] ?? null;
}

/** The addresses that are not proved to any of these hosts. */
export async function listUnproved(
  db: Database,
  hostIds: readonly UserId[],
  emails: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select email from unnest(${emails}::text[]) as given(email)
    where not exists (select from booking.bookings b where b.guest_email = email and b.user_id = any(${hostIds}::uuid[])
      and b.mail_confirmed_ms is not null)`.execute(db);
  return rows.map(({ email }) => email);
}

/** Bookings for one mailbox wait for each other, so that each counts the ones before. */
export async function lockGuest(tx: Tx, mailbox: string): Promise<void> {
  await lockName(tx, `guest ${mailbox}`);
}

/** Holds of one event type or one site wait for each other from here to their commit. */
export async function lockHolds(tx: Tx, { eventTypeId, network }: { eventTypeId: EventTypeId; network: Buffer }) {
  await lockName(tx, `holds of type ${eventTypeId}`);
  await lockName(tx, `holds of site ${network.subarray(0, 16).toString('hex')}`);
}

const lockName = (tx: Tx, name: string) => sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);

/** Its guest has shown now that they read the mail of the address: for the booking of the mail, and its series. */
export async function markProved(tx: Tx, { id, seriesId }: Booking, nowMs: number): Promise<void> {
  await sql`
    update booking.bookings b set mail_confirmed_ms = ${nowMs}
    where (b.id = ${id} or b.series_id = ${seriesId}) and b.mail_confirmed_ms is null
      and b.state in ('pending', 'confirmed', 'cancelled', 'declined')`.execute(tx);
}

/** Takes a hold away for somebody who has another booking to put there; its seat. */
export async function dropHold(tx: Tx, id: BookingId): Promise<number | null> {
  const { rows } = await sql<{ seat: number }>`
    delete from booking.bookings where id = ${id} and state = 'held' returning seat`.execute(tx);
  return rows[0]?.seat ?? null;
}
