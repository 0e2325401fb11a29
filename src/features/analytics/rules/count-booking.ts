import type { BookingId, CalendarId, EventTypeId, TeamId, UserId } from '#kernel/ids.ts';
import { minuteMs } from '#kernel/time/civil.ts';

/** A booking that was asked for or stands, as it is counted; a rescheduled one is one. Epoch ms. */
export interface BookingFact {
  id: BookingId;
  /** Whom it is with. */
  hostIds: readonly UserId[];
  eventTypeId: EventTypeId | null;
  teamId: TeamId | null;
  calendarId: CalendarId | null;
  state: 'pending' | 'confirmed' | 'declined' | 'cancelled' | 'expired';
  createdMs: number;
  startMs: number;
  endMs: number;
  /** When it was declined, cancelled or not answered in time. */
  endedMs: number | null;
  confirmedMs: number | null;
  guestNoShow: boolean;
  hostNoShow: boolean;
  guestZone: string | null;
}

/** The sums of a day. Every figure by day follows from them. */
export const measures = [
  'created',
  'leadMs', // part of created: from booking to start
  'kept', // part of created: without bookings cancelled within five minutes
  'keptLeadMs',
  'cancelled', // by when it was
  'standing', // by start: confirmed, and nobody was marked as not there
  'due', // by start: not cancelled before it
  'noShows', // by start: the guest was not there
  'hostNoShows',
] as const;
export type Measure = (typeof measures)[number];
export type Counts = Record<Measure, number>;

export const none: Counts = Object.freeze(Object.fromEntries(measures.map((name) => [name, 0])) as Counts);

const regretMs = 5 * minuteMs;

/** The counts of a booking, each at its moment. */
export function countBooking(fact: BookingFact): { atMs: number; counts: Partial<Counts> }[] {
  const { state, createdMs, startMs, endedMs, guestNoShow, hostNoShow } = fact;
  const leadMs = startMs - createdMs;
  const cancelledMs = state === 'cancelled' ? endedMs : null;
  const isKept = cancelledMs === null || cancelledMs - createdMs > regretMs;
  const isConfirmed = state === 'confirmed';
  const isDue = isConfirmed || (cancelledMs !== null && cancelledMs >= startMs);
  return [
    { atMs: createdMs, counts: { created: 1, leadMs, ...(isKept ? { kept: 1, keptLeadMs: leadMs } : {}) } },
    ...(cancelledMs === null ? [] : [{ atMs: cancelledMs, counts: { cancelled: 1 } }]),
    ...(isDue ? [{ atMs: startMs, counts: countMeeting(isConfirmed, guestNoShow, hostNoShow) }] : []),
  ];
}

function countMeeting(isConfirmed: boolean, guestNoShow: boolean, hostNoShow: boolean): Partial<Counts> {
  if (!isConfirmed) return { due: 1 };
  return {
    due: 1,
    standing: guestNoShow || hostNoShow ? 0 : 1,
    noShows: guestNoShow ? 1 : 0,
    hostNoShows: hostNoShow ? 1 : 0,
  };
}

/** Measures that count only once the booking is over. */
export const overOnly: readonly Measure[] = ['standing', 'due', 'noShows', 'hostNoShows'];

export function addCounts(to: Counts, counts: Partial<Counts>, sign: 1 | -1 = 1): void {
  for (const name of measures) to[name] += sign * (counts[name] ?? 0);
}
