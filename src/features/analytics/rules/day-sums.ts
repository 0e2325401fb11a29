import type { Zone } from '#kernel/time/zones.ts';
import { addCounts, type BookingFact, type Counts, countBooking, measures, none, overOnly } from './count-booking.ts';
import { type Days, dayOf } from './period.ts';

/** Sums by day number. */
export type DaySums = ReadonlyMap<number, Counts>;

/** The sums of bookings, by the days of a zone: what the kept sums must agree with. */
export function sumByDay(facts: Iterable<BookingFact>, zone: Zone, days: Days): Map<number, Counts> {
  const sums = new Map<number, Counts>();
  for (const fact of facts) {
    for (const { atMs, counts } of countBooking(fact)) {
      const day = dayOf(zone, atMs);
      if (day < days.firstDay || day >= days.endDay) continue;
      const sum = sums.get(day) ?? { ...none };
      addCounts(sum, counts);
      sums.set(day, sum);
    }
  }
  return sums;
}

/** Without what is counted by start and not over yet, of the bookings that are not. */
export function onlyOver(sums: DaySums, facts: Iterable<BookingFact>, zone: Zone, nowMs: number): DaySums {
  const over = new Map([...sums].map(([day, counts]) => [day, { ...counts }]));
  for (const fact of facts) {
    if (fact.endMs <= nowMs) continue;
    for (const { atMs, counts } of countBooking(fact)) {
      const sum = over.get(dayOf(zone, atMs));
      if (sum === undefined || atMs !== fact.startMs) continue;
      for (const name of overOnly) sum[name] -= counts[name] ?? 0;
    }
  }
  return over;
}

/** All of a range together. */
export function sumOf(sums: DaySums, { firstDay, endDay }: Days): Counts {
  const all = { ...none };
  for (const [day, counts] of sums) if (day >= firstDay && day < endDay) addCounts(all, counts);
  return all;
}

/** One more, or one fewer, of what a booking counts each day: what changes when it does. */
export function differenceByDay(
  before: BookingFact | null,
  after: BookingFact | null,
  zone: Zone,
): { day: number; counts: Counts }[] {
  const sums = new Map<number, Counts>();
  for (const [fact, sign] of [
    [before, -1],
    [after, 1],
  ] as const) {
    for (const { atMs, counts } of fact === null ? [] : countBooking(fact)) {
      const day = dayOf(zone, atMs);
      const sum = sums.get(day) ?? { ...none };
      addCounts(sum, counts, sign);
      sums.set(day, sum);
    }
  }
  return [...sums]
    .filter(([, counts]) => measures.some((name) => counts[name] !== 0))
    .map(([day, counts]) => ({ day, counts }))
    .toSorted((one, other) => one.day - other.day);
}
