import { AppError } from '#kernel/errors.ts';
import type { BookingId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { endBooking } from './end-booking.ts';
import { findOwnBooking, ownDates } from './find-own-booking.ts';
import { endedAlready } from './rules/booking-refusal.ts';
import { changeable, laterOf } from './rules/change-window.ts';
import { loadAppointment, lockBookings } from './store/appointments.ts';
import { type Booking, listOfAppointment, listSeries } from './store/bookings.ts';

/**
 * A host cancels a booking; in a group everybody's of its appointment, of a series also the later dates that are theirs.
 * *Errors*: AppError not-found, conflict (TOO_LATE) once it is over.
 */
export async function cancelBooking(
  app: App,
  { userId }: { userId: UserId },
  id: BookingId,
  {
    reason,
    everyone = false,
    following = false,
  }: { reason?: string | undefined; everyone?: boolean | undefined; following?: boolean | undefined },
): Promise<Booking> {
  const booking = await findOwnBooking(app.db, userId, id);
  const { endMs } = await loadAppointment(app.db, booking.appointmentId);
  if (endMs <= app.clock.nowMs()) throw new AppError('conflict', 'TOO_LATE', 'This has already ended.');
  return inTransaction(app.db, async (tx) => {
    const series = following && booking.seriesId !== null ? await listSeries(tx, booking.seriesId) : [];
    const later = await ownDates(tx, userId, laterOf(series, booking));
    if (later.length > 0)
      await lockBookings(
        tx,
        [booking, ...later].map(({ id: one }) => one),
      );
    const atMs = app.clock.nowMs();
    const ending = { from: changeable, to: 'cancelled', actor: 'host', by: userId, reason, atMs } as const;
    const cancelled = await endBooking(app, tx, booking, ending);
    if (cancelled === null) throw endedAlready();
    // the appointment is locked from here on
    const others = everyone ? await listOfAppointment(tx, cancelled.appointmentId) : [];
    for (const one of [...others, ...later]) await endBooking(app, tx, one, ending);
    return cancelled;
  });
}
