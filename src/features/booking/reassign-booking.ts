import { requirePermission } from '#features/teams/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { BookingId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { demandAsSeen } from './demand-as-seen.ts';
import { findOwnBooking } from './find-own-booking.ts';
import { listTakers } from './list-takers.ts';
import { loadTeamTypeOf } from './load-team-type-of.ts';
import { replaceHost } from './replace-host.ts';
import { endedAlready } from './rules/booking-refusal.ts';
import { isChangeable } from './rules/change-window.ts';
import { everyHost } from './rules/type-hosts.ts';
import { holdAppointment, loadAppointment, lockHosts } from './store/appointments.ts';

/**
 * Gives a booking of a team to another of its hosts: a named one who is free, or whoever is next by the rule.
 * *Errors*: AppError not-found, forbidden, conflict (NO_TEAM, NOBODY_FREE, SLOT_TAKEN, TOO_LATE, CHANGED_MEANWHILE).
 */
export async function reassignBooking(
  app: App,
  actor: { userId: UserId },
  id: BookingId,
  { to, from, sequence }: { to?: UserId | undefined; from?: UserId | undefined; sequence: number },
): Promise<void> {
  const booking = await findOwnBooking(app.db, actor.userId, id, 'manage-bookings');
  if (!isChangeable(booking.state)) throw endedAlready();
  const type = await loadTeamTypeOf(app.db, booking);
  const { hostIds } = await loadAppointment(app.db, booking.appointmentId);
  await inTransaction(app.db, async (tx) => {
    const nowMs = app.clock.nowMs();
    if (!hostIds.includes(actor.userId)) await requirePermission(tx, actor, type.teamId, 'manage-bookings', 'lock');
    await lockHosts(tx, [...new Set([...hostIds, ...everyHost(type)])]);
    const appointment = await holdAppointment(tx, booking.appointmentId);
    await demandAsSeen(tx, booking, { sequence, start: 0 });
    if (appointment.endMs <= nowMs) throw new AppError('conflict', 'TOO_LATE', 'This has already ended.');
    const asked = from ?? (appointment.hostIds.includes(actor.userId) ? actor.userId : appointment.userId);
    if (!appointment.hostIds.includes(asked)) throw nobodyFree("This person isn't a host of this booking.");
    const takers = (await listTakers(tx, type, appointment, nowMs)).filter(({ isFree }) => isFree);
    const taker = to === undefined ? takers[0] : takers.find(({ userId }) => userId === to);
    if (taker === undefined)
      throw nobodyFree(to === undefined ? 'No other host is free at this time.' : "This host isn't free at this time.");
    const turnOf = type.kind === 'round-robin' ? taker.turnOf : null;
    const given = { userId: taker.userId, turnOf };
    await replaceHost(app, tx, appointment, { from: asked, to: given, actor: 'host', by: actor.userId });
  });
}

const nobodyFree = (what: string) =>
  new AppError('conflict', 'NOBODY_FREE', `${what} The host is unchanged. Choose someone else.`);
