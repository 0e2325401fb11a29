/** To where a booking is to be moved, in minutes. */
export interface Move {
  start: number;
  duration?: number | undefined;
  /** Sequence of the booking as its mover saw it. */
  sequence: number;
  /** In the words of the guest. */
  reason?: string | undefined;
}

export const minutesOf = ({ startMs, endMs }: { startMs: number; endMs: number }) => (endMs - startMs) / 60_000;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Moves of a booking by its guest: in an hour, and in a day while nobody has shown to read the guest's mail. */
const mostMoves = { anHour: 5, aDayUnproved: 10 } as const;

/** Until when a guest cannot move a booking that was moved at these times, epoch ms in order; null: they can. */
export function moveLimit(
  movedMs: readonly number[],
  { isProved, nowMs }: { isProved: boolean; nowMs: number },
): number | null {
  const freeAt = (most: number, windowMs: number) => {
    const nth = movedMs.at(-most);
    return nth === undefined ? nowMs : nth + windowMs;
  };
  const untilMs = Math.max(freeAt(mostMoves.anHour, hourMs), isProved ? nowMs : freeAt(mostMoves.aDayUnproved, dayMs));
  return untilMs > nowMs ? untilMs : null;
}

/** Time that mails about a move wait for the next one, after another move right before. */
export const moveRestMs = 300_000;

/**
 * The start before the last move, as the mail about it names it: of several moves right after each other, the first is
 * mailed at once and the others as one, from where the first had led. Null where it was never moved.
 */
export function formerStart(moves: readonly { atMs: number; fromMs: number }[], startMs: number): number | null {
  const [first, second] = burstOfMoves(moves);
  const former = [second, first].find((move) => move !== undefined && move.fromMs !== startMs);
  return former?.fromMs ?? null;
}

/** The last moves that came right after each other. */
export function burstOfMoves<Move extends { atMs: number }>(moves: readonly Move[]): readonly Move[] {
  const first = moves.findLastIndex((move, n) => move.atMs - (moves[n - 1]?.atMs ?? -Infinity) >= moveRestMs);
  return moves.slice(Math.max(first, 0));
}
