import type { UserId } from '#kernel/ids.ts';
import { withoutUnseen } from '#kernel/text/unseen-signs.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { lockBooking } from './lock-booking.ts';
import { noteChange } from './note-change.ts';
import type { BookingActor, BookingState } from './rules/booking-states.ts';
import { settleBlocks } from './store/appointments.ts';
import { type Booking, updateBooking } from './store/bookings.ts';
import { writeAppointment } from './write-appointment.ts';

interface Ending {
  /** Allowed states: the second of two calls changes nothing. */
  from: readonly BookingState[];
  to: 'declined' | 'cancelled' | 'expired';
  actor: BookingActor;
  /** The host or team member who did it. */
  by?: UserId;
  reason?: string | undefined;
  /** Shared moment of bookings that end together, by which their guest is notified once. */
  atMs?: number;
}

/** Ends a booking in the caller's transaction: its seat and time are free, its event says so. Null where it had ended. */
export async function endBooking(
  app: App,
  tx: Tx,
  { id, appointmentId }: Pick<Booking, 'id' | 'appointmentId'>,
  { from, to, actor, by, reason, atMs = app.clock.nowMs() }: Ending,
): Promise<Booking | null> {
  const booking = await lockBooking(tx, { id, appointmentId });
  if (booking === null) return null;
  const { state } = booking;
  const ended = await updateBooking(tx, id, from, {
    state: to,
    sequence: booking.sequence + 1,
    expiresMs: null,
    endedMs: atMs,
    endedBy: actor,
    reason: withoutUnseen(reason ?? '').trim() || null,
  });
  if (ended === null) return null;
  await settleBlocks(tx, ended.appointmentId);
  if (state === 'confirmed') await writeAppointment(app, tx, ended.appointmentId);
  await noteChange(app, tx, ended, { what: to, actor, by: by ?? null, details: { from: state } });
  return ended;
}
