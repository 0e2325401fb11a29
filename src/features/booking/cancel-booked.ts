import { withoutUnseen } from '#kernel/text/unseen-signs.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { demandInTime } from './demand-in-time.ts';
import { endBooking } from './end-booking.ts';
import { findBooked } from './find-booked.ts';
import { endedAlready } from './rules/booking-refusal.ts';
import { changeable, laterOf } from './rules/change-window.ts';
import { loadAppointment, lockBookings } from './store/appointments.ts';
import { type Booking, listSeries } from './store/bookings.ts';

/**
 * A guest cancels; of a series this time, or this and the later ones.
 * *Errors*: AppError not-found, conflict (TOO_LATE).
 */
export async function cancelBooked(
  app: App,
  token: string,
  { reason: typed, following = false }: { reason?: string | undefined; following?: boolean | undefined },
): Promise<Booking> {
  const booking = await findBooked(app.db, token);
  const reason = typed === undefined ? undefined : withoutUnseen(typed);
  const appointment = await loadAppointment(app.db, booking.appointmentId);
  demandInTime(app, booking, appointment);
  return inTransaction(app.db, async (tx) => {
    const series = following && booking.seriesId !== null ? await listSeries(tx, booking.seriesId) : [];
    const later = laterOf(series, booking);
    if (later.length > 0)
      await lockBookings(
        tx,
        [booking, ...later].map(({ id }) => id),
      );
    const ending = { from: changeable, to: 'cancelled', actor: 'guest', reason, atMs: app.clock.nowMs() } as const;
    const cancelled = await endBooking(app, tx, booking, ending);
    if (cancelled === null) throw endedAlready();
    for (const one of later) await endBooking(app, tx, one, ending);
    return cancelled;
  });
}
