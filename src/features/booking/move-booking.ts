import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { changeHost } from './change-host.ts';
import type { Assigned } from './demand-slot.ts';
import type { PublicType } from './find-public-type.ts';
import { noteChange } from './note-change.ts';
import type { BookingActor, BookingState } from './rules/booking-states.ts';
import { slotTaken } from './rules/slot-refusal.ts';
import type { Time } from './rules/wanted-time.ts';
import { type Appointment, moveAppointment, settleBlocks } from './store/appointments.ts';
import { type Booking, listOfAppointment, updateBooking } from './store/bookings.ts';
import { writeAppointment } from './write-appointment.ts';

/** A move to where it is already changes nothing, and nobody is told of it. */
export const isSameTime = ({ appointment, time }: Pick<Moving, 'appointment' | 'time'>) =>
  time.startMs === appointment.startMs && time.endMs === appointment.endMs;

const isSameHosts = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((id) => others.includes(id));

export interface Moving {
  booking: Booking;
  appointment: Appointment;
  time: Time;
  /** Further changes of the moved booking. */
  change: { state?: BookingState; verified?: boolean; confirmedMs?: number | null; reason?: string | null };
}

/**
 * Has the appointment of a booking stand at another time, and with it everybody who comes. The caller holds it.
 * *Errors*: AppError conflict (SLOT_TAKEN).
 */
export async function moveBooking(
  app: App,
  tx: Tx,
  moving: Moving & {
    actor: BookingActor;
    /** The host or team member who does it. */
    by?: UserId;
    /** By the rules of the event type; null: who has it keeps it. */
    found: Assigned | null;
    offer: PublicType | null;
  },
): Promise<Booking> {
  const { booking, time, change, actor, by = null, found, offer } = moving;
  if (isSameTime(moving) && (found === null || isSameHosts(found.hostIds, moving.appointment.hostIds))) return booking;
  const appointment =
    found === null || found.userId === moving.appointment.userId
      ? moving.appointment
      : await changeHost(app, tx, moving.appointment, found);
  const hostIds = found?.hostIds ?? appointment.hostIds;
  const settings = offer?.type.settings;
  const isFree = await moveAppointment(
    tx,
    {
      ...appointment,
      ...time,
      hostIds,
      bufferBeforeMs: settings === undefined ? appointment.bufferBeforeMs : settings.buffer_before_minutes * 60_000,
      bufferAfterMs: settings === undefined ? appointment.bufferAfterMs : settings.buffer_after_minutes * 60_000,
      policyId: found?.policyId ?? null,
      policyN: found?.policyN ?? null,
    },
    app.clock.nowMs(),
  );
  if (!isFree) throw slotTaken();
  const from = { startMs: appointment.startMs, endMs: appointment.endMs };
  const left = moving.appointment.hostIds.filter((id) => !hostIds.includes(id));
  let moved = booking;
  for (const one of await listOfAppointment(tx, appointment.id)) {
    const isIt = one.id === booking.id;
    const next = await updateBooking(tx, one.id, [one.state], {
      ...(isIt ? change : {}),
      ...(actor === 'guest' && settings !== undefined ? { cancellation: settings.cancellation } : {}),
      sequence: one.sequence + 1,
      arrangedMs: app.clock.nowMs(),
    });
    if (next === null) continue;
    await noteChange(app, tx, next, { what: 'rescheduled', actor, by, details: { from, state: one.state, left } });
    if (isIt) moved = next;
  }
  await settleBlocks(tx, appointment.id);
  await writeAppointment(app, tx, appointment.id);
  return moved;
}
