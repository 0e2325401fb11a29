import type { BookingId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { delayMailsLike } from '#platform/mail-outbox.ts';
import { burstOfMoves, moveRestMs } from './rules/moving.ts';
import { listMoves } from './store/booking-audit.ts';
import { findKnown } from './store/told-bookings.ts';
import { overtaken } from './tell-booking.ts';

/** Mails about a move right after another wait for the next one: several moves are one mail. Zero: told at once. */
export async function restAfterMove(db: Database, id: BookingId): Promise<number> {
  return burstOfMoves(await listMoves(db, id)).length > 1 ? moveRestMs : 0;
}

/** So much longer than the move that is not told yet its predecessors wait. */
const delayMarginMs = 60_000;

/**
 * Puts off what waits in the outbox about a booking whose last move is told in so long: its time may be another by now. The
 * mail about that move withdraws it, unless the booking is back where it was.
 */
export async function delayOvertaken(db: Database, id: BookingId, restMs: number): Promise<void> {
  const known = (await findKnown(db, [id])).get(id);
  if (known === undefined) return;
  const forms = overtaken.map((what) => `booking.${what}:${id}:%`);
  await delayMailsLike(db, known.hostIds, forms, restMs + delayMarginMs);
}
