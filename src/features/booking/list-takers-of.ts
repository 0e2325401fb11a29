import type { Output } from '#kernel/contract.ts';
import type { BookingId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { findOwnBooking } from './find-own-booking.ts';
import { listHostsOf } from './list-hosts-of.ts';
import { listTakers } from './list-takers.ts';
import { loadTeamTypeOf } from './load-team-type-of.ts';
import type { teamBookingEndpoints } from './rules/team-endpoints.ts';
import { loadAppointment } from './store/appointments.ts';

/**
 * Lists the people who could take over a booking, the caller's own or a team's. *Errors*: AppError not-found,
 * forbidden, conflict (NO_TEAM).
 */
export async function listTakersOf(
  app: App,
  { userId }: { userId: UserId },
  id: BookingId,
): Promise<Output<(typeof teamBookingEndpoints)['listTakers']>> {
  const booking = await findOwnBooking(app.db, userId, id);
  const type = await loadTeamTypeOf(app.db, booking);
  const appointment = await loadAppointment(app.db, booking.appointmentId);
  const takers = await listTakers(app.db, type, appointment, app.clock.nowMs());
  const people = await listHostsOf(app.db, [...appointment.hostIds, ...takers.map((one) => one.userId)]);
  const nameOf = new Map(people.map((one) => [one.userId, one.name]));
  return {
    hosts: appointment.hostIds.map((one) => ({ user_id: one, name: nameOf.get(one) ?? '' })),
    takers: takers
      .filter((one) => nameOf.has(one.userId))
      .map((one) => ({
        user_id: one.userId,
        name: nameOf.get(one.userId) ?? '',
        free: one.isFree,
        reasons: [...new Set(one.reasons.map(({ kind }) => kind))],
      })),
  };
}
