import { sql } from 'kysely';
import type { AppointmentId, CalendarId, ItemId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

/** Where the event of an upcoming appointment is, in the calendar of its host or, as a copy, of another host. */
export interface EventPlace {
  appointmentId: AppointmentId;
  isCopy: boolean;
  calendarId: CalendarId | null;
  itemId: ItemId | null;
}

export async function listPlaces(
  db: Database,
  userId: UserId,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<EventPlace[]> {
  const { rows } = await sql<EventPlace>`
    select a.id as "appointmentId", false as "isCopy", a.calendar_id as "calendarId", a.item_id as "itemId", a.start_ms
    from booking.appointments a where a.user_id = ${userId} and a.live and a.end_ms > ${nowMs}
    union all
    select a.id, true, c.calendar_id, c.item_id, a.start_ms
    from booking.copies c join booking.appointments a on a.id = c.appointment_id
    where c.host_id = ${userId} and a.user_id <> ${userId} and a.live and a.end_ms > ${nowMs}
    order by start_ms, "appointmentId" limit ${limit}`.execute(db);
  return rows;
}

/** Has an appointment begin a new event in this calendar. `losesLink`: the provider of the new event makes a new meeting. */
export async function placeAppointment(
  tx: Tx,
  id: AppointmentId,
  to: { calendarId: CalendarId | null; eventKey: string; losesLink: boolean },
): Promise<void> {
  await sql`
    update booking.appointments set calendar_id = ${to.calendarId}::uuid, item_id = null, event_ref = null, restores = 0,
      event_key = ${to.eventKey}, join_url = case when ${to.losesLink} then null else join_url end
    where id = ${id}`.execute(tx);
}

/** Has the next writing of a copy begin a new event in a calendar of its host's. */
export async function forgetCopyEvent(tx: Tx, id: AppointmentId, hostId: UserId): Promise<void> {
  await sql`
    update booking.copies set calendar_id = null, item_id = null, event_ref = null, restores = 0, says = ''
    where appointment_id = ${id} and host_id = ${hostId}`.execute(tx);
}

export async function noteLeft(tx: Tx, userId: UserId, ref: string, appointmentId: AppointmentId): Promise<void> {
  await sql`
    insert into booking.left_events (user_id, ref, appointment_id) values (${userId}, ${ref}, ${appointmentId})
    on conflict do nothing`.execute(tx);
}

/** Events of a person's that were left where they are, and whose time is not over. */
export async function listLeft(
  db: Database,
  userId: UserId,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<{ ref: string; appointmentId: AppointmentId; title: string }[]> {
  const { rows } = await sql<{ ref: string; appointmentId: AppointmentId; title: string }>`
    select l.ref, l.appointment_id as "appointmentId", a.title
    from booking.left_events l join booking.appointments a on a.id = l.appointment_id
    where l.user_id = ${userId} and a.end_ms > ${nowMs} limit ${limit}`.execute(db);
  return rows;
}

/** Refs among these whose events a booking of a person's left behind. */
export async function listLeftRefs(db: Database, userId: UserId, refs: readonly string[]): Promise<string[]> {
  if (refs.length === 0) return [];
  const { rows } = await sql<{ ref: string }>`
    select ref from booking.left_events where user_id = ${userId} and ref = any(${refs}::text[])`.execute(db);
  return rows.map(({ ref }) => ref);
}
