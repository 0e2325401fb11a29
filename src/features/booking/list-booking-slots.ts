import type { Output } from '#kernel/contract.ts';
import type { BookingId, UserId } from '#kernel/ids.ts';
import { minuteMs } from '#kernel/time/civil.ts';
import type { App } from '#platform/app.ts';
import { findOfferOf } from './find-offer-of.ts';
import { findOwnBooking } from './find-own-booking.ts';
import { listSlots } from './list-slots.ts';
import type { bookingEndpoints } from './rules/booking-endpoints.ts';
import { minutesOf } from './rules/moving.ts';
import { loadAppointment } from './store/appointments.ts';

/**
 * To when a host can move a booking by the rules of its event type; the time it has now counts as free.
 * *Errors*: AppError not-found, conflict (NOT_BOOKABLE) where it is not offered any more, invalid (RANGE, DURATION).
 */
export async function listBookingSlots(
  app: App,
  { userId }: { userId: UserId },
  id: BookingId,
  { from, to }: { from: number; to: number },
): Promise<Output<(typeof bookingEndpoints)['listBookingSlots']>> {
  const booking = await findOwnBooking(app.db, userId, id);
  const appointment = await loadAppointment(app.db, booking.appointmentId);
  const { starts, next } = await listSlots(app, {
    found: await findOfferOf(app, booking),
    range: { startMs: from * minuteMs, endMs: to * minuteMs },
    durationMinutes: minutesOf(appointment),
    without: appointment.id,
  });
  return {
    starts: starts.filter((ms) => ms !== appointment.startMs).map((ms) => ms / minuteMs),
    next: next === null ? null : next / minuteMs,
  };
}
