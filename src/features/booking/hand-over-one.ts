import { requirePermission } from '#features/teams/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { AppointmentId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { listTakers } from './list-takers.ts';
import { replaceHost } from './replace-host.ts';
import type { BookingActor } from './rules/booking-states.ts';
import { neededSeats } from './rules/seat-hosts.ts';
import { everyHost } from './rules/type-hosts.ts';
import { holdAppointment, loadAppointment, lockHosts } from './store/appointments.ts';
import { findType } from './store/event-type-rows.ts';

/** False where nobody is free, so that it stays as it is. True also where another process was first. */
export async function handOverOne(
  app: App,
  id: AppointmentId,
  { from, to, actor, by }: { from: UserId; to?: UserId | undefined; actor: BookingActor; by?: UserId },
): Promise<boolean> {
  const who = by === undefined ? { actor } : { actor, by };
  try {
    return await inTransaction(app.db, async (tx) => {
      const seen = await holdable(app, id);
      if (seen === null) return false;
      if (by !== undefined) await requirePermission(tx, { userId: by }, seen.type.teamId, 'manage-bookings', 'lock');
      await lockHosts(tx, [...new Set([...seen.hostIds, ...everyHost(seen.type)])]);
      const appointment = await holdAppointment(tx, id);
      const { hostIds } = appointment;
      if (!appointment.live || !hostIds.includes(from)) return true;
      const { type } = seen;
      const free = (await listTakers(tx, type, appointment, app.clock.nowMs())).filter(({ isFree }) => isFree);
      const taker = to === undefined ? free[0] : free.find(({ userId }) => userId === to);
      // a former member cannot be a host: the remaining ones suffice if all of them, or a quorum, are left
      const rest = hostIds.filter((hostId) => hostId !== from);
      const remain = rest.length > 0 && rest.length >= neededSeats(type.hosts, type.settings.quorum);
      if (to === undefined && type.kind === 'collective' && remain) {
        await replaceHost(app, tx, appointment, { from, to: null, ...who });
        return true;
      }
      if (taker === undefined) return false;
      const turnOf = type.kind === 'round-robin' ? taker.turnOf : null;
      await replaceHost(app, tx, appointment, { from, to: { userId: taker.userId, turnOf }, ...who });
      return true;
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'SLOT_TAKEN') return false;
    throw error;
  }
}

async function holdable(app: App, id: AppointmentId) {
  const { eventTypeId, hostIds } = await loadAppointment(app.db, id);
  const type = eventTypeId === null ? null : await findType(app.db, eventTypeId);
  return type === null || type.teamId === null ? null : { type: { ...type, teamId: type.teamId }, hostIds };
}
