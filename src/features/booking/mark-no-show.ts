import { AppError } from '#kernel/errors.ts';
import type { BookingId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { findOwnBooking } from './find-own-booking.ts';
import { noteChange } from './note-change.ts';
import { loadAppointment } from './store/appointments.ts';
import { type Booking, updateBooking } from './store/bookings.ts';

/**
 * A host says who did not come, or takes it back.
 * *Errors*: AppError not-found, conflict (TOO_EARLY before it begins, TOO_LATE for what was not confirmed).
 */
export async function markNoShow(
  app: App,
  { userId }: { userId: UserId },
  id: BookingId,
  { who, no_show: isNoShow }: { who: 'guest' | 'host'; no_show: boolean },
): Promise<Booking> {
  const booking = await findOwnBooking(app.db, userId, id);
  const { startMs } = await loadAppointment(app.db, booking.appointmentId);
  if ((who === 'guest' ? booking.guestNoShow : booking.hostNoShow) === isNoShow) return booking;
  if (app.clock.nowMs() < startMs) throw new AppError('conflict', 'TOO_EARLY', "The meeting hasn't started yet.");
  return inTransaction(app.db, async (tx) => {
    const change = who === 'guest' ? { guestNoShow: isNoShow } : { hostNoShow: isNoShow };
    const marked = await updateBooking(tx, id, ['confirmed'], change);
    if (marked === null)
      throw new AppError('conflict', 'TOO_LATE', 'Only a confirmed booking can be marked as a no-show.');
    await noteChange(app, tx, marked, {
      what: 'no-show',
      actor: 'host',
      by: userId,
      details: { who, noShow: isNoShow },
    });
    return marked;
  });
}
