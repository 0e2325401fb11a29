import { sql } from 'kysely';
import type { AppointmentId, BookingId, CalendarId, ItemId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

export interface Linkless {
  id: AppointmentId;
  userId: UserId;
  itemId: ItemId;
  calendarId: CalendarId;
  /** Its event was asked for a moment ago: it is worth being read at once. */
  isFresh: boolean;
}

/** Appointments to come whose meeting their provider makes, and of which no link is known yet; the soonest first. */
export async function listLinkless(
  db: Database,
  { nowMs, freshSinceMs, limit }: { nowMs: number; freshSinceMs: number; limit: number },
): Promise<Linkless[]> {
  const { rows } = await sql<Linkless>`
    select a.id, a.user_id as "userId", a.item_id as "itemId", a.calendar_id as "calendarId",
      exists (select from booking.bookings b where b.appointment_id = a.id and b.confirmed_ms > ${freshSinceMs}) as "isFresh"
    from booking.appointments a
    where a.live and a.join_url is null and a.location ->> 'kind' in ('google-meet', 'teams') and a.end_ms > ${nowMs}
      and a.item_id is not null and a.calendar_id is not null
    order by a.end_ms, a.id limit ${limit}`.execute(db);
  return rows;
}

/** Keeps the link of an appointment; false where it has one, or another event, by now. */
export async function keepLink(
  tx: Tx,
  { id, itemId }: Pick<Linkless, 'id' | 'itemId'>,
  link: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update booking.appointments set join_url = ${link}
    where id = ${id} and item_id = ${itemId} and join_url is null`.execute(tx);
  return numAffectedRows === 1n;
}

/** Notes that the mails of a booking go out without a link; false where it has become known: they then say it. */
export async function noteToldWithoutLink(
  tx: Tx,
  { id, appointmentId }: { id: BookingId; appointmentId: AppointmentId },
): Promise<boolean> {
  // held, so that whoever brings the link sees the note, or is seen here
  const { numAffectedRows } = await sql`
    update booking.bookings b set told_without_link = true
    from (select id from booking.appointments where id = ${appointmentId} and join_url is null for update) a
    where b.id = ${id} and b.appointment_id = a.id`.execute(tx);
  return numAffectedRows === 1n;
}

/** True once for a booking whose mails went out without the link. */
export async function takeToldWithoutLink(tx: Tx, id: BookingId): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update booking.bookings set told_without_link = false where id = ${id} and told_without_link`.execute(tx);
  return numAffectedRows === 1n;
}
