import { overlaps } from '#kernel/time/intervals.ts';

/** An instance that blocks time; half-open, epoch ms. */
export interface Blocking {
  itemId: string;
  eventId: string;
  calendarId: string;
  title: string;
  startMs: number;
  endMs: number;
}

/** Further conflicts are no news to somebody who has so many. */
const mostConflicts = 30;

/**
 * Pairs that overlap in different calendars, each pair of items once, at its next instance; in order of time. The same
 * event in two calendars (one title, one time) is no conflict with itself.
 */
export function findConflictingPairs(events: readonly Blocking[]): [Blocking, Blocking][] {
  const sorted = events
    .filter((event) => event.startMs < event.endMs)
    .toSorted((one, other) => one.startMs - other.startMs || (one.eventId < other.eventId ? -1 : 1));
  const pairs = new Map<string, [Blocking, Blocking]>();
  let open: Blocking[] = [];
  for (const event of sorted) {
    open = open.filter((other) => overlaps(other, event));
    for (const other of open) {
      if (other.calendarId === event.calendarId || isSame(other, event)) continue;
      const subject = subjectOf(other, event);
      if (!pairs.has(subject)) pairs.set(subject, [other, event]);
      if (pairs.size >= mostConflicts) return [...pairs.values()];
    }
    open.push(event);
  }
  return [...pairs.values()];
}

/** Names two items whichever begins first. */
export const subjectOf = (one: Blocking, other: Blocking) => [one.itemId, other.itemId].sort().join(' ');

const isSame = (one: Blocking, other: Blocking) =>
  one.title === other.title && one.startMs === other.startMs && one.endMs === other.endMs;
