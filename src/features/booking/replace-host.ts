import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { changeHost } from './change-host.ts';
import { bookingsTopic } from './events.ts';
import { noteChange } from './note-change.ts';
import type { BookingActor } from './rules/booking-states.ts';
import { slotTaken } from './rules/slot-refusal.ts';
import { type Appointment, setHosts, settleBlocks } from './store/appointments.ts';
import { type Booking, listOfAppointment, updateBooking } from './store/bookings.ts';
import { writeAppointment } from './write-appointment.ts';

/**
 * Has somebody take part in an appointment instead of a host, or nobody (`to` null), and tells everybody. The caller holds
 * the locks of the hosts and the appointment. Answers with its bookings as they are then.
 * *Errors*: AppError conflict (SLOT_TAKEN).
 */
export async function replaceHost(
  app: App,
  tx: Tx,
  appointment: Appointment,
  change: { from: UserId; to: { userId: UserId; turnOf: UserId | null } | null; actor: BookingActor; by?: UserId },
): Promise<Booking[]> {
  const { from, to, actor, by = null } = change;
  const rest = appointment.hostIds.filter((id) => id !== from && id !== to?.userId);
  const hostIds = to === null ? rest : [...rest, to.userId];
  if (!(await setHosts(tx, appointment, hostIds, app.clock.nowMs()))) throw slotTaken();
  if (appointment.userId === from) {
    const [first] = hostIds;
    if (first === undefined) throw new Error(`appointment ${appointment.id} would be nobody's`);
    await changeHost(app, tx, appointment, to ?? { userId: first, turnOf: null });
  }
  const changed: Booking[] = [];
  for (const one of await listOfAppointment(tx, appointment.id)) {
    const next = await updateBooking(tx, one.id, [one.state], { sequence: one.sequence + 1 });
    if (next === null) continue;
    const details = { left: [from], joined: to === null ? [] : [to.userId] };
    await noteChange(app, tx, next, { what: 'reassigned', actor, by, details });
    changed.push(next);
  }
  await app.feed.publish(tx, from, bookingsTopic);
  await settleBlocks(tx, appointment.id);
  await writeAppointment(app, tx, appointment.id);
  return changed;
}
