import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type EventBody, eventLimits, type When } from '#kernel/event.ts';
import { firstRecId } from '#kernel/ical/series-frame.ts';
import { occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import { runs } from '../../../../test/harness/law-budget.ts';
import { keepKnown } from './keep-known.ts';

const zones = ['Europe/Berlin', 'America/New_York'] as const;
const core = { busy: 'busy', private: false, self: 'none', kind: 'default' } as const;
const two = (n: number) => String(n).padStart(2, '0');

const when: fc.Arbitrary<When> = fc
  .record({
    kind: fc.constantFrom('zoned', 'floating', 'all-day'),
    day: fc.integer({ min: 1, max: 20 }),
    month: fc.constantFrom(3, 10),
    hour: fc.nat({ max: 3 }),
    hours: fc.integer({ min: 1, max: 30 }),
    zone: fc.constantFrom(...zones),
  })
  .map(({ kind, day, month, hour, hours, zone }): When => {
    const date = `2027-${two(month)}-${two(day)}`;
    if (kind === 'all-day') return { kind, start: date, end: `2027-${two(month)}-${two(day + 1 + (hours % 3))}` };
    const start = `${date}T${two(hour)}:00:00`;
    const duration = { seconds: hours * 3_600 };
    return kind === 'zoned' ? { kind, start, zone, duration } : { kind: 'floating', start, duration };
  });
const part = fc.oneof(
  when.map((one): EventBody => ({ kind: 'single', when: one, core })),
  fc.array(when, { maxLength: 3 }).map(
    (all): EventBody => ({
      kind: 'instances',
      of: 'x',
      from: -8.64e15,
      to: 8.64e15,
      list: Object.fromEntries(all.map((one) => [firstRecId(one), { when: one, core }])),
    }),
  ),
);
const series = fc
  .record({
    when,
    rule: fc.constantFrom('FREQ=DAILY;COUNT=4', 'FREQ=WEEKLY;COUNT=3'),
    excludes: fc.boolean(),
    moved: when,
  })
  .map(({ when: own, rule, excludes, moved }): EventBody => {
    const first = firstRecId(own);
    return {
      kind: 'series',
      when: own,
      core,
      rules: [rule],
      exRules: [],
      extraDates: [],
      exdates: excludes ? [first] : [],
      overrides: excludes ? {} : { [first]: { when: moved, core } },
    };
  });
const body = fc.oneof(part, series);

const window = { fromMs: Date.UTC(2026, 0), toMs: Date.UTC(2029, 0) };
const timesOf = (of: EventBody) => occurrencesOf(of, 'Asia/Tokyo', 'Europe/Berlin', window, eventLimits).list;

test('an event that is read in part keeps all of its known times, and takes every time that the part names', () => {
  fc.assert(
    fc.property(body, part, (before, now) => {
      const kept = keepKnown(before, now, 'Asia/Tokyo', 'Europe/Berlin');
      const times = timesOf(kept);
      for (const { startMs, endMs } of [...timesOf(before), ...timesOf(now)]) {
        expect(times.some((one) => one.startMs <= startMs && one.endMs >= endMs)).toBe(true);
      }
      expect(times.length).toBeLessThanOrEqual(timesOf(before).length + timesOf(now).length);
      expect(keepKnown(kept, now, 'Asia/Tokyo', 'Europe/Berlin')).toBe(kept);
    }),
    { numRuns: runs(1_000) },
  );
});

test('an event of which nothing is known any more stays as it was', () => {
  const before: EventBody = { kind: 'single', when: { kind: 'all-day', start: '2027-03-08', end: '2027-03-09' }, core };
  expect(keepKnown(before, { kind: 'withheld', reason: 'start-missing' }, 'UTC', 'UTC')).toBe(before);
});
