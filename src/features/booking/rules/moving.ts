import type { KnownVersion, Span, Version } from './who-is-told.ts';

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
export const moveRestMs = 120_000;

const spanOf = ({ startMs, endMs }: Span): Span => ({ startMs, endMs });

/** The last confirmed time that people were told of. */
const confirmedTime = (known: KnownVersion): Span | null =>
  known.state === 'confirmed' ? spanOf(known) : (known.confirmed ?? null);

/**
 * The former time of a booking that is told at a start: the last time that was confirmed and told. Times that were only
 * requested, and those between moves that are told as one, are none. Null: there is none.
 */
export function formerTime(known: KnownVersion | null, startMs: number): Span | null {
  const confirmed = known && confirmedTime(known);
  return confirmed?.startMs === startMs ? null : confirmed;
}

/** The same for the page of the booking, where it stays after the mail about it. */
export const shownFormerTime = (known: KnownVersion | null, startMs: number): Span | null =>
  formerTime(known, startMs) ?? (known?.startMs === startMs ? (known.former ?? null) : null);

/** A version of which people are told now, as it is noted. */
export const knownAfter = (known: KnownVersion | null, now: Version): KnownVersion => ({
  ...now,
  invited: now.state === 'confirmed' || known?.invited === true,
  confirmed: now.state === 'confirmed' ? spanOf(now) : known && confirmedTime(known),
  former: shownFormerTime(known, now.startMs),
});

/** The last moves that came right after each other. */
export function burstOfMoves<Move extends { atMs: number }>(moves: readonly Move[]): readonly Move[] {
  const first = moves.findLastIndex((move, n) => move.atMs - (moves[n - 1]?.atMs ?? -Infinity) >= moveRestMs);
  return moves.slice(Math.max(first, 0));
}
