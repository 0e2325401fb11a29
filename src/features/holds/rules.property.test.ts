import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rankAt } from '#features/availability/rules/hold-rules.ts';
import { contains, normalizeSpans, overlaps, type Span } from '#kernel/time/intervals.ts';
import { runs } from '../../../test/harness/law-budget.ts';
import { type AllowedRange, type HoldQuestion, planHold, rangeOf, shortestMs } from './rules.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Weeks whose clocks jump ahead, fall back, or do neither, by an hour or by half of one. */
const weeks = [
  { zone: 'America/New_York', from: '2027-03-08T00:00:00-05:00' },
  { zone: 'America/New_York', from: '2027-11-01T00:00:00-04:00' },
  { zone: 'Europe/Berlin', from: '2027-03-22T00:00:00+01:00' },
  { zone: 'Europe/Berlin', from: '2027-10-25T00:00:00+02:00' },
  { zone: 'Australia/Lord_Howe', from: '2027-03-29T00:00:00+11:00' },
  { zone: 'Australia/Lord_Howe', from: '2027-09-27T00:00:00+10:30' },
  { zone: 'Asia/Kathmandu', from: '2027-05-03T00:00:00+05:45' },
].map(({ zone, from }) => {
  const start = Temporal.Instant.from(from);
  const first = start.toZonedDateTimeISO(zone).toPlainDate();
  const hours = Array.from({ length: 9 }, (_, n) => {
    const at = (plainTime: string) =>
      first.add({ days: n }).toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds;
    return { startMs: at('09:00'), endMs: at('17:00') };
  });
  return { zone, fromMs: start.epochMilliseconds, hours };
});

const ranges: fc.Arbitrary<AllowedRange> = fc.constantFrom({ kind: 'none' }, { kind: 'day' }, { kind: 'week' });
const quarters = (most: number) => fc.integer({ min: 0, max: most }).map((count) => count * 15 * minute);
const spans = (fromMs: number, count: number) =>
  fc.array(
    fc
      .tuple(quarters(8 * 96), fc.integer({ min: 5, max: 600 }))
      .map(([afterMs, minutes]): Span => ({ startMs: fromMs + afterMs, endMs: fromMs + afterMs + minutes * minute })),
    { maxLength: count },
  );

const questions = fc
  .record({ week: fc.constantFrom(...weeks), range: ranges, bound: fc.boolean() })
  .chain(({ week: { zone, fromMs, hours }, range, bound }) =>
    fc
      .record({
        home: fc
          .tuple(quarters(7 * 96 - 1), fc.integer({ min: 5, max: 300 }))
          .map(([afterMs, minutes]) => ({ startMs: fromMs + afterMs, endMs: fromMs + afterMs + minutes * minute })),
        over: spans(fromMs, 4),
        busy: spans(fromMs, 12),
        nowMs: fc.integer({ min: -day, max: 8 * day }).map((ms) => fromMs + ms),
        at: fc.constantFrom('home', 'elsewhere', 'nowhere'),
        shift: quarters(96),
      })
      .map(({ home, over, busy, nowMs, at, shift }): HoldQuestion & { zone: string } => {
        const elsewhere = { startMs: home.startMs + shift, endMs: home.endMs + shift };
        return {
          zone,
          home,
          at: at === 'home' ? home : at === 'nowhere' ? null : elsewhere,
          range: rangeOf(range, home, zone),
          open: bound ? hours : [],
          over,
          taken: normalizeSpans([...over, ...busy]),
          nowMs,
        };
      }),
  );

const lengthOf = ({ startMs, endMs }: Span) => endMs - startMs;

test('a planned tentative hold overlaps nothing busy, stays in its range and is not in the past', () => {
  fc.assert(
    fc.property(questions, (question) => {
      const plan = planHold(question);
      if (plan.kind === 'stay' || plan.kind === 'gone') return;
      const { home, range, open, taken, nowMs } = question;
      const { at } = plan;
      expect(taken.some((one) => overlaps(one, at))).toBe(false);
      expect(at.startMs).toBeGreaterThanOrEqual(nowMs);
      expect(at.startMs % minute).toBe(0);
      expect(contains([range], at) || contains([home], at)).toBe(true);
      if (plan.kind === 'returned') expect(at).toEqual(home);
      if (plan.kind === 'moved') {
        expect(lengthOf(at)).toBe(lengthOf(home));
        if (open.some((one) => overlaps(one, home))) expect(contains(normalizeSpans(open), at)).toBe(true);
      }
      if (plan.kind === 'shrunk') expect(lengthOf(at)).toBeGreaterThanOrEqual(shortestMs);
    }),
    { numRuns: 2_000 },
  );
  // The questions lead to every kind of plan. The rarest is one in some hundred, so these are always the same.
  const kinds = new Set(fc.sample(questions, { numRuns: 2_000, seed: 11 }).map((question) => planHold(question).kind));
  expect([...kinds].sort()).toEqual(['gone', 'moved', 'returned', 'shrunk', 'stay']);
});

test('planning a tentative hold again changes nothing', () => {
  fc.assert(
    fc.property(questions, (question) => {
      const plan = planHold(question);
      if (plan.kind === 'stay') return;
      expect(planHold({ ...question, at: plan.kind === 'gone' ? null : plan.at })).toEqual({ kind: 'stay' });
    }),
    { numRuns: runs(2_000) },
  );
});

test('a tentative hold never stays under a future booking', () => {
  fc.assert(
    fc.property(questions, (question) => {
      const { at, over, nowMs } = question;
      const plan = planHold(question);
      const then = plan.kind === 'stay' ? at : plan.kind === 'gone' ? null : plan.at;
      if (then !== null && then.endMs > nowMs) expect(over.some((one) => overlaps(one, then))).toBe(false);
    }),
    { numRuns: runs(2_000) },
  );
});

test('a moved or shrunk tentative hold skips no earlier free quarter hour', () => {
  fc.assert(
    fc.property(questions, (question) => {
      const plan = planHold(question);
      const { home, at, range, open, taken, nowMs } = question;
      if (at === null || plan.kind === 'stay' || plan.kind === 'returned') return;
      const bound = open.some((one) => overlaps(one, home));
      const upTo = plan.kind === 'moved' ? plan.at.startMs : range.endMs;
      const first = Math.ceil(Math.max(at.startMs, range.startMs, nowMs) / (15 * minute)) * 15 * minute;
      for (let startMs = first; startMs < upTo; startMs += 15 * minute) {
        const window = { startMs, endMs: startMs + lengthOf(home) };
        const isFree =
          contains([range], window) &&
          (!bound || contains(normalizeSpans(open), window)) &&
          !taken.some((one) => overlaps(one, window));
        // one before its place is taken only where none is behind it
        expect(isFree && !(plan.kind === 'moved' && plan.at.startMs < at.startMs && startMs >= at.startMs)).toBe(false);
      }
    }),
    { numRuns: runs(1_000) },
  );
});

test('the range of a tentative hold covers local days and weeks across clock changes', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...weeks),
      quarters(7 * 96 - 1),
      fc.integer({ min: 5, max: 300 }),
      (week, afterMs, length) => {
        const startMs = week.fromMs + afterMs;
        const home = { startMs, endMs: startMs + length * minute };
        const wall = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(week.zone);
        const today = rangeOf({ kind: 'day' }, home, week.zone);
        const whole = rangeOf({ kind: 'week' }, home, week.zone);
        for (const range of [today, whole]) {
          expect(contains([range], home)).toBe(true);
          expect(wall(range.startMs).equals(wall(range.startMs).startOfDay())).toBe(true);
          expect(wall(range.endMs).equals(wall(range.endMs).startOfDay())).toBe(true);
        }
        expect(wall(today.startMs).toPlainDate().equals(wall(home.startMs).toPlainDate())).toBe(true);
        expect(wall(whole.startMs).dayOfWeek).toBe(1);
        expect(wall(whole.endMs).dayOfWeek).toBe(1);
        const { first, last } = {
          first: wall(home.startMs).toPlainDate().toString(),
          last: wall(home.endMs - 1)
            .toPlainDate()
            .toString(),
        };
        expect(rangeOf({ kind: 'days', first, last }, home, week.zone)).toEqual(today);
        expect(rangeOf({ kind: 'none' }, home, week.zone)).toEqual(home);
      },
    ),
  );
});

test('a tentative hold becomes critical exactly its set time before the start, across clock changes', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...weeks),
      quarters(7 * 96),
      fc.integer({ min: 1, max: 43_200 }),
      fc.constantFrom(2 as const, 3 as const, 4 as const),
      (week, afterMs, minutes, rank) => {
        const startMs = week.fromMs + afterMs;
        const hold = { rank, hardenMs: minutes * minute };
        expect(rankAt(hold, startMs, startMs - minutes * minute - 1)).toBe(rank);
        expect(rankAt(hold, startMs, startMs - minutes * minute)).toBe(1);
        expect(rankAt({ rank, hardenMs: null }, startMs, startMs + day)).toBe(rank);
      },
    ),
  );
});
