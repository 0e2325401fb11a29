import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EventBody, eventLimits } from '#kernel/event.ts';
import { parseObject } from '#kernel/ical/parse-object.ts';
import { createCalendarWriter } from '#kernel/ical/serialise-calendar.ts';
import { findOccurrence } from '#kernel/recurrence/find-occurrence.ts';
import { boundsOf, occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import { runs } from '../../../test/harness/law-budget.ts';

// RFC 5545 3.2.13: the instances that follow move by the same difference, and take the same length.

const context = { selfAddresses: [], tags: { verify: () => false } };

function objectOf(...events: string[][]): string {
  const lines = events.flatMap((event) => ['BEGIN:VEVENT', 'UID:u@example.com', ...event, 'END:VEVENT']);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//t//t//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');
}
const read = (...events: string[][]): EventBody => parseObject(objectOf(...events), context).body;

const everything = { fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2028, 0, 1) };
const iso = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();

function instances(body: EventBody, window = everything) {
  const { list, problems } = occurrencesOf(body, 'Europe/Berlin', 'Europe/Berlin', window, eventLimits);
  expect(problems).toEqual([]);
  return list;
}
const times = (body: EventBody) => instances(body).map(({ startMs, endMs }) => `${iso(startMs)}/${iso(endMs)}`);
const starts = (body: EventBody) => instances(body).map(({ startMs }) => iso(startMs));

const daily = ['DTSTART:20261207T080000Z', 'DTEND:20261207T090000Z', 'RRULE:FREQ=DAILY;COUNT=6', 'SUMMARY:Stand-up'];
const fromTenth = 'RECURRENCE-ID;RANGE=THISANDFUTURE:20261210T080000Z';
const tenth = '2026-12-10T10:00:00Z';
const unchanged = Array.from({ length: 6 }, (_, n) => `2026-12-${String(n + 7).padStart(2, '0')}T08:00:00Z`);
const atTen = ['DTSTART:20261210T100000Z', 'DTEND:20261210T113000Z', 'SUMMARY:Planning'];

describe('a change of this and all following', () => {
  test('six days of which three move: time, length and title change from the fourth on', () => {
    const body = read(daily, [fromTenth, ...atTen]);
    expect(times(body)).toEqual([
      '2026-12-07T08:00:00Z/2026-12-07T09:00:00Z',
      '2026-12-08T08:00:00Z/2026-12-08T09:00:00Z',
      '2026-12-09T08:00:00Z/2026-12-09T09:00:00Z',
      '2026-12-10T10:00:00Z/2026-12-10T11:30:00Z',
      '2026-12-11T10:00:00Z/2026-12-11T11:30:00Z',
      '2026-12-12T10:00:00Z/2026-12-12T11:30:00Z',
    ]);
    expect(instances(body).map(({ core }) => core.title)).toEqual([
      ...Array(3).fill('Stand-up'),
      ...Array(3).fill('Planning'),
    ]);
    expect(boundsOf(body, 'UTC', 'UTC')).toEqual({
      startMs: Date.UTC(2026, 11, 7, 8),
      endMs: Date.UTC(2026, 11, 12, 11, 30),
    });
  });

  test('a change without an end keeps the length of the series', () => {
    expect(times(read(daily, [fromTenth, 'DTSTART:20261210T100000Z'])).at(-1)).toBe(
      '2026-12-12T10:00:00Z/2026-12-12T11:00:00Z',
    );
    const days = read(
      ['DTSTART;VALUE=DATE:20270301', 'DTEND;VALUE=DATE:20270303', 'RRULE:FREQ=WEEKLY;COUNT=2'],
      ['RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20270308', 'DTSTART;VALUE=DATE:20270309'],
    );
    expect(times(days).at(-1)).toBe('2027-03-08T23:00:00Z/2027-03-10T23:00:00Z');
  });

  test('a change of the title alone moves nothing', () => {
    const body = read(daily, [fromTenth, 'DTSTART:20261210T080000Z', 'DTEND:20261210T090000Z', 'SUMMARY:Renamed']);
    expect(starts(body)).toEqual(starts(read(daily)));
    expect(instances(body).at(-1)?.core.title).toBe('Renamed');
  });

  test('each of several changes is measured from the original series and holds up to the next', () => {
    const body = read(
      daily,
      ['RECURRENCE-ID;RANGE=THISANDFUTURE:20261211T080000Z', 'DTSTART:20261211T070000Z', 'DTEND:20261211T073000Z'],
      ['RECURRENCE-ID;RANGE=THISANDFUTURE:20261209T080000Z', 'DTSTART:20261209T120000Z', 'DTEND:20261209T130000Z'],
    );
    expect(starts(body)).toEqual([
      '2026-12-07T08:00:00Z',
      '2026-12-08T08:00:00Z',
      '2026-12-09T12:00:00Z',
      '2026-12-10T12:00:00Z',
      '2026-12-11T07:00:00Z',
      '2026-12-12T07:00:00Z',
    ]);
  });

  test('of two changes from one instance the later revision counts', () => {
    const body = read(
      daily,
      [fromTenth, 'SEQUENCE:2', ...atTen],
      [fromTenth, 'SEQUENCE:1', 'DTSTART:20261210T060000Z', 'DTEND:20261210T070000Z'],
    );
    expect(starts(body).at(-1)).toBe('2026-12-12T10:00:00Z');
  });

  test('a cancellation of this and all following ends an endless series', () => {
    const endless = [...daily.slice(0, 2), 'RRULE:FREQ=DAILY'];
    const body = read(endless, [fromTenth, 'STATUS:CANCELLED']);
    expect(starts(body)).toEqual(['2026-12-07T08:00:00Z', '2026-12-08T08:00:00Z', '2026-12-09T08:00:00Z']);
    expect(boundsOf(body, 'UTC', 'UTC')?.endMs).toBeLessThanOrEqual(Date.UTC(2026, 11, 10, 9));
    expect(boundsOf(read(endless, [fromTenth, ...atTen]), 'UTC', 'UTC')?.endMs).toBeNull();
  });

  test('a meeting that moves keeps its hour over a change of the clocks, also where the change is written in UTC', () => {
    const weekly = [
      'DTSTART;TZID=Europe/Berlin:20270308T090000',
      'DTEND;TZID=Europe/Berlin:20270308T100000',
      'RRULE:FREQ=WEEKLY;COUNT=5',
    ];
    const expected = [
      '2027-03-08T08:00:00Z',
      '2027-03-16T10:00:00Z',
      '2027-03-23T10:00:00Z',
      '2027-03-30T09:00:00Z',
      '2027-04-06T09:00:00Z',
    ];
    const id = 'RECURRENCE-ID;RANGE=THISANDFUTURE';
    const local = [
      `${id};TZID=Europe/Berlin:20270315T090000`,
      'DTSTART;TZID=Europe/Berlin:20270316T110000',
      'DTEND;TZID=Europe/Berlin:20270316T120000',
    ];
    expect(starts(read(weekly, local))).toEqual(expected);
    expect(
      starts(read(weekly, [`${id}:20270315T080000Z`, 'DTSTART:20270316T100000Z', 'DTEND:20270316T110000Z'])),
    ).toEqual(expected);
  });

  test('a meeting that moves to another zone keeps the hour of that zone', () => {
    const body = read(
      ['DTSTART;TZID=Europe/Berlin:20270301T090000', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=4'],
      [
        'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20270308T090000',
        'DTSTART;TZID=America/New_York:20270308T090000',
        'DURATION:PT1H',
      ],
    );
    // New York changes its clocks on March 14.
    expect(starts(body)).toEqual([
      '2027-03-01T08:00:00Z',
      '2027-03-08T14:00:00Z',
      '2027-03-15T13:00:00Z',
      '2027-03-22T13:00:00Z',
    ]);
  });

  test('an instance in a gap of the clocks moves from its hour in the rule', () => {
    const body = read(
      ['DTSTART;TZID=Europe/Berlin:20270326T023000', 'DURATION:PT15M', 'RRULE:FREQ=DAILY;COUNT=4'],
      [
        'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20270327T023000',
        'DTSTART;TZID=Europe/Berlin:20270327T043000',
        'DURATION:PT15M',
      ],
    );
    // 04:30 on each day: on March 28 that is summer time already.
    expect(starts(body)).toEqual([
      '2027-03-26T01:30:00Z',
      '2027-03-27T03:30:00Z',
      '2027-03-28T02:30:00Z',
      '2027-03-29T02:30:00Z',
    ]);
  });

  test('an all-day series moves by days and takes the new length', () => {
    const body = read(
      ['DTSTART;VALUE=DATE:20270322', 'DTEND;VALUE=DATE:20270323', 'RRULE:FREQ=WEEKLY;COUNT=3'],
      [
        'RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20270329',
        'DTSTART;VALUE=DATE:20270330',
        'DTEND;VALUE=DATE:20270401',
      ],
    );
    expect(instances(body).map(({ when, startMs, endMs, allDay }) => [when, iso(startMs), iso(endMs), allDay])).toEqual(
      [
        [undefined, '2027-03-21T23:00:00Z', '2027-03-22T23:00:00Z', true],
        [
          { kind: 'all-day', start: '2027-03-30', end: '2027-04-01' },
          '2027-03-29T22:00:00Z',
          '2027-03-31T22:00:00Z',
          true,
        ],
        [
          { kind: 'all-day', start: '2027-04-06', end: '2027-04-08' },
          '2027-04-05T22:00:00Z',
          '2027-04-07T22:00:00Z',
          true,
        ],
      ],
    );
  });

  test('an all-day series that gets an hour, and a timed series that loses it', () => {
    const toTimed = read(
      ['DTSTART;VALUE=DATE:20270405', 'RRULE:FREQ=DAILY;COUNT=3'],
      [
        'RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20270406',
        'DTSTART;TZID=Europe/Berlin:20270406T090000',
        'DTEND;TZID=Europe/Berlin:20270406T100000',
      ],
    );
    expect(starts(toTimed)).toEqual(['2027-04-04T22:00:00Z', '2027-04-06T07:00:00Z', '2027-04-07T07:00:00Z']);
    const toAllDay = read(daily, [fromTenth, 'DTSTART;VALUE=DATE:20261210', 'DTEND;VALUE=DATE:20261211']);
    expect(starts(toAllDay).slice(2, 4)).toEqual(['2026-12-09T08:00:00Z', '2026-12-09T23:00:00Z']);
  });

  test('an override and an exclusion after the change count by the original start', () => {
    const body = read(
      [...daily, 'EXDATE:20261212T080000Z'],
      [fromTenth, ...atTen],
      ['RECURRENCE-ID:20261211T080000Z', 'DTSTART:20261211T150000Z', 'DTEND:20261211T160000Z', 'SUMMARY:Late'],
    );
    expect(starts(body).slice(3)).toEqual(['2026-12-10T10:00:00Z', '2026-12-11T15:00:00Z']);
    expect(findOccurrence(body, '20261211T080000Z', 'UTC', 'UTC')?.core.title).toBe('Late');
  });

  test('an override and an exclusion after the change also count by the start that the change made', () => {
    const body = read(
      [...daily, 'EXDATE:20261212T100000Z'],
      [fromTenth, ...atTen],
      ['RECURRENCE-ID:20261211T100000Z', 'DTSTART:20261211T150000Z', 'DTEND:20261211T160000Z'],
    );
    expect(starts(body).slice(3)).toEqual(['2026-12-10T10:00:00Z', '2026-12-11T15:00:00Z']);
  });

  test('a name that is an original start means that instance, though the change moves another one there', () => {
    const body = read(
      daily,
      [fromTenth, 'DTSTART:20261211T080000Z', 'DTEND:20261211T090000Z'],
      ['RECURRENCE-ID:20261211T080000Z', 'STATUS:CANCELLED'],
    );
    // the instance of the 10th is on the 11th, that of the 11th is cancelled, that of the 12th is on the 13th
    expect(starts(body).slice(3)).toEqual(['2026-12-11T08:00:00Z', '2026-12-13T08:00:00Z']);
  });

  test('an instance is found by its name, where it is now', () => {
    const body = read(daily, [fromTenth, ...atTen]);
    const find = (recId: string) => findOccurrence(body, recId, 'UTC', 'UTC');
    expect(iso(find('20261209T080000Z')?.startMs ?? 0)).toBe('2026-12-09T08:00:00Z');
    expect(find('20261212T080000Z')).toMatchObject({ core: { title: 'Planning' } });
    expect(iso(find('20261212T080000Z')?.startMs ?? 0)).toBe('2026-12-12T10:00:00Z');
    expect(find('20261213T080000Z')).toBeNull();
    expect(find('20261212T100000Z')).toBeNull();
  });

  test('an instance that moved by weeks is in the window in which it is now, and in no other', () => {
    const body = read(daily, [fromTenth, 'DTSTART:20270210T080000Z', 'DTEND:20270210T090000Z']);
    const inMonth = (month: number) =>
      instances(body, { fromMs: Date.UTC(2026, month, 1), toMs: Date.UTC(2026, month + 1, 1) }).length;
    expect([inMonth(11), inMonth(12), inMonth(13)]).toEqual([3, 0, 3]);
  });

  test.each([
    ['without its series', 'following-without-series', [[fromTenth, ...atTen]], [tenth]],
    ['whose time cannot be read', 'following-unreadable', [daily, [fromTenth, 'DTSTART:soon']], unchanged],
    [
      'whose name cannot be read',
      'change-unnamed',
      [daily, ['RECURRENCE-ID;RANGE=THISANDFUTURE:soon', ...atTen]],
      [...unchanged, tenth].toSorted(),
    ],
    [
      'more than a hundred times',
      'too-many-changes {"most":100}',
      [daily, ...Array.from({ length: 101 }, () => [fromTenth, ...atTen])],
      [...unchanged.slice(0, 3), tenth, '2026-12-11T10:00:00Z', '2026-12-12T10:00:00Z'],
    ],
  ])('a change %s leaves the known times, and says what is missing', (_, code, events, times) => {
    const { body, warnings } = parseObject(objectOf(...events), context);
    expect(starts(body)).toEqual(times);
    expect(warnings).toContain(code);
    expect(['split', 'instances']).toContain(body.kind);
  });

  test('a change of an instance and all before it leaves those after it as they were', () => {
    const until = 'RECURRENCE-ID;RANGE=THISANDPRIOR:20261209T080000Z';
    const own = ['RECURRENCE-ID:20261208T080000Z', 'DTSTART:20261208T150000Z', 'DURATION:PT1H'];
    expect(starts(read(daily, [until, 'DTSTART:20261209T100000Z'], own))).toEqual([
      '2026-12-07T10:00:00Z',
      '2026-12-08T15:00:00Z',
      '2026-12-09T10:00:00Z',
      '2026-12-10T08:00:00Z',
      '2026-12-11T08:00:00Z',
      '2026-12-12T08:00:00Z',
    ]);
    expect(starts(read(daily, [until, 'STATUS:CANCELLED']))).toEqual([
      '2026-12-10T08:00:00Z',
      '2026-12-11T08:00:00Z',
      '2026-12-12T08:00:00Z',
    ]);
    const all = ['RECURRENCE-ID;RANGE=THISANDPRIOR:20261212T080000Z', 'DTSTART:20261212T100000Z'];
    expect(starts(read(daily, all)).every((start) => start.endsWith('T10:00:00Z'))).toBe(true);
  });

  test.each([
    ['several of them', [['RECURRENCE-ID;RANGE=THISANDPRIOR:20261211T080000Z', 'DTSTART:20261211T090000Z']]],
    ['changes of all following', [[fromTenth, ...atTen]]],
  ])('a change of an instance and all before it beside %s is left out, and says so', (_, others) => {
    const prior = ['RECURRENCE-ID;RANGE=THISANDPRIOR:20261209T080000Z', 'DTSTART:20261209T100000Z'];
    const { body, warnings } = parseObject(objectOf(daily, prior, ...others), context);
    expect(starts(body).slice(0, 3)).toEqual(unchanged.slice(0, 3));
    expect(warnings).toContain('preceding-unsupported');
  });

  test('a split series in the takeout is read back as it was', () => {
    const writer = createCalendarWriter({ name: 'x', stampMs: 0 });
    const events = [
      [
        'DTSTART;TZID=Europe/Berlin:20270308T090000',
        'DTEND;TZID=Europe/Berlin:20270308T100000',
        'RRULE:FREQ=WEEKLY;COUNT=9',
        'SUMMARY:Review',
      ],
      [
        'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20270315T090000',
        'DTSTART;TZID=Europe/Berlin:20270316T110000',
        'DTEND;TZID=Europe/Berlin:20270316T123000',
        'SUMMARY:Review, longer',
      ],
      ['RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20270412T090000', 'STATUS:CANCELLED'],
      [
        'RECURRENCE-ID;TZID=Europe/Berlin:20270322T090000',
        'DTSTART;TZID=Europe/Berlin:20270322T150000',
        'DURATION:PT1H',
      ],
    ];
    const body = read(...events);
    expect(body.kind).toBe('split');
    const again = parseObject(`${writer.head()}${writer.event('u', body)}${writer.end()}`, context).body;
    expect(times(again)).toEqual(times(body));
    expect(instances(again).map(({ core }) => core.title)).toEqual(instances(body).map(({ core }) => core.title));
  });
});

/** Beyond all of them. */
const decades = { fromMs: Date.UTC(2020, 0, 1), toMs: Date.UTC(2040, 0, 1) };
const zones = ['America/New_York', 'Europe/Dublin', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Asia/Kolkata', 'UTC'];
const basic = (at: Temporal.PlainDateTime) => at.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '');

test('a split series is the instances before, and the moved instances after', { timeout: 60_000 }, () => {
  const rule = fc
    .record({
      freq: fc.constantFrom(
        'DAILY',
        'WEEKLY',
        'WEEKLY;BYDAY=MO,TH',
        'WEEKLY;BYDAY=TU,WE,SU;WKST=SU',
        'DAILY;BYDAY=MO,FR',
      ),
      interval: fc.integer({ min: 1, max: 4 }),
      count: fc.integer({ min: 1, max: 60 }),
    })
    .map(({ freq, interval, count }) => `RRULE:FREQ=${freq};INTERVAL=${interval};COUNT=${count}`);
  const input = fc.record({
    zone: fc.constantFrom(...zones),
    // not in a gap of the clocks itself
    day: fc.integer({ min: 0, max: 300 }),
    minute: fc.integer({ min: 4 * 60, max: 23 * 60 + 59 }),
    rule,
    at: fc.nat(70),
    shift: fc.integer({ min: -4 * 1440, max: 4 * 1440 }),
    length: fc.integer({ min: 1, max: 3 * 1440 }),
  });
  fc.assert(
    fc.property(input, ({ zone, day, minute, rule, at, shift, length }) => {
      const first = Temporal.PlainDateTime.from('2026-03-01T00:00').add({ days: day, minutes: minute });
      const master = [`DTSTART;TZID=${zone}:${basic(first)}`, 'DURATION:PT30M', rule];
      const plain = instances(read(master), decades);
      const from = plain[at % plain.length];
      if (from === undefined) return;
      const wallOf = (ms: number) =>
        Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDateTime();
      const movedOf = (ms: number) => wallOf(ms).add({ minutes: shift });
      const change = [
        `RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=${zone}:${basic(wallOf(from.startMs))}`,
        `DTSTART;TZID=${zone}:${basic(movedOf(from.startMs))}`,
        `DURATION:PT${length}M`,
      ];
      const expected = plain.map(({ recId, startMs, endMs }) => {
        if (startMs < from.startMs) return { recId, startMs, endMs };
        const movedMs = movedOf(startMs).toZonedDateTime(zone).epochMilliseconds;
        return { recId, startMs: movedMs, endMs: movedMs + length * 60_000 };
      });
      const found = instances(read(master, change), decades).map(({ recId, startMs, endMs }) => ({
        recId,
        startMs,
        endMs,
      }));
      const byName = (a: { recId: string }, b: { recId: string }) => (a.recId < b.recId ? -1 : 1);
      expect(found.sort(byName)).toEqual(expected.sort(byName));
    }),
    { numRuns: runs(300) },
  );
});
