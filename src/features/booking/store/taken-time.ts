import { sql } from 'kysely';
import type { AppointmentId, BookingId, EventTypeId, ItemId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { type Reading, reading } from '#platform/reading.ts';

interface Range {
  startMs: number;
  endMs: number;
}

export interface TakenTime extends Range {
  hostId: UserId;
  appointmentId: AppointmentId;
  /** `hold`: until its guest has filled the form in, or confirmed by mail. */
  kind: 'booking' | 'hold';
}

/**
 * Time of hosts that bookings and live holds take, buffers included; of no appointment that is `without`, nor, with
 * `groupsOf`, of the groups of that event type (`groupsReading`). *Shape*: by start.
 */
export function takenTimeReading(
  hostIds: readonly UserId[],
  range: Range,
  {
    nowMs,
    without = null,
    groupsOf = null,
  }: { nowMs: number; without?: AppointmentId | null; groupsOf?: EventTypeId | null },
): Reading<TakenTime[]> {
  const query = sql<TakenTime>`
    select b.host_id as "hostId", b.appointment_id as "appointmentId", lower(b.during) as "startMs", upper(b.during) as "endMs",
      case when b.expires_ms is null then 'booking' else 'hold' end as kind
    from unnest(${hostIds}::uuid[]) as h(id)
      join booking.blocks b on b.host_id = h.id and b.during && int8range(${range.startMs}, ${range.endMs})
    where (b.expires_ms is null or b.expires_ms > ${nowMs}) and b.appointment_id is distinct from ${without}::uuid
      ${
        groupsOf === null
          ? sql``
          : sql`and not exists (
        select from booking.appointments a where a.id = b.appointment_id and a.seats > 1 and a.event_type_id = ${groupsOf})`
      }`;
  return reading(query, (rows) => rows.sort((a, b) => a.startMs - b.startMs));
}

export interface Group extends Range {
  appointmentId: AppointmentId;
  hostIds: UserId[];
  /** With its buffers. */
  block: Range;
  seatsLeft: number;
}

/**
 * The groups of an event type that somebody has a seat in, and how many are left: each person has one, those whom a guest
 * brings too. `withoutHold` is about to be filled in: its seat can be had. *Shape*: by start.
 */
export function groupsReading(
  eventTypeId: EventTypeId,
  range: Range,
  {
    nowMs,
    without = null,
    withoutHold = null,
  }: { nowMs: number; without?: AppointmentId | null; withoutHold?: BookingId | null },
): Reading<Group[]> {
  const query = sql<Omit<Group, 'block'> & { blockStartMs: number; blockEndMs: number }>`
    select a.id as "appointmentId", a.host_ids as "hostIds", a.start_ms as "startMs", a.end_ms as "endMs",
      a.start_ms - a.buffer_before_ms as "blockStartMs", a.end_ms + a.buffer_after_ms as "blockEndMs",
      greatest(0, a.seats - coalesce(sum(1 + jsonb_array_length(b.guests))
        filter (where b.id is distinct from ${withoutHold}::uuid), 0))::int as "seatsLeft"
    from booking.appointments a join booking.bookings b on b.appointment_id = a.id and b.taken
      and (b.expires_ms is null or b.expires_ms > ${nowMs})
    where a.event_type_id = ${eventTypeId} and a.live and a.seats > 1 and a.id is distinct from ${without}
      and a.start_ms - a.buffer_before_ms < ${range.endMs} and a.end_ms + a.buffer_after_ms > ${range.startMs}
    group by a.id order by a.start_ms`;
  return reading(query, (rows) =>
    rows.map(({ blockStartMs, blockEndMs, ...group }) => ({
      ...group,
      block: { startMs: blockStartMs, endMs: blockEndMs },
    })),
  );
}

/** Bookings and reservations of an event type with starts in the range, which its limits count. *Shape*: by start. */
export function countedReading(
  eventTypeId: EventTypeId,
  range: Range,
  { nowMs, without = null }: { nowMs: number; without?: AppointmentId | null },
): Reading<(Range & { hostIds: UserId[] })[]> {
  const query = sql<Range & { hostIds: UserId[] }>`
    select a.start_ms as "startMs", a.end_ms as "endMs", a.host_ids as "hostIds" from booking.appointments a
    where a.event_type_id = ${eventTypeId} and a.live and a.id is distinct from ${without}
      and a.start_ms >= ${range.startMs} and a.start_ms < ${range.endMs}
      and exists (select from booking.blocks b where b.appointment_id = a.id
        and (b.expires_ms is null or b.expires_ms > ${nowMs}))
    order by a.start_ms`;
  return reading(query, (rows) => rows);
}

/** The events of appointments: busy time in a calendar that is ours, and counted as a block already. */
export async function listOwnItems(
  db: Database,
  hostIds: readonly UserId[],
  range: Range,
): Promise<{ itemId: ItemId; appointmentId: AppointmentId; eventTypeId: EventTypeId | null }[]> {
  const { rows } = await sql<{ itemId: ItemId; appointmentId: AppointmentId; eventTypeId: EventTypeId | null }>`
    select a.item_id as "itemId", a.id as "appointmentId", a.event_type_id as "eventTypeId" from booking.appointments a
    where a.user_id = any(${hostIds}::uuid[]) and a.live and a.item_id is not null
      and a.start_ms < ${range.endMs} and a.end_ms > ${range.startMs}
    union all
    select c.item_id, a.id, a.event_type_id from booking.copies c join booking.appointments a on a.id = c.appointment_id
    where c.host_id = any(${hostIds}::uuid[]) and c.item_id is not null
      and a.start_ms < ${range.endMs} and a.end_ms > ${range.startMs}`.execute(db);
  return rows;
}

/**
 * The events of one appointment, and of the groups of an event type that are not over, wherever they stand: an event that
 * was moved in its calendar is found whatever time is asked about.
 */
export async function listItemsOf(
  db: Database,
  of: { appointmentId: AppointmentId | null; groupsOf: EventTypeId | null; nowMs: number },
): Promise<ItemId[]> {
  const { rows } = await sql<{ itemId: ItemId }>`
    with own as (
      select id, item_id from booking.appointments where id = ${of.appointmentId}::uuid
      union all
      select id, item_id from booking.appointments
      where event_type_id = ${of.groupsOf}::uuid and live and seats > 1 and end_ms > ${of.nowMs})
    select item_id as "itemId" from own where item_id is not null
    union
    select c.item_id from booking.copies c join own on own.id = c.appointment_id where c.item_id is not null`.execute(
    db,
  );
  return rows.map(({ itemId }) => itemId);
}

/** Whether a host has a booking or reservation at any moment of the range, except for one appointment. */
export async function isTaken(
  db: Database,
  hostId: UserId,
  range: Range,
  nowMs: number,
  without: AppointmentId | null = null,
): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select exists (
      select from booking.blocks where host_id = ${hostId} and during && int8range(${range.startMs}, ${range.endMs})
        and (expires_ms is null or expires_ms > ${nowMs}) and appointment_id is distinct from ${without}) as taken`.execute(
    db,
  );
  return rows[0]?.taken ?? false;
}

/** The appointment of a reservation that this network has of a start; null where it has none. */
export async function findHeldBy(
  db: Database,
  of: { eventTypeId: EventTypeId; startMs: number; network: Buffer; nowMs: number },
): Promise<AppointmentId | null> {
  const { rows } = await sql<{ id: AppointmentId }>`
    select a.id from booking.bookings b join booking.appointments a on a.id = b.appointment_id
    where b.state = 'held' and b.event_type_id = ${of.eventTypeId} and b.network = ${of.network}
      and b.expires_ms > ${of.nowMs} and a.start_ms = ${of.startMs}
    order by b.expires_ms desc limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

/** A hold that has not expired, whatever its event type. `alone`: its appointment, which no other guest can have a seat of. */
export async function findLiveHold(
  db: Database,
  { id, nowMs }: { id: string; nowMs: number },
): Promise<{ id: BookingId; eventTypeId: EventTypeId; alone: AppointmentId | null } | null> {
  const { rows } = await sql<{ id: BookingId; eventTypeId: EventTypeId; alone: AppointmentId | null }>`
    select b.id, b.event_type_id as "eventTypeId", case when a.seats = 1 then a.id end as alone from booking.bookings b
      join booking.appointments a on a.id = b.appointment_id
    where b.id = ${id} and b.state = 'held' and b.expires_ms > ${nowMs}`.execute(db);
  return rows[0] ?? null;
}

/** Whether a hold takes time of a host, buffers included, that one of the ranges needs. */
export async function isInTheWay(
  db: Database,
  id: BookingId,
  { hostIds, ranges }: { hostIds: readonly UserId[]; ranges: readonly { startMs: number; endMs: number }[] },
): Promise<boolean> {
  const { rows } = await sql<{ isMet: boolean }>`
    select exists (
      select from booking.bookings b join booking.blocks k on k.appointment_id = b.appointment_id
        join unnest(${ranges.map(({ startMs }) => startMs)}::bigint[], ${ranges.map(({ endMs }) => endMs)}::bigint[]) as r(start_ms, end_ms)
          on k.during && int8range(r.start_ms, r.end_ms)
      where (b.id = ${id} or b.series_id = ${id}) and b.state = 'held' and k.host_id = any(${hostIds}::uuid[])) as "isMet"`.execute(
    db,
  );
  return rows[0]?.isMet === true;
}
