import { overlaps } from '#kernel/time/intervals.ts';

/** What conflict detection looks at; instants half-open. */
export interface ConflictCandidate {
  id: string;
  startMs: number;
  endMs: number;
  /** Class BUSY: blocks time. Free, soft, declined events and our own mirrors do not (a mirror's origin counts once). */
  blocks: boolean;
}

/**
 * For each event that blocks time, the others that block the same time. One pass over the sorted starts; an event
 * without length blocks nothing.
 *
 * Shape: symmetric (if a names b, b names a), partners in order of start; events without conflict have no entry.
 */
export function findConflicts(events: readonly ConflictCandidate[]): Map<string, string[]> {
  const blocking = events.filter((event) => event.blocks && event.startMs < event.endMs);
  blocking.sort((a, b) => a.startMs - b.startMs || (a.id < b.id ? -1 : 1));
  const partners = new Map<string, string[]>();
  let open: ConflictCandidate[] = [];
  for (const event of blocking) {
    // Starts are sorted: what does not overlap this one has ended, and overlaps no later one either.
    open = open.filter((other) => overlaps(other, event));
    for (const other of open) {
      addTo(partners, event.id, other.id);
      addTo(partners, other.id, event.id);
    }
    open.push(event);
  }
  return partners;
}

function addTo(partners: Map<string, string[]>, id: string, partner: string): void {
  const list = partners.get(id);
  if (list === undefined) partners.set(id, [partner]);
  else list.push(partner);
}

/** Pairs that meet inside [fromMs, toMs): the number on the panel ("conflicts today"). */
export function countConflictPairs(events: readonly ConflictCandidate[], fromMs: number, toMs: number): number {
  const clipped = events.map((event) => ({
    ...event,
    startMs: Math.max(event.startMs, fromMs),
    endMs: Math.min(event.endMs, toMs),
  }));
  let ends = 0;
  for (const list of findConflicts(clipped).values()) ends += list.length;
  return ends / 2;
}
