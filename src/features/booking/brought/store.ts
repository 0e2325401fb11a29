import { sql } from 'kysely';
import type { BookingId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { Booking } from '../store/bookings.ts';

/** A date of a series, or a booking of its own, and those who were brought to it. Times are epoch ms. */
export interface BroughtDate extends Pick<Booking, 'id' | 'appointmentId' | 'state' | 'guests'> {
  startMs: number;
  /** Addresses of guests who have declined it. */
  declined: string[];
}

/** All dates that were booked together with a booking, itself too, by their times. */
export async function listDates(db: Database, { id, seriesId }: Booking): Promise<BroughtDate[]> {
  const { rows } = await sql<BroughtDate>`
    select b.id, b.appointment_id as "appointmentId", b.state, b.guests, a.start_ms as "startMs",
      array(select details ->> 'guest' from booking.audit where booking_id = b.id and kind = 'guest-declined') as declined
    from booking.bookings b join booking.appointments a on a.id = b.appointment_id
    where b.id = ${id} or b.series_id = ${seriesId} and b.state <> 'held'
    order by a.start_ms, b.id`.execute(db);
  return rows;
}

/** Takes a brought guest out of a booking; false where they are not of it any more. */
export async function dropGuest(tx: Tx, id: BookingId, address: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update booking.bookings set guests = guests - ${address}::text where id = ${id} and guests ? ${address}`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}
