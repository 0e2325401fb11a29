import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import { endedAlready } from './rules/booking-refusal.ts';
import { changeUntilMs, isChangeable } from './rules/change-window.ts';
import type { Appointment } from './store/appointments.ts';
import type { Booking } from './store/bookings.ts';

/** Refuses what a guest comes too late for. *Errors*: AppError conflict (TOO_LATE). */
export function demandInTime({ clock }: App, booking: Booking, { startMs }: Appointment): void {
  if (!isChangeable(booking.state)) throw endedAlready();
  if (clock.nowMs() < changeUntilMs(startMs, booking.cancellation)) return;
  throw new AppError('conflict', 'TOO_LATE', 'This booking can no longer be changed online. Contact your host.');
}
