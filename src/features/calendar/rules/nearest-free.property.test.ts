import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultHours } from '#features/availability/rules/hours.ts';
import { compileFacts, compileHours, openSpans } from '#features/availability/rules/open-spans.ts';
import { normalizeSpans, overlaps, type Span, subtractSpans } from '#kernel/time/intervals.ts';
import { runs } from '../../../../test/harness/law-budget.ts';
import { nearestFree, nearestFreeDays, stepMs } from './nearest-free.ts';

const noFacts = compileFacts({ daysOff: [], holidays: [], travels: [] });
const workingSpans = (range: Span, zone: string) => openSpans(compileHours(defaultHours(zone)), noFacts, range);

const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Auckland'];
/** Around the days on which clocks change, in both halves of the world, both ways. */
const near = fc
  .tuple(
    fc.constantFrom('2027-03-14', '2027-03-28', '2027-04-04', '2027-09-26', '2027-10-03', '2027-10-31', '2027-11-07'),
    fc.integer({ min: -4 * 96, max: 4 * 96 }),
    fc.constantFrom(0, 0, 0, 300_000, 123_456),
  )
  .map(([day, quarters, odd]) => Temporal.Instant.from(`${day}T00:00Z`).epochMilliseconds + quarters * stepMs + odd);
const span = fc
  .tuple(near, fc.integer({ min: 1, max: 500 }))
  .map(([startMs, minutes]) => ({ startMs, endMs: startMs + minutes * 60_000 }));
const question = fc
  .record({
    wanted: span,
    busy: fc.array(span, { maxLength: 40 }),
    zone: fc.constantFrom(...zones),
    count: fc.constantFrom(1, 3),
  })
  .map(({ wanted, busy, zone, count }) => {
    const range = { startMs: wanted.startMs - 3 * 86_400_000, endMs: wanted.endMs + 3 * 86_400_000 };
    const list = normalizeSpans([...busy, wanted]);
    return { wanted, range, busy: list, preferred: workingSpans(range, zone), count, zone };
  });

/** Every window there could be, looked at one by one. */
function allWindows({ wanted, range }: { wanted: Span; range: Span }): Span[] {
  const windows: Span[] = [];
  const lengthMs = wanted.endMs - wanted.startMs;
  for (let at = Math.ceil(range.startMs / stepMs) * stepMs; at + lengthMs <= range.endMs; at += stepMs) {
    windows.push({ startMs: at, endMs: at + lengthMs });
  }
  return windows;
}

const inside = (window: Span, list: readonly Span[]) => subtractSpans([window], list).length === 0;

test('suggested windows are free, as long as requested, disjoint, and the nearest ones', () => {
  fc.assert(
    fc.property(question, (asked) => {
      const { wanted, busy, preferred, count } = asked;
      const chosen = nearestFree(asked);
      const prefers = preferred.some((hours) => overlaps(hours, wanted));
      const free = allWindows(asked).filter((window) => !busy.some((taken) => overlaps(taken, window)));
      const rankOf = (window: Span) => (prefers && inside(window, preferred) ? 0 : 1);
      const distance = (window: Span) => Math.abs(window.startMs - wanted.startMs);
      const before: Span[] = [];
      for (const window of chosen) {
        expect(window.endMs - window.startMs).toBe(wanted.endMs - wanted.startMs);
        expect(busy.some((taken) => overlaps(taken, window))).toBe(false);
        expect(before.some((other) => overlaps(other, window))).toBe(false);
        const rivals = free.filter((other) => !before.some((taken) => overlaps(taken, other)));
        for (const rival of rivals) {
          expect(rankOf(rival)).toBeGreaterThanOrEqual(rankOf(window));
          if (rankOf(rival) === rankOf(window)) expect(distance(rival)).toBeGreaterThanOrEqual(distance(window));
        }
        before.push(window);
      }
      // fewer than asked for only where there is no other
      if (chosen.length < count) {
        expect(free.filter((other) => !before.some((taken) => overlaps(taken, other)))).toEqual([]);
      }
    }),
    { numRuns: runs(300) },
  );
});

test('an event outside working hours moves to the nearest free time, and one inside them stays inside', () => {
  const at = (text: string) => Temporal.ZonedDateTime.from(`${text}[Europe/Berlin]`).epochMilliseconds;
  const ask = (from: string, to: string) => {
    const wanted = { startMs: at(from), endMs: at(to) };
    const range = { startMs: wanted.startMs - 14 * 86_400_000, endMs: wanted.endMs + 14 * 86_400_000 };
    const preferred = workingSpans(range, 'Europe/Berlin');
    return nearestFree({ wanted, range, busy: [wanted], preferred, count: 3 }).map(({ startMs }) =>
      Temporal.Instant.fromEpochMilliseconds(startMs).toZonedDateTimeISO('Europe/Berlin').toPlainDateTime().toString(),
    );
  };
  expect(ask('2027-03-06T20:00', '2027-03-06T22:00')).toEqual([
    '2027-03-06T22:00:00',
    '2027-03-06T18:00:00',
    '2027-03-07T00:00:00',
  ]);
  // Friday at four: one later is after work, so the afternoon before, and Monday only when the day is over
  expect(ask('2027-03-26T16:00', '2027-03-26T17:00')).toEqual([
    '2027-03-26T15:00:00',
    '2027-03-26T14:00:00',
    '2027-03-26T13:00:00',
  ]);
});

test('an all-day event moves by whole days, also over a day of 23 or 25 hours', () => {
  const at = (day: string) => Temporal.PlainDate.from(day).toZonedDateTime('Europe/Berlin').epochMilliseconds;
  const ask = (from: string, to: string, ...taken: [string, string][]) => {
    const wanted = { startMs: at(from), endMs: at(to) };
    const range = { startMs: wanted.startMs - 14 * 86_400_000, endMs: wanted.endMs + 14 * 86_400_000 };
    const busy = normalizeSpans([wanted, ...taken.map(([start, end]) => ({ startMs: at(start), endMs: at(end) }))]);
    return nearestFreeDays({ wanted, range, busy, count: 3 }, 'Europe/Berlin')?.map(({ startMs, endMs }) =>
      [startMs, endMs].map((ms) =>
        Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('Europe/Berlin').toPlainDate().toString(),
      ),
    );
  };
  expect(ask('2027-03-27', '2027-03-28')).toEqual([
    ['2027-03-28', '2027-03-29'],
    ['2027-03-26', '2027-03-27'],
    ['2027-03-29', '2027-03-30'],
  ]);
  expect(ask('2027-10-30', '2027-11-01', ['2027-11-01', '2027-11-02'], ['2027-10-20', '2027-10-30'])).toEqual([
    ['2027-11-02', '2027-11-04'],
    ['2027-11-04', '2027-11-06'],
    ['2027-11-06', '2027-11-08'],
  ]);
  const hour = { startMs: at('2027-03-27'), endMs: at('2027-03-27') + 3_600_000 };
  expect(nearestFreeDays({ wanted: hour, range: hour, busy: [], count: 3 }, 'Europe/Berlin')).toBeNull();
});
