import type { App } from '#platform/app.ts';
import { findBooked } from './find-booked.ts';
import { findOfferForGuest } from './find-offer-for-guest.ts';
import { listSlots } from './list-slots.ts';
import { minutesOf } from './rules/moving.ts';
import { type ShownSlots, type SlotRange, showSlots, spanOf } from './rules/shown-slots.ts';
import { loadAppointment } from './store/appointments.ts';

/**
 * To when a guest can move their booking; the time it has now counts as free.
 * *Errors*: AppError not-found, conflict (NOT_BOOKABLE) where it is not offered any more, invalid (RANGE, DURATION).
 */
export async function listBookedSlots(app: App, token: string, range: SlotRange): Promise<ShownSlots> {
  const booking = await findBooked(app.db, token);
  const appointment = await loadAppointment(app.db, booking.appointmentId);
  const found = await findOfferForGuest(app, booking);
  const durationMinutes = minutesOf(appointment);
  return showSlots(await listSlots(app, { found, range: spanOf(range), durationMinutes, without: appointment.id }));
}
