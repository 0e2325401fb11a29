import { AppError } from '#kernel/errors.ts';
import type { Database } from '#platform/db.ts';
import { sayWait } from '#platform/limits.ts';
import { moveLimit } from './rules/moving.ts';
import { listGuestMoves } from './store/booking-audit.ts';
import type { Booking } from './store/bookings.ts';

/** The caller holds the appointment, so that two moves are not counted as one. *Errors*: AppError limited. */
export async function demandMovesLeft(db: Database, booking: Booking, nowMs: number): Promise<void> {
  const moves = await listGuestMoves(db, booking.id);
  const isProved = booking.mailConfirmedMs !== null;
  const untilMs = moveLimit(
    moves.map(({ atMs }) => atMs),
    { isProved, nowMs },
  );
  if (untilMs === null) return;
  const waitMs = untilMs - nowMs;
  const message = `This booking was moved too often in a short time. Nothing was moved. Try again in ${sayWait(waitMs)}.`;
  throw new AppError('limited', 'LIMITED', message, { retryAfterMs: waitMs });
}
