import { withoutUnseen } from '#kernel/text/unseen-signs.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { takeNetworkAllowance } from '#platform/limits.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { shareLook } from '#platform/share-look.ts';
import { changeSeat } from './change-seat.ts';
import { checkLive } from './check-live.ts';
import { demandAsSeen } from './demand-as-seen.ts';
import { demandInTime } from './demand-in-time.ts';
import { demandMovesLeft } from './demand-moves-left.ts';
import { demandSlot } from './demand-slot.ts';
import { findBooked } from './find-booked.ts';
import { findOfferForGuest } from './find-offer-for-guest.ts';
import { isSameTime, moveBooking } from './move-booking.ts';
import { moveInTurn } from './move-in-turn.ts';
import { offerOthers } from './offer-others.ts';
import { moveAttempts } from './rules/booking-load.ts';
import { type Move, minutesOf } from './rules/moving.ts';
import { everyHost } from './rules/type-hosts.ts';
import { wantedTime } from './rules/wanted-time.ts';
import { loadAppointment, lockAppointment, lockHosts } from './store/appointments.ts';
import type { Booking } from './store/bookings.ts';
import { offerKey } from './take-turn.ts';

/**
 * A guest moves their booking; of a group their own seat. Where the host confirms, they are asked again.
 * *Errors*: AppError not-found, conflict (SLOT_TAKEN, NOT_BOOKABLE, TOO_LATE, CHANGED_MEANWHILE), limited.
 */
export async function rescheduleBooked(
  app: App,
  token: string,
  move: Move,
  { ip }: Pick<RequestFacts, 'ip'>,
): Promise<Booking> {
  await takeNetworkAllowance(app.db, moveAttempts, ip);
  const { booking, appointment, offer } = await shareLook(app, `booked ${token}`, async () => {
    const found = await findBooked(app.db, token);
    const at = await loadAppointment(app.db, found.appointmentId);
    demandInTime(app, found, at);
    return { booking: found, appointment: at, offer: await findOfferForGuest(app, found) };
  });
  const time = wantedTime(offer, { ...move, duration: move.duration ?? minutesOf(appointment) });
  const verified = await shareLook(app, `live ${offerKey(offer)}`, () => checkLive(app, offer));
  const reason = withoutUnseen(move.reason ?? '').trim() || null;
  const reschedule = () =>
    inTransaction(app.db, async (tx) => {
      await lockHosts(tx, [...new Set([...appointment.hostIds, ...everyHost(offer.type)])]);
      await lockAppointment(tx, appointment.id);
      const now = await demandAsSeen(tx, booking, move);
      await demandMovesLeft(tx, now, app.clock.nowMs());
      const state = offer.type.settings.confirmation && now.state === 'confirmed' ? 'pending' : now.state;
      const change = { state, verified, confirmedMs: state === 'confirmed' ? now.confirmedMs : null, reason };
      if (appointment.seats > 1 && isSameTime({ appointment, time })) return now;
      if (appointment.seats > 1) return changeSeat(app, tx, { booking: now, appointment, offer, time, change });
      const found = await demandSlot(app, tx, offer, time, { without: appointment.id, keep: appointment.userId });
      return moveBooking(app, tx, { booking: now, appointment, time, change, actor: 'guest', found, offer });
    });
  return offerOthers(app, offer, time, () => moveInTurn(app, booking, appointment, move, reschedule));
}
