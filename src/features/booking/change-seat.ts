import { randomUUID } from 'node:crypto';
import type { BookingId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { claimSlot } from './claim-slot.ts';
import type { PublicType } from './find-public-type.ts';
import type { Moving } from './move-booking.ts';
import { noteChange } from './note-change.ts';
import { holdMs } from './rules/booking-load.ts';
import { slotTaken } from './rules/slot-refusal.ts';
import { settleBlocks } from './store/appointments.ts';
import { type Booking, dropHold, updateBooking } from './store/bookings.ts';
import { writeAppointment } from './write-appointment.ts';

/**
 * A guest leaves one group of an event type for another. The caller holds the one that they leave.
 * *Errors*: AppError conflict (SLOT_TAKEN, NOT_BOOKABLE).
 */
export async function changeSeat(app: App, tx: Tx, moving: Moving & { offer: PublicType }): Promise<Booking> {
  const { booking, appointment, time, change, offer } = moving;
  const id = randomUUID() as string as BookingId;
  const { appointmentId } = await claimSlot(app, tx, offer, time, {
    expiresMs: app.clock.nowMs() + holdMs,
    id,
    network: null,
    filling: null,
    entry: null,
    people: 1 + booking.guests.length,
    target: { calendarId: appointment.calendarId, uidDomain: undefined },
  });
  const seat = await dropHold(tx, id);
  if (seat === null) throw slotTaken();
  const sequence = booking.sequence + 1;
  const moved = await updateBooking(tx, booking.id, [booking.state], {
    ...change,
    cancellation: offer.type.settings.cancellation,
    appointmentId,
    seat,
    sequence,
    arrangedMs: app.clock.nowMs(),
  });
  if (moved === null) throw slotTaken();
  for (const changed of [appointment.id, appointmentId]) {
    await settleBlocks(tx, changed);
    await writeAppointment(app, tx, changed);
  }
  const from = { startMs: appointment.startMs, endMs: appointment.endMs };
  await noteChange(app, tx, moved, { what: 'rescheduled', actor: 'guest', details: { from, state: booking.state } });
  return moved;
}
