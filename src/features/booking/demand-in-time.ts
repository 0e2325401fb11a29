import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import { endedAlready } from './rules/booking-refusal.ts';
import { changeUntilMs, isChangeable } from './rules/change-window.ts';
import type { Appointment } from './store/appointments.ts';
import type { Booking } from './store/bookings.ts';
import { findType } from './store/event-type-rows.ts';

/** Refuses what a guest comes too late for. *Errors*: AppError conflict (TOO_LATE). */
export async function demandInTime(app: App, booking: Booking, { startMs }: Appointment): Promise<void> {
  if (!isChangeable(booking.state)) throw endedAlready();
  const type = booking.eventTypeId === null ? null : await findType(app.db, booking.eventTypeId);
  const untilMs = type === null ? startMs : changeUntilMs(startMs, type.settings.cancellation);
  if (app.clock.nowMs() < Math.min(untilMs, startMs)) return;
  throw new AppError('conflict', 'TOO_LATE', 'It is too late to change this booking here. Ask your host.');
}
