import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { lockBooking } from './lock-booking.ts';
import { loadAppointment, settleBlocks } from './store/appointments.ts';
import { type Booking, updateBooking } from './store/bookings.ts';
import { writeAppointment } from './write-appointment.ts';

/** A booking counts from this moment on, by compare-and-swap; null where it is in another state by now, or has begun. */
export async function becomeConfirmed(
  app: App,
  tx: Tx,
  { id, appointmentId }: Pick<Booking, 'id' | 'appointmentId'>,
  from: 'pending' | 'awaiting-mail',
  nowMs: number,
): Promise<Booking | null> {
  const booking = await lockBooking(tx, { id, appointmentId });
  if (booking === null || (await loadAppointment(tx, booking.appointmentId)).startMs <= nowMs) return null;
  const confirmed = await updateBooking(tx, id, [from], {
    state: 'confirmed',
    expiresMs: null,
    confirmedMs: nowMs,
    // a request that was changed may have been taken out of calendars under this sequence (RFC 5546 2.1.5)
    ...(booking.sequence === 0 ? {} : { sequence: booking.sequence + 1 }),
  });
  if (confirmed === null) return null;
  await settleBlocks(tx, confirmed.appointmentId);
  await writeAppointment(app, tx, confirmed.appointmentId);
  return confirmed;
}
