import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type EventBody, eventLimits } from '#kernel/event.ts';
import { normaliseBody } from '#kernel/ical/normalise-body.ts';
import { parseObject } from '#kernel/ical/parse-object.ts';
import { createCalendarWriter } from '#kernel/ical/serialise-calendar.ts';
import { boundsOf, occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import { runs } from '../../../test/harness/law-budget.ts';

/*
 * RFC 5545 3.3.6: weeks and days of a length are nominal, hours, minutes and seconds are exact. The days are added on the
 * wall clock first, the exact time to the instant of that. Temporal.ZonedDateTime.add does the same.
 */

const context = { selfAddresses: [], tags: { verify: () => false } };
const window = { fromMs: Date.UTC(2025, 11, 1), toMs: Date.UTC(2028, 0, 1) };

function read(...events: string[][]): EventBody {
  const lines = events.flatMap((event) => ['BEGIN:VEVENT', 'UID:u@example.com', ...event, 'END:VEVENT']);
  return parseObject(['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n'), context).body;
}

const instances = (body: EventBody) => occurrencesOf(body, 'Europe/Berlin', 'Europe/Berlin', window, eventLimits).list;
const basic = (time: Temporal.PlainDateTime) => time.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '');

/** Zones that change their clocks in both directions in both halves of the year, by an hour and by half of one. */
const zone = fc.constantFrom(
  'Europe/Berlin',
  'America/New_York',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'America/Santiago',
  'Asia/Kolkata',
);
const length = fc.record({ days: fc.nat({ max: 9 }), hours: fc.nat({ max: 30 }), minutes: fc.constantFrom(0, 30) });
type Length = { days: number; hours: number; minutes: number };
const printed = ({ days, hours, minutes }: Length) => `P${days}DT${hours}H${minutes}M`;

/** A start within days of a change of the clocks of 2026. */
const places = fc
  .tuple(zone, fc.boolean(), fc.integer({ min: -12_000, max: 3_000 }))
  .map(([name, isSecond, minutes]) => {
    const newYear = Temporal.ZonedDateTime.from(`2026-01-01T12:00[${name}]`);
    const first = newYear.getTimeZoneTransition('next') ?? newYear;
    const change = (isSecond ? first.getTimeZoneTransition('next') : first) ?? first;
    return { name, start: change.add({ minutes: 5 * Math.floor(minutes / 5) }).toPlainDateTime() };
  });

const startIn = (name: string, start: Temporal.PlainDateTime) => `DTSTART;TZID=${name}:${basic(start)}`;
/** Where the clocks leave a start out, the instance begins after the gap, and its days count from there. */
const endMsOf = (startMs: number, name: string, duration: Length) =>
  Temporal.Instant.fromEpochMilliseconds(startMs).toZonedDateTimeISO(name).add(duration).epochMilliseconds;

test('days and hours of an event end where the wall clock and then elapsed time bring it', () => {
  fc.assert(
    fc.property(places, length, ({ name, start }, duration) => {
      const body = read([startIn(name, start), `DURATION:${printed(duration)}`]);
      const bounds = boundsOf(body, 'UTC', 'UTC');
      const wall = start.add({ days: duration.days }).toZonedDateTime(name);
      const startMs = start.toZonedDateTime(name).epochMilliseconds;
      const exact = { hours: duration.hours, minutes: duration.minutes };
      expect(bounds).toEqual({
        startMs,
        endMs: (duration.days === 0 ? start.toZonedDateTime(name) : wall).add(exact).epochMilliseconds,
      });
    }),
    { numRuns: runs(400) },
  );
});

test('each instance of a series has the days and hours of its own place, in a takeout too', () => {
  fc.assert(
    fc.property(places, length, ({ name, start }, duration) => {
      const body = read([startIn(name, start), `DURATION:${printed(duration)}`, 'RRULE:FREQ=DAILY;COUNT=14']);
      const found = instances(body);
      expect(found).toHaveLength(14);
      for (const { startMs, endMs } of found) expect(endMs).toBe(endMsOf(startMs, name, duration));
      if (body.kind !== 'series') return expect.fail(body.kind);
      const shown = (one: EventBody) => instances(one).map(({ startMs, endMs }) => [startMs, endMs]);
      expect(shown(normaliseBody(body))).toEqual(shown(body));
      const writer = createCalendarWriter({ name: 'x', stampMs: 0 });
      const text = writer.head() + writer.event('u', body) + writer.end();
      expect(shown(parseObject(text, context).body)).toEqual(shown(body));
    }),
    { numRuns: runs(200) },
  );
});

test('all instances of "this and all following" have the days and hours of the change', () => {
  fc.assert(
    fc.property(places, length, ({ name, start }, duration) => {
      fc.pre(start.toZonedDateTime(name).toPlainDateTime().equals(start));
      const second = start.add({ days: 1 });
      fc.pre(second.toZonedDateTime(name).toPlainDateTime().equals(second));
      const body = read(
        [startIn(name, start), 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=8'],
        [
          `RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=${name}:${basic(second)}`,
          startIn(name, second),
          `DURATION:${printed(duration)}`,
        ],
      );
      const [first, ...following] = instances(body);
      expect(first && first.endMs - first.startMs).toBe(3_600_000);
      expect(following).toHaveLength(7);
      for (const { startMs, endMs } of following) {
        const wall = Temporal.Instant.fromEpochMilliseconds(startMs).toZonedDateTimeISO(name).toPlainTime();
        // one in a gap of the clocks counts its days from the time that the rule has
        if (wall.equals(start.toPlainTime())) expect(endMs).toBe(endMsOf(startMs, name, duration));
      }
    }),
    { numRuns: runs(200) },
  );
});

test('a period of an extra date has its days and hours', () => {
  fc.assert(
    fc.property(places, length, ({ name, start }, duration) => {
      fc.pre(duration.days + duration.hours + duration.minutes > 0);
      const extra = start.add({ days: 20 });
      const body = read([
        startIn(name, start),
        'DURATION:PT1H',
        `RDATE;VALUE=PERIOD;TZID=${name}:${basic(start)}/${printed(duration)},${basic(extra)}/${printed(duration)}`,
      ]);
      const found = instances(body);
      expect(found).toHaveLength(2);
      for (const { startMs, endMs } of found) expect(endMs).toBe(endMsOf(startMs, name, duration));
    }),
    { numRuns: runs(200) },
  );
});

test.each([
  ['spring', '2026-03-28', 29],
  ['autumn', '2026-10-24', 31],
])('a day and six hours over the night of %s take what the clock says', (_, day, hours) => {
  const body = read([
    `DTSTART;TZID=Europe/Berlin:${day.replaceAll('-', '')}T120000`,
    'DURATION:P1DT6H',
    'RRULE:FREQ=DAILY;COUNT=2',
  ]);
  const [first, second] = instances(body);
  expect([first, second].map((one) => one && (one.endMs - one.startMs) / 3_600_000)).toEqual([hours, 30]);
});
