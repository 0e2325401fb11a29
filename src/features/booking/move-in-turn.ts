import { AppError } from '#kernel/errors.ts';
import type { BookingId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Database } from '#platform/db.ts';
import { inTurn } from '#platform/in-turn.ts';
import { demandAsSeen } from './demand-as-seen.ts';
import { isChangeable } from './rules/change-window.ts';
import { type Move, minutesOf } from './rules/moving.ts';
import { type Appointment, loadAppointment } from './store/appointments.ts';
import { type Booking, findBooking } from './store/bookings.ts';
import { underLock } from './take-turn.ts';

/**
 * Moves a booking when those have had their turn who came first. A move that is asked for again, because its answer was
 * lost, is answered with the booking as it was moved.
 * *Errors*: AppError conflict (CHANGED_MEANWHILE), and those of `act`.
 */
export async function moveInTurn(
  app: App,
  booking: Booking,
  appointment: Appointment,
  move: Move,
  act: () => Promise<Booking>,
): Promise<Booking> {
  const demandUnmoved = () => demandAsSeen(app.db, booking, move);
  try {
    return await inTurn(app, `move ${booking.id} ${move.sequence}`, demandUnmoved, () =>
      underLock(app, [appointment.userId], act),
    );
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'CHANGED_MEANWHILE') throw error;
    const moved = await findMoved(app.db, booking.id, move, move.duration ?? minutesOf(appointment));
    if (moved === null) throw error;
    return moved;
  }
}

/** The booking, where its one change since its mover saw it is this move. */
async function findMoved(db: Database, id: BookingId, move: Move, duration: number): Promise<Booking | null> {
  const now = await findBooking(db, id);
  if (now === null || now.sequence !== move.sequence + 1 || !isChangeable(now.state)) return null;
  const appointment = await loadAppointment(db, now.appointmentId);
  return appointment.startMs === move.start * 60_000 && minutesOf(appointment) === duration ? now : null;
}
