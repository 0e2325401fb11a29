import { AppError } from '#kernel/errors.ts';
import type { Database } from '#platform/db.ts';
import { burstOfMoves, moveLimit, moveRestMs } from './rules/moving.ts';
import { notBookable } from './rules/slot-refusal.ts';
import type { TypeSettings } from './rules/type-settings.ts';
import { listGuestMoves } from './store/booking-audit.ts';
import type { Booking } from './store/bookings.ts';
import { wasAskedToMove } from './store/questions.ts';

interface Movable {
  settings: Pick<TypeSettings, 'paused'>;
}

/** A guest may choose another time while the event type takes bookings, or where the host asked for another time. */
export async function isMovable(db: Database, { appointmentId }: Booking, { settings }: Movable): Promise<boolean> {
  return !settings.paused || wasAskedToMove(db, appointmentId);
}

/** *Errors*: AppError conflict (NOT_BOOKABLE). */
export async function requireMovable(db: Database, booking: Booking, type: Movable): Promise<void> {
  if (!(await isMovable(db, booking, type)))
    throw notBookable('No other time can be chosen at the moment. Nothing was moved.');
}

/** The caller holds the appointment, so that two moves are not counted as one. *Errors*: AppError limited. */
export async function requireMovesLeft(db: Database, booking: Booking, nowMs: number): Promise<void> {
  const moves = await listGuestMoves(db, booking.id);
  const isProved = booking.mailConfirmedMs !== null;
  const untilMs = moveLimit(
    moves.map(({ atMs }) => atMs),
    { isProved, nowMs },
  );
  if (untilMs === null) return;
  const message = 'This booking was moved too often in a short time. Nothing was moved. Try again later.';
  throw new AppError('limited', 'LIMITED', message, { retryAfterMs: untilMs - nowMs });
}

/** Mails about a move right after another wait for the next one: several moves are one mail. Zero: told at once. */
export async function restAfterMove(db: Database, id: Booking['id']): Promise<number> {
  const moves = await listGuestMoves(db, id);
  return burstOfMoves(moves).length > 1 ? moveRestMs : 0;
}
