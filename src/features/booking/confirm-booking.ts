import type { BookingId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { becomeConfirmed } from './become-confirmed.ts';
import { findOwnBooking } from './find-own-booking.ts';
import { noteChange } from './note-change.ts';
import { answered } from './rules/booking-refusal.ts';
import type { Booking } from './store/bookings.ts';

/** The host says yes. Of many who do so at once one does. *Errors*: AppError not-found, conflict (TOO_LATE). */
export async function confirmBooking(app: App, { userId }: { userId: UserId }, id: BookingId): Promise<Booking> {
  const booking = await findOwnBooking(app.db, userId, id);
  return inTransaction(app.db, async (tx) => {
    const confirmed = await becomeConfirmed(app, tx, booking, 'pending', app.clock.nowMs());
    if (confirmed === null) throw answered();
    await noteChange(app, tx, confirmed, { what: 'confirmed', actor: 'host' });
    return confirmed;
  });
}
