import { AppError } from '#kernel/errors.ts';
import type { BookingId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { acceptOverlaps } from './accept-overlaps.ts';
import { checkLive } from './check-live.ts';
import { demandAsSeen } from './demand-as-seen.ts';
import { demandSlot } from './demand-slot.ts';
import { findOfferOf } from './find-offer-of.ts';
import { findOwnBooking } from './find-own-booking.ts';
import type { PublicType } from './find-public-type.ts';
import { moveBooking } from './move-booking.ts';
import { moveInTurn } from './move-in-turn.ts';
import { offerOthers } from './offer-others.ts';
import { endedAlready } from './rules/booking-refusal.ts';
import { isChangeable } from './rules/change-window.ts';
import { type Move, minutesOf } from './rules/moving.ts';
import { notBookable } from './rules/slot-refusal.ts';
import { everyHost } from './rules/type-hosts.ts';
import { loadAppointment, lockAppointment, lockHosts } from './store/appointments.ts';
import type { Booking } from './store/bookings.ts';

/**
 * A host moves a booking; of a group everybody at its time. `anyway`: also to where the event type offers nothing.
 * *Errors*: as `rescheduleBooked`.
 */
export async function rescheduleBooking(
  app: App,
  { userId }: { userId: UserId },
  id: BookingId,
  move: Move & { anyway?: boolean | undefined },
): Promise<Booking> {
  const booking = await findOwnBooking(app.db, userId, id);
  const appointment = await loadAppointment(app.db, booking.appointmentId);
  const nowMs = app.clock.nowMs();
  if (!isChangeable(booking.state)) throw endedAlready();
  if (appointment.endMs <= nowMs) throw new AppError('conflict', 'TOO_LATE', 'This has already ended.');
  const duration = move.duration ?? minutesOf(appointment);
  const time = { startMs: move.start * 60_000, endMs: (move.start + duration) * 60_000 };
  if (time.startMs <= nowMs) throw notBookable('This time has passed. Choose another.');
  const moveWith = (offer: PublicType | null) => moveInTurn(app, booking, appointment, move, () => moveNow(offer));
  const moveNow = (offer: PublicType | null) =>
    inTransaction(app.db, async (tx) => {
      await lockHosts(tx, [...new Set([...appointment.hostIds, ...(offer === null ? [] : everyHost(offer.type))])]);
      await lockAppointment(tx, appointment.id);
      const now = await demandAsSeen(tx, booking, move);
      const found =
        offer === null
          ? null
          : await demandSlot(app, tx, offer, time, { without: appointment.id, keep: appointment.userId });
      const moving = { booking: now, appointment, time, change: {}, found, offer };
      const moved = await moveBooking(app, tx, { ...moving, actor: 'host', by: userId });
      if (offer === null) await acceptOverlaps(app, tx, userId, appointment.id);
      return moved;
    });
  if (move.anyway === true) return moveWith(null);
  const offer = await findOfferOf(app, booking);
  await checkLive(app, offer);
  return offerOthers(app, offer, time, () => moveWith(offer));
}
