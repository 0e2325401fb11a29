import { sql } from 'kysely';
import type { AppointmentId, BookingId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import type { TypeSettings } from '../rules/type-settings.ts';
import { presentSettings } from './event-type-rows.ts';

/** A time at which somebody is expected by a host, with what its event type says of calendars. Epoch ms. */
export interface ExpectedAppointment {
  id: AppointmentId;
  bookingId: BookingId;
  title: string;
  guests: string[];
  startMs: number;
  endMs: number;
  settings: Partial<Pick<TypeSettings, 'rank' | 'blocking_calendar_ids'>> | null;
}

/** The times of a host in the range at which somebody is expected, in order. */
export async function listExpected(
  db: Database,
  hostId: UserId,
  range: { startMs: number; endMs: number },
): Promise<ExpectedAppointment[]> {
  const { rows } = await sql<ExpectedAppointment>`
    select a.id, a.title, a.start_ms as "startMs", a.end_ms as "endMs", ${presentSettings(sql`t.settings`)} as settings, s.id as "bookingId", s.guests
    from booking.blocks k join booking.appointments a on a.id = k.appointment_id
      left join booking.event_types t on t.id = a.event_type_id and t.deleted_at is null
      join lateral (
        select (array_agg(b.id order by b.seat))[1] as id, array_agg(b.guest_name order by b.seat) as guests
        from booking.bookings b where b.appointment_id = a.id and b.state = 'confirmed') s on s.id is not null
    where k.host_id = ${hostId} and k.during && int8range(${range.startMs}, ${range.endMs})
      and a.live and a.start_ms < ${range.endMs} and a.end_ms > ${range.startMs}
    order by a.start_ms, a.id`.execute(db);
  return rows;
}
