import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Core } from '#kernel/event.ts';
import { openSeries } from '#kernel/recurrence/open-series.ts';
import { makeRecId } from '#kernel/time/rec-id.ts';
import type { GraphEvent } from './graph-event.ts';
import { readSeries } from './read-series.ts';

const core: Core = { busy: 'busy', private: true, self: 'none', kind: 'default' };
/** By an hour in spring and autumn, by half of one, and never. */
const zones = {
  'Europe/Berlin': 'W. Europe Standard Time',
  'America/New_York': 'Eastern Standard Time',
  'Australia/Lord_Howe': 'Lord Howe Standard Time',
  'Asia/Kolkata': 'India Standard Time',
} as const;
const window = { fromMs: Date.UTC(2027, 0, 1), toMs: Date.UTC(2028, 1, 1) };

it('a daily series starts and ends by the wall clock in every night of every zone', () => {
  const changed = new Set<string>();
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 500 }),
      fc.constantFrom('00:00', '01:15', '02:30', '09:00', '21:30', '23:45'),
      fc.constantFrom(15, 60, 90, 240, 480, 600, 1_320),
      fc.constantFrom(...(Object.keys(zones) as (keyof typeof zones)[])),
      (days, time, minutes, zone) => {
        const first = Temporal.PlainDate.from('2026-10-01').add({ days }).toPlainDateTime(time);
        const momentOf = (local: Temporal.PlainDateTime) => local.toZonedDateTime(zone);
        const endOf = (local: Temporal.PlainDateTime) => momentOf(local.add({ minutes }));
        // the first is told as instants, which do not say of which of two equal times they are, or that one was left out
        const isTold = (at: Temporal.PlainDateTime) => momentOf(at).toPlainDateTime().equals(at);
        fc.pre(isTold(first) && isTold(first.add({ minutes })) && momentOf(first).until(endOf(first)).sign > 0);
        const edge = (at: Temporal.ZonedDateTime) => ({
          dateTime: at.withTimeZone('UTC').toPlainDateTime().toString({ fractionalSecondDigits: 7 }),
          timeZone: 'UTC',
        });
        const master = {
          originalStartTimeZone: zones[zone],
          start: edge(momentOf(first)),
          end: edge(endOf(first)),
          recurrence: {
            pattern: { type: 'daily', interval: 1 },
            range: { type: 'noEnd', startDate: first.toString().slice(0, 10), recurrenceTimeZone: zones[zone] },
          },
          exceptionOccurrences: [],
          cancelledOccurrences: [],
        } as unknown as GraphEvent;
        const series = readSeries(master, () => core, window)?.series;
        if (series === undefined || series.when.kind !== 'zoned') throw new Error('not read as a series');
        const { when, overrides } = series;
        const open = openSeries({ ...series, start: when.start, zone: when.zone });
        const found = open.between(window.fromMs, window.toMs).startsMs.map((startMs) => {
          const own = overrides[makeRecId('zoned', startMs)]?.when ?? when;
          const seconds = (own.kind === 'zoned' && own.duration.seconds) || Number.NaN;
          return [startMs, startMs + seconds * 1_000];
        });
        const expected: number[][] = [];
        for (let local = first; momentOf(local).epochMilliseconds < window.toMs; local = local.add({ days: 1 })) {
          const [from, to] = [momentOf(local).epochMilliseconds, endOf(local).epochMilliseconds];
          // an instance that would end before it starts keeps its usual length
          if (from >= window.fromMs) expected.push([from, to > from ? to : from + minutes * 60_000]);
        }
        expect(found).toEqual(expected);
        for (const [from = 0, to = 0] of expected) {
          if (to - from !== minutes * 60_000) changed.add(`${zone} ${to - from > minutes * 60_000}`);
        }
      },
    ),
    { numRuns: 150 },
  );
  // shorter and longer, in each zone that changes its clocks
  expect(changed.size).toBe(6);
});
