import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventBody, Single } from '#kernel/event.ts';
import { parseObject } from '#kernel/ical/parse-object.ts';
import { patchObject } from '#kernel/ical/patch-object.ts';
import { occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import { printBasicDateTime } from '#kernel/time/local.ts';
import { runs } from '../../../test/harness/law-budget.ts';

const context = { selfAddresses: [], tags: { verify: () => false } };
const everything = { fromMs: Date.UTC(2020, 0, 1), toMs: Date.UTC(2040, 0, 1) };
const limits = { instances: 5_000, steps: 50_000 };

const file = (...events: string[][]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//t//t//EN',
    ...events.flatMap((lines) => ['BEGIN:VEVENT', 'UID:u1@example.com', ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
    '',
  ].join('\r\n');
const bodyOf = (text: string, calendarZone?: string): EventBody =>
  parseObject(text, { ...context, ...(calendarZone === undefined ? {} : { calendarZone }) }).body;
const spansOf = (body: EventBody, zone: string) =>
  occurrencesOf(body, zone, zone, everything, limits).list.map(({ startMs, endMs }) =>
    [startMs, endMs].map((ms) => new Date(ms).toISOString().slice(0, 16)).join('/'),
  );

// Source: RFC 5545 3.3.5 (form 1) and 3.8.5.3: a series by DTEND keeps the exact duration of its first instance.
test.each<[string, string[][], string[]]>([
  [
    'a single event over the end of summer time',
    [['DTSTART:20271029T120000', 'DTEND:20271101T170000']],
    ['2027-10-29T10:00/2027-11-01T16:00'],
  ],
  [
    'a single event over the start of summer time',
    [['DTSTART:20270327T220000', 'DTEND:20270328T080000']],
    ['2027-03-27T21:00/2027-03-28T06:00'],
  ],
  [
    'the same with a DURATION, which is elapsed time',
    [['DTSTART:20270327T220000', 'DURATION:PT10H']],
    ['2027-03-27T21:00/2027-03-28T07:00'],
  ],
  [
    'a series whose first night is an hour longer',
    [['DTSTART:20271030T220000', 'DTEND:20271031T060000', 'RRULE:FREQ=DAILY;COUNT=2']],
    ['2027-10-30T20:00/2027-10-31T05:00', '2027-10-31T21:00/2027-11-01T06:00'],
  ],
  [
    'a changed instance and an extra period',
    [
      ['DTSTART:20271020T220000', 'DTEND:20271021T060000', 'RDATE;VALUE=PERIOD:20271030T210000/20271031T060000'],
      ['RECURRENCE-ID:20271020T220000', 'DTSTART:20271030T230000', 'DTEND:20271031T080000'],
    ],
    ['2027-10-30T19:00/2027-10-31T05:00', '2027-10-30T21:00/2027-10-31T07:00'],
  ],
  [
    'an end between the start and its place after the gap',
    [['DTSTART:20270328T023000', 'DTEND:20270328T030000']],
    ['2027-03-28T01:30/2027-03-28T02:00'],
  ],
])('floating times in Berlin are right: %s', (_, events, spans) => {
  expect(spansOf(bodyOf(file(...events)), 'Europe/Berlin')).toEqual(spans);
});

test('the length of a floating event follows the zone of its calendar', () => {
  const body = bodyOf(file(['DTSTART:20271029T120000', 'DTEND:20271101T170000']));
  expect(spansOf(body, 'UTC')).toEqual(['2027-10-29T12:00/2027-11-01T17:00']);
  expect(spansOf(body, 'America/New_York')).toEqual(['2027-10-29T16:00/2027-11-01T21:00']);
  expect(spansOf(body, 'Australia/Sydney')).toEqual(['2027-10-29T01:00/2027-11-01T06:00']);
});

test('a moved end of a floating event is written as its wall clock shows it', () => {
  const text = file(['DTSTART:20271029T120000', 'DTEND:20271101T170000']);
  const before = bodyOf(text) as Single;
  const duration = { wallSeconds: 77 * 3_600 + 1_800 };
  const after: Single = { ...before, when: { kind: 'floating', start: '2027-10-29T12:00:00', duration } };
  const written = patchObject(text, before, after, { stampMs: 0, owner: 'ann@example.com' });
  expect(written).toContain('DTEND:20271101T173000');
});

const changes = [
  Date.UTC(2027, 2, 28, 2),
  Date.UTC(2027, 9, 31, 2),
  Date.UTC(2027, 2, 14, 2),
  Date.UTC(2027, 10, 7, 1),
  Date.UTC(2027, 3, 4, 2),
  Date.UTC(2027, 9, 3, 2),
];
const minutes = (most: number) => fc.integer({ min: -most, max: most }).map((n) => n * 60_000);
const period = fc
  .tuple(fc.constantFrom(...changes), minutes(2 * 1_440), fc.integer({ min: 1, max: 4 * 1_440 }))
  .map(([change, before, long]) => ({ start: change + before, end: change + before + long * 60_000 }));

test('a floating event is when the same event of the zone is, at every change of the clocks', () => {
  const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Sydney', 'Australia/Lord_Howe', 'UTC');
  const forms = fc.constantFrom('single', 'series', 'extra', 'changed', 'following');
  fc.assert(
    fc.property(zones, forms, period, period, (zone, form, one, other) => {
      const eventsIn = (tzid: string) => {
        const from = (name: string, ms: number) => `${name}${tzid}:${printBasicDateTime(ms)}`;
        const when = ({ start, end }: typeof one) => [from('DTSTART', start), from('DTEND', end)];
        if (form === 'single') return file(when(one));
        if (form === 'extra') {
          const value = `${printBasicDateTime(other.start)}/${printBasicDateTime(other.end)}`;
          return file([...when(one), `RDATE;VALUE=PERIOD${tzid}:${value}`]);
        }
        const master = [...when(one), 'RRULE:FREQ=DAILY;COUNT=3'];
        if (form === 'series') return file(master);
        const range = form === 'following' ? ';RANGE=THISANDFUTURE' : '';
        return file(master, [from(`RECURRENCE-ID${range}`, one.start + 86_400_000), ...when(other)]);
      };
      const floating = bodyOf(eventsIn(''), zone);
      expect(spansOf(floating, zone)).toEqual(spansOf(bodyOf(eventsIn(`;TZID=${zone}`), zone), zone));
    }),
    { numRuns: runs(400) },
  );
});
