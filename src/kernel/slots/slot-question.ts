import type { Span } from '#kernel/time/intervals.ts';

/**
 * All inputs that decide whether a time can be booked, as numbers. Callers load it; `listSlots` and `decideSlot` answer
 * it. *Units*: epoch ms, whole. A *start* is bookable when the host works, is free, and every limit leaves room for it.
 */
export interface SlotQuestion {
  /** Starts asked about: everything below is loaded so that it is complete for them. */
  range: Span;
  nowMs: number;
  /** IANA; the wall clock of the grid unless a host's `hours` have another, and the days, weeks (from Monday) and months of the limits. */
  zone: string;
  hosts: readonly SlotHost[];
  shape: 'one' | 'group' | 'round-robin' | 'collective';
  /** Collective: so many of the hosts who are not optional have to be free; all of them unless given. */
  quorum?: number | undefined;
  durationMs: number;
  /** From one start to the next, on the wall clock. */
  stepMs: number;
  /** How many come together: seats that a session needs to have left; one unless given. */
  people?: number | undefined;
  bufferBeforeMs: number;
  bufferAfterMs: number;
  /** The shortest time from now to a start. */
  noticeMs: number;
  /** Where starts may lie: rolling or fixed, as instants. */
  window: Span;
  limits: SlotLimits;
  /** Starts that somebody picked, instead of the grid. Sorted. */
  only?: readonly number[] | undefined;
  /** Whether the host accepts no bookings for now. */
  paused?: boolean | undefined;
}

export interface SlotHost {
  id: string;
  /**
   * Hours that are open, as a span list. They begin a day before the range or earlier: a start counts from the beginning
   * of its open time, and where that runs over midnight, from midnight.
   */
  open: readonly Span[];
  /**
   * Where the hours change: the hours before and after each change, each as if they had never been others. `open` has
   * the parts of them that hold; starts count from the beginning of the whole.
   * *Shape*: sorted, the first from before the range.
   */
  hours?: readonly HoursFrom[] | undefined;
  /** Busy time of others' making, sorted by start; may overlap. */
  busy: readonly Span[];
  /** Bookings and live holds with their own buffers, sorted by start; may overlap. Without `sessions`. */
  blocks: readonly SlotBlock[];
  /** Group: the sessions that have seats taken, sorted by start. */
  sessions?: readonly SlotSession[] | undefined;
  /** Bookings that count for the limits: those of this type, in every period that the range touches. */
  counted?: readonly Span[] | undefined;
  /** Collective: takes part when free, and never stands in the way. */
  optional?: boolean | undefined;
  /** A calendar was not read for too long, and its owner wants nothing booked meanwhile. */
  stale?: boolean | undefined;
}

export interface HoursFrom {
  /** Until the next ones. */
  fromMs: number;
  /** IANA; the wall clock of their grid, the question's unless given. */
  zone?: string | undefined;
  /** A span list, as `SlotHost.open`. */
  open: readonly Span[];
}

export interface SlotBlock extends Span {
  kind: 'booking' | 'hold';
  /** Id for explanations. */
  id?: string | undefined;
}

/** One time of a group: the seats that are left in it can be booked while they last, by this very start and length. */
export interface SlotSession extends Span {
  /** Its time with its own buffers. */
  block: Span;
  seatsLeft: number;
  /** Id for explanations. */
  id?: string | undefined;
}

export interface SlotLimits {
  day?: SlotLimit | undefined;
  week?: SlotLimit | undefined;
  month?: SlotLimit | undefined;
}

/** Limits of the number and total length of each host's bookings, in the period in which a booking starts. */
export interface SlotLimit {
  count?: number | undefined;
  minutes?: number | undefined;
}

/** The hosts who have to be free count; those who are optional do not. */
export function countingHosts(question: SlotQuestion): readonly SlotHost[] {
  return question.hosts.some(({ optional }) => optional)
    ? question.hosts.filter(({ optional }) => !optional)
    : question.hosts;
}

/** How many of the counting hosts have to be free at a start. */
export function neededHosts(question: SlotQuestion): number {
  if (question.shape !== 'collective') return 1;
  return Math.max(1, question.quorum ?? countingHosts(question).length);
}
