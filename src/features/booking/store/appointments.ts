import { sql } from 'kysely';
import type { AppointmentId, BookingId, CalendarId, EventTypeId, ItemId, UserId } from '#kernel/ids.ts';
import { type Database, jsonb, type Tx } from '#platform/db.ts';
import type { TypeSettings } from '../rules/type-settings.ts';
import { auditPart } from './booking-audit.ts';
import { type NewSeat, seatInsert } from './new-seat.ts';

/** Time of hosts that was given away, to one guest or to the seats of a group. Times are epoch ms. */
export interface Appointment {
  id: AppointmentId;
  userId: UserId;
  eventTypeId: EventTypeId | null;
  hostIds: UserId[];
  title: string;
  startMs: number;
  endMs: number;
  bufferBeforeMs: number;
  bufferAfterMs: number;
  seats: number;
  location: TypeSettings['location'];
  joinUrl: string | null;
  policyId: string | null;
  policyN: number | null;
  /** False: nobody comes any more, and its time is free. */
  live: boolean;
  calendarId: CalendarId | null;
  itemId: ItemId | null;
  eventKey: string;
  writes: number;
  /** Ref of its event, once it was seen in the calendar. */
  eventRef: string | null;
  /** Number of automatic restorations of its event in a row. */
  restores: number;
  /** In a pool, whose turn it was: the host, or whom they stand in for. */
  turnOf: UserId | null;
  /** In a pool, when it was given to its host. */
  assignedMs: number | null;
}

export const appointmentColumns = sql`a.id, a.user_id as "userId", a.event_type_id as "eventTypeId",
  a.host_ids as "hostIds", a.title, a.start_ms as "startMs", a.end_ms as "endMs", a.buffer_before_ms as "bufferBeforeMs",
  a.buffer_after_ms as "bufferAfterMs", a.seats, a.location, a.join_url as "joinUrl", a.policy_id as "policyId",
  a.policy_n as "policyN", a.live, a.calendar_id as "calendarId", a.item_id as "itemId", a.event_key as "eventKey", a.writes,
  a.event_ref as "eventRef", a.restores, a.turn_of as "turnOf", a.assigned_ms as "assignedMs"`;

export type NewAppointment = Omit<
  Appointment,
  'live' | 'itemId' | 'writes' | 'joinUrl' | 'eventRef' | 'restores' | 'turnOf' | 'assignedMs'
> &
  Partial<Pick<Appointment, 'turnOf' | 'assignedMs'>> & {
    /** In a pool, why it was nobody else's turn. */
    passed?: Record<string, string> | null;
  };

/**
 * Locks hosts before a claim of several hosts, of several times, or by a count, in one order. An overlap then waits
 * here. Later, two callers could wait for each other and deadlock.
 */
export async function lockHosts(tx: Tx, hostIds: readonly UserId[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('booking host ' || host, 0))
    from (select host from unnest(${hostIds}::text[]) as given(host) order by host) as sorted`.execute(tx);
}

/** Sets a savepoint, to which `undoAttempt` returns for another attempt. */
export async function beginAttempt(tx: Tx): Promise<void> {
  await sql`savepoint attempt`.execute(tx);
}

export async function undoAttempt(tx: Tx): Promise<void> {
  await sql`rollback to savepoint attempt`.execute(tx);
}

const during = (of: Pick<Appointment, 'startMs' | 'endMs' | 'bufferBeforeMs' | 'bufferAfterMs'>) =>
  sql`int8range(${of.startMs - of.bufferBeforeMs}, ${of.endMs + of.bufferAfterMs})`;

/**
 * Inserts an appointment with the time of its hosts, all or none of it. Returns false if a host's time is taken: the
 * caller then rolls back. Expired reservations are replaced. One statement, so that the loser of a race waits once; it
 * includes the first seat if `first` is given.
 */
export async function insertAppointment(
  tx: Tx,
  made: NewAppointment,
  { nowMs, expiresMs }: { nowMs: number; expiresMs: number | null },
  first: NewSeat | null = null,
): Promise<boolean> {
  if (await tryAppointment(tx, made, expiresMs, first)) return true;
  // looked for only where something is in the way: a fifth of what a booking costs the database
  return (await clearExpired(tx, made, nowMs)) && tryAppointment(tx, made, expiresMs, first);
}

async function tryAppointment(
  tx: Tx,
  made: NewAppointment,
  expiresMs: number | null,
  first: NewSeat | null,
): Promise<boolean> {
  const ifTaken = sql`exists (select from taken)`;
  const seated =
    first === null
      ? sql``
      : sql`, seated as (${seatInsert(first, made.id, sql`1`)} where ${ifTaken})${auditPart(first.entry, ifTaken)}`;
  const { rows } = await sql<{ count: number }>`
    with taken as (
      insert into booking.blocks (appointment_id, host_id, during, expires_ms)
      select ${made.id}, host_id, ${during(made)}, ${expiresMs}
      from unnest(${made.hostIds}::uuid[]) as given(host_id) order by host_id
      on conflict do nothing
      returning host_id),
    made as (
      insert into booking.appointments (id, user_id, event_type_id, host_ids, title, start_ms, end_ms, buffer_before_ms,
        buffer_after_ms, seats, location, policy_id, policy_n, calendar_id, event_key, turn_of, assigned_ms, passed)
      select ${made.id}, ${made.userId}, ${made.eventTypeId}, ${made.hostIds}::uuid[], ${made.title}, ${made.startMs},
        ${made.endMs}, ${made.bufferBeforeMs}, ${made.bufferAfterMs}, ${made.seats}, ${jsonb(made.location)},
        ${made.policyId}, ${made.policyN}, ${made.calendarId}, ${made.eventKey}, ${made.turnOf ?? null}::uuid,
        ${made.assignedMs ?? null}::bigint, ${made.passed == null ? null : jsonb(made.passed)}::jsonb
      where ${ifTaken})${seated}
    select count(*)::int as count from taken`.execute(tx);
  return rows[0]?.count === made.hostIds.length;
}

/** Takes away what was held in its way for too long, and what was made of it; false where its time is taken for good. */
async function clearExpired(tx: Tx, made: NewAppointment, nowMs: number): Promise<boolean> {
  // by each host: `any` is nothing that the index of the constraint can be asked for
  const inTheWay = sql`b.host_id = g.host_id and b.during && ${during(made)} and b.appointment_id <> ${made.id}`;
  const { rows } = await sql<{ taken: boolean }>`
    with given as (select unnest(${made.hostIds}::uuid[]) as host_id),
    gone as (delete from booking.blocks b using given g where ${inTheWay} and b.expires_ms <= ${nowMs})
    select exists (
      select from given g join booking.blocks b on ${inTheWay}
      where b.expires_ms is null or b.expires_ms > ${nowMs}) as taken`.execute(tx);
  if (rows[0]?.taken !== false) return false;
  if (made.hostIds.length > 1) await sql`delete from booking.appointments where id = ${made.id}`.execute(tx);
  return true;
}

/** Locks an appointment. A change of its seats locks it before any booking, everywhere in this order. */
export async function lockAppointment(tx: Tx, id: AppointmentId): Promise<void> {
  await sql`select from booking.appointments where id = ${id} for update`.execute(tx);
}

/**
 * Locks several bookings and before them their appointments, each in the order of their ids. Every act over several bookings
 * locks them like this first, so that no two acts wait for each other.
 */
export async function lockBookings(tx: Tx, ids: readonly BookingId[]): Promise<void> {
  await sql`
    select from booking.appointments a
    where a.id in (select b.appointment_id from booking.bookings b where b.id = any(${ids}::uuid[]))
    order by a.id for no key update`.execute(tx);
  await sql`select from booking.bookings where id = any(${ids}::uuid[]) order by id for no key update`.execute(tx);
}

/**
 * Brings the time that an appointment takes in line with who has a seat of it: for good where somebody is expected, as
 * long as the last hold where not, and no longer where nobody is left. The caller holds the appointment.
 */
export async function settleBlocks(tx: Tx, id: AppointmentId): Promise<{ live: boolean }> {
  const { rows } = await sql<{ live: boolean }>`
    with seats as (
      select count(*) > 0 as live, case when bool_or(expires_ms is null) then null else max(expires_ms) end as expires_ms
      from booking.bookings where appointment_id = ${id} and taken),
    freed as (
      delete from booking.blocks where appointment_id = ${id} and not (select live from seats)),
    kept as (
      update booking.blocks b set expires_ms = s.expires_ms from seats s
      where b.appointment_id = ${id} and s.live and b.expires_ms is distinct from s.expires_ms),
    settled as (
      update booking.appointments a set live = s.live from seats s where a.id = ${id} and a.live and not s.live)
    select live from seats`.execute(tx);
  return { live: rows[0]?.live ?? false };
}

/**
 * Moves an appointment; the caller holds the locks of its hosts. False where a host's time is taken: the caller then rolls
 * back.
 */
export async function moveAppointment(
  tx: Tx,
  moved: Pick<Appointment, 'id' | 'hostIds' | 'startMs' | 'endMs' | 'bufferBeforeMs' | 'bufferAfterMs'> & {
    policyId: string | null;
    policyN: number | null;
  },
  nowMs: number,
): Promise<boolean> {
  await sql`delete from booking.blocks where appointment_id = ${moved.id}`.execute(tx);
  const { rows } = await sql<{ count: number }>`
    with given as (select unnest(${moved.hostIds}::uuid[]) as host_id),
    expired as (
      delete from booking.blocks b using given g
      where b.host_id = g.host_id and b.during && ${during(moved)} and b.expires_ms <= ${nowMs}
      returning b.appointment_id),
    taken as (
      insert into booking.blocks (appointment_id, host_id, during)
      select ${moved.id}, g.host_id, ${during(moved)} from given g, (select count(*) from expired) as e
      order by g.host_id
      on conflict do nothing
      returning host_id),
    moved as (
      update booking.appointments set start_ms = ${moved.startMs}, end_ms = ${moved.endMs},
        buffer_before_ms = ${moved.bufferBeforeMs}, buffer_after_ms = ${moved.bufferAfterMs},
        host_ids = ${moved.hostIds}::uuid[], policy_id = ${moved.policyId}, policy_n = ${moved.policyN}
      where id = ${moved.id})
    select count(*)::int as count from taken`.execute(tx);
  return rows[0]?.count === moved.hostIds.length;
}

/** The group that meets at this time, held; null where nobody has begun one. */
export async function holdGroup(
  tx: Tx,
  wanted: { eventTypeId: EventTypeId; startMs: number; endMs: number },
): Promise<Appointment | null> {
  const { rows } = await sql<Appointment>`
    select ${appointmentColumns} from booking.appointments a
    where a.event_type_id = ${wanted.eventTypeId} and a.start_ms = ${wanted.startMs} and a.end_ms = ${wanted.endMs}
      and a.live and a.seats > 1
    for update`.execute(tx);
  return rows[0] ?? null;
}

/** *Errors*: Error where there is none. */
export async function loadAppointment(db: Database, id: AppointmentId): Promise<Appointment> {
  const { rows } = await sql<Appointment>`
    select ${appointmentColumns} from booking.appointments a where a.id = ${id}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error(`no appointment ${id}`);
  return row;
}

/** An appointment, held. *Errors*: Error where there is none. */
export async function holdAppointment(tx: Tx, id: AppointmentId): Promise<Appointment> {
  const { rows } = await sql<Appointment>`
    select ${appointmentColumns} from booking.appointments a where a.id = ${id} for update`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error(`no appointment ${id}`);
  return row;
}

/** Counts a write of its event, and says which item the event is, and its name; another one has another meeting. */
export async function noteWrite(
  tx: Tx,
  id: AppointmentId,
  { itemId, eventKey }: { itemId: ItemId; eventKey: string },
): Promise<void> {
  await sql`
    update booking.appointments set writes = writes + 1, item_id = ${itemId}, event_key = ${eventKey},
      event_ref = case when item_id = ${itemId} then event_ref end,
      join_url = case when item_id is null or item_id = ${itemId} then join_url end
    where id = ${id}`.execute(tx);
}

/** Counts an automatic restoration; a change by the host resets the count. */
export async function countRestores(tx: Tx, id: AppointmentId, actor: 'calendar' | 'host'): Promise<void> {
  await sql`
    update booking.appointments set restores = case when ${actor} = 'calendar' then restores + 1 else 0 end
    where id = ${id}`.execute(tx);
}

/** The event of an appointment turned out to be another item. */
export async function renameItem(db: Database, userId: UserId, from: ItemId, to: ItemId): Promise<void> {
  await sql`
    with copies as (
      update booking.copies set item_id = ${to} where host_id = ${userId} and item_id = ${from})
    update booking.appointments set item_id = ${to} where user_id = ${userId} and item_id = ${from}`.execute(db);
}

/**
 * Has somebody else be the one whose calendar has the event of an appointment, and its bookings theirs. The event of who
 * had it is left as a copy that is to go; a copy that the other has already becomes the event. Blocks and hosts are the
 * caller's, who holds it.
 */
export async function giveAppointment(
  tx: Tx,
  id: AppointmentId,
  to: { userId: UserId; turnOf: UserId | null; calendarId: CalendarId | null; eventKey: string; nowMs: number },
): Promise<void> {
  await sql`
    with left_by as (
      insert into booking.copies (appointment_id, host_id, calendar_id, item_id, writes)
      select id, user_id, calendar_id, item_id, writes from booking.appointments where id = ${id}
      on conflict do nothing),
    had as (
      delete from booking.copies where appointment_id = ${id} and host_id = ${to.userId} returning calendar_id, item_id),
    given as (
      update booking.bookings set user_id = ${to.userId} where appointment_id = ${id}),
    asked as (
      update booking.questions set over_ms = ${to.nowMs} where appointment_id = ${id} and over_ms is null)
    update booking.appointments set user_id = ${to.userId}, turn_of = ${to.turnOf}::uuid, passed = null,
      assigned_ms = case when ${to.turnOf}::uuid is null then assigned_ms else ${to.nowMs}::bigint end,
      calendar_id = coalesce((select calendar_id from had where item_id is not null), ${to.calendarId}::uuid),
      item_id = (select item_id from had), event_ref = null, restores = 0, event_key = ${to.eventKey},
      join_url = case when location ->> 'kind' in ('google-meet', 'teams') then null else join_url end
    where id = ${id}`.execute(tx);
}

/** Has these take part from now on, and nobody else; false where the time of one is taken: the caller then rolls back. */
export async function setHosts(
  tx: Tx,
  appointment: Pick<Appointment, 'id' | 'startMs' | 'endMs' | 'bufferBeforeMs' | 'bufferAfterMs'>,
  hostIds: readonly UserId[],
  nowMs: number,
): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    with given as (select unnest(${hostIds}::uuid[]) as host_id),
    freed as (
      delete from booking.blocks where appointment_id = ${appointment.id} and not host_id = any(${hostIds}::uuid[])),
    expired as (
      delete from booking.blocks b using given g
      where b.host_id = g.host_id and b.during && ${during(appointment)} and b.expires_ms <= ${nowMs}
        and b.appointment_id <> ${appointment.id}
      returning b.appointment_id),
    taken as (
      insert into booking.blocks (appointment_id, host_id, during)
      select ${appointment.id}, g.host_id, ${during(appointment)} from given g, (select count(*) from expired) as e
      where not exists (
        select from booking.blocks b where b.appointment_id = ${appointment.id} and b.host_id = g.host_id)
      order by g.host_id
      on conflict do nothing
      returning host_id),
    changed as (
      update booking.appointments set host_ids = ${hostIds}::uuid[] where id = ${appointment.id})
    select (select count(*) from taken)::int + (
      select count(*) from booking.blocks where appointment_id = ${appointment.id} and host_id = any(${hostIds}::uuid[]))::int
      as count`.execute(tx);
  return rows[0]?.count === hostIds.length;
}

/** Appointments that nobody has a seat of and that were never booked: what is left of holds. */
export async function dropEmpty(db: Database, ids: readonly AppointmentId[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    delete from booking.appointments a where a.id = any(${ids}::uuid[]) and not a.live
      and not exists (select from booking.bookings b where b.appointment_id = a.id)`.execute(db);
}
