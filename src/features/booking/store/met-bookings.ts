import { sql } from 'kysely';
import type { AppointmentId, BookingId, CalendarId, ItemId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import type { BookingActor, BookingState } from '../rules/booking-states.ts';
import type { TypeSettings } from '../rules/type-settings.ts';

/** A guest of an appointment. */
export interface Comer {
  id: BookingId;
  name: string;
  email: string;
  state: BookingState;
  sequence: number;
  seat: number;
  /** With those whom they bring. */
  people: number;
  guestNoShow: boolean;
  hostNoShow: boolean;
}

/** A time that was booked, with those who come; once it is cancelled, with those who were to come. Epoch ms. */
export interface MetAppointment {
  id: AppointmentId;
  itemId: ItemId | null;
  calendarId: CalendarId | null;
  title: string;
  startMs: number;
  endMs: number;
  seats: number;
  location: TypeSettings['location'];
  joinUrl: string | null;
  comers: Comer[];
}

/** Lists the appointments of these events, or of these ids, whose guests were notified. */
export async function listMet(db: Database, userId: UserId, keys: readonly string[]): Promise<MetAppointment[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<MetAppointment>`
    select a.id, p.item_id as "itemId", p.calendar_id as "calendarId", a.title, a.start_ms as "startMs",
      a.end_ms as "endMs", a.seats, a.location, a.join_url as "joinUrl", c.comers
    from booking.hosted p join booking.appointments a on a.id = p.appointment_id
    cross join lateral (
      select json_agg(json_build_object('id', b.id, 'name', b.guest_name, 'email', b.guest_email, 'state', b.state,
        'sequence', b.sequence, 'seat', b.seat, 'people', 1 + jsonb_array_length(b.guests), 'guestNoShow', b.guest_no_show, 'hostNoShow', b.host_no_show)
        order by b.seat, b.created_ms) as comers
      from booking.bookings b
      where b.appointment_id = a.id and b.state = case when a.live then 'confirmed' else 'cancelled' end) c
    where c.comers is not null and p.host_id = ${userId}
      and (p.item_id = any(${keys}::uuid[]) or p.appointment_id = any(${keys}::uuid[]))`.execute(db);
  return rows;
}

export interface BookingNews {
  id: BookingId;
  kind: 'requested' | 'booked' | 'cancelled';
  title: string;
  name: string;
  startMs: number;
  endedBy: BookingActor | null;
}

/** Requests that wait, and what others booked or cancelled since then, of times that are still ahead. */
export async function listNews(
  db: Database,
  userId: UserId,
  { nowMs, sinceMs, limit }: { nowMs: number; sinceMs: number; limit: number },
): Promise<BookingNews[]> {
  const { rows } = await sql<BookingNews>`
    select b.id, case b.state when 'pending' then 'requested' when 'confirmed' then 'booked' else 'cancelled' end as kind,
      a.title, b.guest_name as name, a.start_ms as "startMs", b.ended_by as "endedBy"
    from booking.hosted h join booking.appointments a on a.id = h.appointment_id
      join booking.bookings b on b.appointment_id = a.id
    where h.host_id = ${userId} and a.start_ms > ${nowMs}
      and (b.state = 'pending' or b.state = 'confirmed' and b.confirmed_ms > ${sinceMs}
        or b.state = 'cancelled' and b.ended_ms > ${sinceMs} and (b.ended_by in ('guest', 'calendar')
          or b.ended_by = 'host' and exists (select from booking.audit d where d.booking_id = b.id
            and d.kind = 'cancelled' and d.details ->> 'by' <> ${userId})))
    order by coalesce(b.ended_ms, b.confirmed_ms, b.created_ms) desc, b.id limit ${limit}`.execute(db);
  return rows;
}

/** Bookings that wait for their host's answer. */
export async function countRequests(db: Database, userId: UserId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from booking.hosted h join booking.bookings b on b.appointment_id = h.appointment_id
    where h.host_id = ${userId} and b.state = 'pending'`.execute(db);
  return rows[0]?.count ?? 0;
}
