/** To where a booking is to be moved, in minutes. */
export interface Move {
  start: number;
  duration?: number | undefined;
  /** Of the booking as its mover saw it. */
  sequence: number;
}

export const minutesOf = ({ startMs, endMs }: { startMs: number; endMs: number }) => (endMs - startMs) / 60_000;
