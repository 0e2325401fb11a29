import type { BookingId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { burstOfMoves, moveRestMs } from './rules/moving.ts';
import { listMoves } from './store/booking-audit.ts';

/** Mails about a move right after another wait for the next one: several moves are one mail. Zero: told at once. */
export async function restAfterMove(db: Database, id: BookingId): Promise<number> {
  return burstOfMoves(await listMoves(db, id)).length > 1 ? moveRestMs : 0;
}
