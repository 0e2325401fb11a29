import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BookingId } from '#kernel/ids.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { containsMs } from '#kernel/time/intervals.ts';
import { loadZone, utc, type Zone } from '#kernel/time/zones.ts';
import { runs } from '../../../../test/harness/law-budget.ts';
import { analyticsContract } from '../contract.ts';
import { addCounts, type BookingFact, type Counts, none } from './count-booking.ts';
import { differenceByDay, onlyOver, sumByDay, sumOf } from './day-sums.ts';
import { definitions } from './definitions.ts';
import { bookingTimeOf, noShowOf, totalOf, trendsOf } from './figures.ts';
import { panels } from './measures.ts';
import {
  bucketsOf,
  dateOf,
  dayOf,
  granularityOf,
  isoWeekOf,
  monthPeriod,
  periodOf,
  readPeriod,
  spanOf,
} from './period.ts';

const zones = [
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'Pacific/Apia',
];
const anyZone = fc.constantFrom(...zones).map((name) => loadZone(name) as Zone);
// around changes of the clock both ways, on both halves of the earth
const anyMs = fc.integer({ min: Date.UTC(2025, 9, 1), max: Date.UTC(2026, 5, 1) });

const anyFact: fc.Arbitrary<BookingFact> = fc
  .record({
    createdMs: anyMs,
    leadMs: fc.integer({ min: 0, max: 40 * dayMs }),
    lengthMs: fc.constantFrom(900_000, 1_800_000, 3_600_000, 36 * 3_600_000),
    state: fc.constantFrom('pending', 'confirmed', 'declined', 'cancelled', 'expired'),
    endedAfterMs: fc.integer({ min: 0, max: 50 * dayMs }),
    guestNoShow: fc.boolean(),
    hostNoShow: fc.boolean(),
  })
  .map(({ leadMs, lengthMs, endedAfterMs, ...rest }) => {
    const startMs = rest.createdMs + leadMs;
    const hasEnded = rest.state !== 'pending' && rest.state !== 'confirmed';
    return {
      ...rest,
      id: `${rest.createdMs}` as BookingId,
      hostIds: [],
      eventTypeId: null,
      teamId: null,
      calendarId: null,
      startMs,
      endMs: startMs + lengthMs,
      endedMs: hasEnded ? rest.createdMs + endedAfterMs : null,
      confirmedMs: rest.createdMs,
      guestZone: null,
    };
  });

const always = { firstDay: 0, endDay: 40_000 };

test('incremental daily sums agree with a full recount', () => {
  fc.assert(
    fc.property(anyZone, fc.array(fc.tuple(anyFact, anyFact), { maxLength: 12 }), (zone, histories) => {
      const kept = new Map<number, Counts>();
      const take = (before: BookingFact | null, after: BookingFact | null) => {
        for (const { day, counts } of differenceByDay(before, after, zone)) {
          const sum = kept.get(day) ?? { ...none };
          addCounts(sum, counts);
          kept.set(day, sum);
        }
      };
      for (const [first, then] of histories) {
        take(null, first);
        take(first, then);
      }
      const anew = sumByDay(
        histories.map(([, then]) => then),
        zone,
        always,
      );
      for (const day of new Set([...kept.keys(), ...anew.keys()]))
        expect(kept.get(day) ?? none).toEqual(anew.get(day) ?? none);
    }),
    { numRuns: runs(100) },
  );
});

test('the points of each trend line add up to the figure of the period', () => {
  fc.assert(
    fc.property(
      anyZone,
      fc.array(anyFact, { maxLength: 20 }),
      anyMs,
      fc.integer({ min: 1, max: 300 }),
      (zone, facts, nowMs, length) => {
        const endDay = dayOf(zone, nowMs) + 1;
        const period = periodOf({ firstDay: endDay - length, endDay }, zone);
        const sums = onlyOver(sumByDay(facts, zone, always), facts, zone, nowMs);
        const { series, total_events: total } = trendsOf(sums, period, nowMs);
        const all = (name: 'bookings_created' | 'meetings_held' | 'cancellations' | 'no_shows') =>
          series[name].reduce((sum, { y }) => sum + (y ?? 0), 0);
        expect(all('bookings_created')).toBe(total);
        const span = spanOf(period, zone);
        const inPeriod = (atMs: number) => containsMs(span, atMs);
        expect(total).toBe(facts.filter(({ createdMs }) => inPeriod(createdMs)).length);
        const held = facts.filter(
          (one) =>
            inPeriod(one.startMs) &&
            one.endMs <= nowMs &&
            one.state === 'confirmed' &&
            !one.guestNoShow &&
            !one.hostNoShow,
        );
        expect(all('meetings_held')).toBe(held.length);
        expect(totalOf(sums, period, 0)).toMatchObject({ value: total, held: held.length });
        expect(noShowOf(sums, period).numerator).toBe(all('no_shows'));
        expect(bookingTimeOf(sums, period).bookings).toBeLessThanOrEqual(total);
        expect(sumOf(sums, period).created + sumOf(sums, period.previous).created).toBeLessThanOrEqual(facts.length);
      },
    ),
    { numRuns: runs(100) },
  );
});

test('trend buckets cover a range once, and weekly buckets begin on Monday', () => {
  fc.assert(
    fc.property(fc.integer({ min: 18_000, max: 22_000 }), fc.integer({ min: 1, max: 731 }), (firstDay, length) => {
      const days = { firstDay, endDay: firstDay + length };
      const granularity = granularityOf(days);
      const starts = bucketsOf(days, granularity);
      expect(starts[0]).toBe(firstDay);
      expect(starts.every((start, n) => n === 0 || start > (starts[n - 1] ?? 0))).toBe(true);
      for (const start of starts.slice(1)) {
        const date = Temporal.PlainDate.from(dateOf(start));
        if (granularity === 'week') expect(date.dayOfWeek).toBe(1);
        if (granularity === 'month') expect(date.day).toBe(1);
      }
      const date = Temporal.PlainDate.from(dateOf(firstDay));
      expect(isoWeekOf(firstDay)).toBe(`${date.yearOfWeek}-W${String(date.weekOfYear).padStart(2, '0')}`);
    }),
  );
});

test('a period without dates is the last 30 days including today, and an invalid range is refused', () => {
  const nowMs = Temporal.Instant.from('2026-03-29T00:30:00Z').epochMilliseconds;
  const berlin = loadZone('Europe/Berlin') as Zone;
  const period = readPeriod({}, berlin, nowMs);
  expect(period && [dateOf(period.firstDay), dateOf(period.endDay)]).toEqual(['2026-02-28', '2026-03-30']);
  expect(period && dateOf(period.previous.firstDay)).toBe('2026-01-29');
  expect(readPeriod({ from: '2026-03-29', to: '2026-03-29' }, berlin, nowMs)).toBeNull();
  expect(readPeriod({ from: '2023-01-01', to: '2026-01-01' }, berlin, nowMs)).toBeNull();
  expect(readPeriod({ from: '2026-02-30', to: '2026-03-01' }, berlin, nowMs)).toBeNull();
});

test('a month is compared with the same days of the previous month, which may be shorter', () => {
  const of = (at: string) => {
    const { firstDay, endDay, previous } = monthPeriod(utc, Temporal.Instant.from(at).epochMilliseconds);
    return [firstDay, endDay, previous.firstDay, previous.endDay].map(dateOf);
  };
  expect(of('2026-03-10T12:00:00Z')).toEqual(['2026-03-01', '2026-03-11', '2026-02-01', '2026-02-11']);
  expect(of('2026-03-31T12:00:00Z')).toEqual(['2026-03-01', '2026-04-01', '2026-02-01', '2026-03-01']);
});

test('every analytics panel has a definition and an endpoint', () => {
  expect(Object.keys(definitions).toSorted()).toEqual([...panels].toSorted());
  const figures = Object.values(analyticsContract).filter(({ path }) =>
    panels.some((panel) => path.endsWith(`/${panel}`)),
  );
  expect(figures).toHaveLength(panels.length);
});
