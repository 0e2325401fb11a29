import type { Tx } from '#platform/db.ts';
import { lockAppointment } from './store/appointments.ts';
import { type Booking, findBooking } from './store/bookings.ts';

/**
 * Locks the appointment of a booking and reads the booking after that: its state, sequence, and seat may have changed since
 * the caller read it. Null where it is gone.
 */
export async function lockBooking(
  tx: Tx,
  { id, appointmentId }: Pick<Booking, 'id' | 'appointmentId'>,
): Promise<Booking | null> {
  await lockAppointment(tx, appointmentId);
  const booking = await findBooking(tx, id);
  // its guest may have moved to another group
  return booking === null || booking.appointmentId === appointmentId ? booking : lockBooking(tx, booking);
}
