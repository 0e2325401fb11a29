/** One event as overlaps are looked for; instants half-open. */
export interface ConflictCandidate {
  id: string;
  startMs: number;
  endMs: number;
  /** Class BUSY: blocks time. Free, soft, declined events and our own blocks do not. */
  blocks: boolean;
  allDay: object | undefined;
  isTentative: boolean;
  isUnanswered: boolean;
  isFocus: boolean;
  /** A guest has booked it. */
  isBooking?: boolean;
}

export interface EventMark {
  /** `conflict`: a booking over other busy time, or two events at the same times; `overlap`: all else. */
  kind: 'overlap' | 'conflict';
  /** The events that it meets, in order of start. */
  partners: string[];
}

/** Less time in common is no overlap. */
const leastMs = 5 * 60_000;

/**
 * The events that are marked, and why. Both of an overlap are accepted, busy, timed and not over yet. The later one has
 * the mark; of a booking and another event, the booking; of two at the same times, both.
 */
export function findConflicts(events: readonly ConflictCandidate[], nowMs: number): Map<string, EventMark> {
  const counted = events.filter(
    (event) =>
      event.blocks &&
      event.allDay === undefined &&
      !event.isTentative &&
      !event.isUnanswered &&
      !event.isFocus &&
      event.endMs > nowMs,
  );
  counted.sort((a, b) => a.startMs - b.startMs || b.endMs - a.endMs || (a.id < b.id ? -1 : 1));
  const marks = new Map<string, EventMark>();
  const mark = (event: ConflictCandidate, partner: ConflictCandidate, kind: EventMark['kind']) => {
    const known = marks.get(event.id);
    if (known === undefined) marks.set(event.id, { kind, partners: [partner.id] });
    else {
      known.partners.push(partner.id);
      if (kind === 'conflict') known.kind = kind;
    }
  };
  let open: ConflictCandidate[] = [];
  for (const event of counted) {
    // Starts are sorted: an event that has ended overlaps no later one either.
    open = open.filter(({ endMs }) => endMs > event.startMs);
    for (const other of open) {
      if (Math.min(event.endMs, other.endMs) - event.startMs < leastMs) continue;
      const isSame = event.startMs === other.startMs && event.endMs === other.endMs;
      if (other.isBooking || isSame) mark(other, event, 'conflict');
      if (event.isBooking || isSame) mark(event, other, 'conflict');
      else if (!other.isBooking) mark(event, other, 'overlap');
    }
    open.push(event);
  }
  return marks;
}
