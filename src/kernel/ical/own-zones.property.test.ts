import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Series } from '#kernel/event.ts';
import { parseObject } from '#kernel/ical/parse-object.ts';
import { patchObject, writeObject } from '#kernel/ical/patch-object.ts';
import { createCalendarWriter } from '#kernel/ical/serialise-calendar.ts';
import { occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import { runs } from '../../../test/harness/law-budget.ts';

/*
 * Clocks that no zone of the tz database has. Right instants come from a second evaluation of the definition, written here:
 * each instance has the offset of the last onset before it (RFC 5545 3.6.5). A time in a gap is read with the offset before the
 * gap, and a doubled time is the first (3.3.5).
 */

interface Onset {
  /** On the clock before it. */
  local: Temporal.PlainDateTime;
  /** In minutes. */
  from: number;
  to: number;
}

const epoch = (local: Temporal.PlainDateTime) => local.toZonedDateTime('UTC').epochMilliseconds;
const instantOf = ({ local, from }: Onset) => epoch(local) - from * 60_000;

/** The instant of a wall-clock time, by the onsets in ascending order. */
function instantBy(onsets: readonly Onset[], local: Temporal.PlainDateTime): number {
  const wall = epoch(local);
  const offsetAt = (ms: number) => onsets.findLast((one) => instantOf(one) <= ms)?.to ?? (onsets[0] as Onset).from;
  const offsets = [...new Set(onsets.flatMap(({ from, to }) => [from, to]))].sort((a, b) => b - a);
  for (const offset of offsets) if (offsetAt(wall - offset * 60_000) === offset) return wall - offset * 60_000;
  const before = offsetAt(wall - (offsets[0] as number) * 60_000);
  return wall - before * 60_000;
}

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

interface Rule {
  month: number;
  /** 1 to 4, or -1 for the last. */
  nth: number;
  /** 0 is Monday. */
  weekday: number;
  time: string;
}

function onsetIn(year: number, { month, nth, weekday, time }: Rule): Temporal.PlainDateTime {
  const first = Temporal.PlainDate.from({ year, month, day: 1 });
  let day = first.add({ days: (weekday + 8 - first.dayOfWeek) % 7 });
  if (nth > 0) day = day.add({ weeks: nth - 1 });
  else while (day.add({ weeks: 1 }).month === month) day = day.add({ weeks: 1 });
  return day.toPlainDateTime(time);
}

interface Definition {
  /** In minutes. */
  standard: number;
  shift: number;
  summer: Rule;
  winter: Rule;
}

const years = Array.from({ length: 20 }, (_, at) => 2020 + at);

const onsetsOf = ({ standard, shift, summer, winter }: Definition): Onset[] =>
  years
    .flatMap((year) => [
      { local: onsetIn(year, summer), from: standard, to: standard + shift },
      { local: onsetIn(year, winter), from: standard + shift, to: standard },
    ])
    .sort((a, b) => instantOf(a) - instantOf(b));

const basic = (time: Temporal.PlainDateTime) => time.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
const utc = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString().replace(/[-:]/g, '');
const two = (n: number) => String(n).padStart(2, '0');
const offset = (minutes: number) =>
  `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}${two(Math.abs(minutes) % 60)}`;

const observance = (name: string, start: string, from: number, to: number, ...more: string[]) => [
  `BEGIN:${name}`,
  `DTSTART:${start}`,
  `TZOFFSETFROM:${offset(from)}`,
  `TZOFFSETTO:${offset(to)}`,
  ...more,
  `END:${name}`,
];

const sides = ({ standard, shift, summer, winter }: Definition) =>
  [
    { name: 'DAYLIGHT', rule: summer, from: standard, to: standard + shift },
    { name: 'STANDARD', rule: winter, from: standard + shift, to: standard },
  ] as const;
const yearly = ({ month, nth, weekday }: Rule) => `RRULE:FREQ=YEARLY;BYMONTH=${month};BYDAY=${nth}${weekdays[weekday]}`;

const forms: Record<string, (definition: Definition) => string[]> = {
  'yearly rules of Outlook': (definition) =>
    sides(definition).flatMap(({ name, rule, from, to }) =>
      observance(name, `16010101T${rule.time.replaceAll(':', '')}`, from, to, yearly(rule)),
    ),
  'yearly rules from a year on': (definition) =>
    sides(definition)
      .toReversed()
      .flatMap(({ name, rule, from, to }) => observance(name, basic(onsetIn(2020, rule)), from, to, yearly(rule))),
  'rules that end, and others that follow': (definition) =>
    sides(definition).flatMap(({ name, rule, from, to }) => {
      const last = utc(instantOf({ local: onsetIn(2027, rule), from, to }));
      return [
        ...observance(name, basic(onsetIn(2020, rule)), from, to, `${yearly(rule)};UNTIL=${last}`),
        ...observance(name, basic(onsetIn(2028, rule)), from, to, yearly(rule)),
      ];
    }),
  'lists of dates': (definition) =>
    sides(definition).flatMap(({ name, rule, from, to }) => {
      const dates = years.map((year) => basic(onsetIn(year, rule)));
      return observance(name, dates[0] as string, from, to, `RDATE:${dates.join(',')}`);
    }),
  'an observance for each change': (definition) =>
    onsetsOf(definition).flatMap(({ local, from, to }) => observance('STANDARD', basic(local), from, to)),
};

const rule = (months: number[]) =>
  fc.record({
    month: fc.constantFrom(...months),
    nth: fc.constantFrom(1, 2, 3, 4, -1),
    weekday: fc.nat({ max: 6 }),
    time: fc.constantFrom('00:00:00', '01:00:00', '02:00:00', '03:00:00', '23:59:59'),
  });

/** Definitions of both hemispheres. */
const definition: fc.Arbitrary<Definition> = fc
  .record({
    standard: fc.integer({ min: -44, max: 48 }).map((quarters) => quarters * 15),
    shift: fc.constantFrom(30, 60, 120, -60),
    spring: rule([2, 3, 4]),
    autumn: rule([9, 10, 11]),
    isSouthern: fc.boolean(),
  })
  .map(({ standard, shift, spring, autumn, isSouthern }) => ({
    standard,
    shift,
    summer: isSouthern ? autumn : spring,
    winter: isSouthern ? spring : autumn,
  }));

interface Meeting {
  start: Temporal.PlainDateTime;
  freq: 'DAILY' | 'WEEKLY';
  count: number;
}

/** Series that begin shortly before a change of the clock. */
const meetingOf = ({ summer, winter }: Definition) =>
  fc
    .record({
      year: fc.integer({ min: 2025, max: 2031 }),
      rule: fc.constantFrom(summer, winter),
      daysBefore: fc.integer({ min: 1, max: 10 }),
      hour: fc.nat({ max: 23 }),
      minute: fc.constantFrom(0, 30),
      freq: fc.constantFrom('DAILY' as const, 'WEEKLY' as const),
      count: fc.integer({ min: 12, max: 40 }),
    })
    .map(({ year, rule: near, daysBefore, hour, minute, freq, count }): Meeting => {
      const day = onsetIn(year, near).toPlainDate().subtract({ days: daysBefore });
      return { start: day.toPlainDateTime({ hour, minute }), freq, count };
    });

const subject = definition.chain((one) => fc.record({ one: fc.constant(one), meeting: meetingOf(one) }));

const wallsOf = ({ start, freq, count }: Meeting) =>
  Array.from({ length: count }, (_, at) => start.add(freq === 'DAILY' ? { days: at } : { weeks: at }));

const tzid = 'Our Clock';
const textOf = (lines: string[], ...events: string[][]) => {
  const zone = ['BEGIN:VTIMEZONE', `TZID:${tzid}`, ...lines, 'END:VTIMEZONE'];
  const components = events.flatMap((event) => ['BEGIN:VEVENT', 'UID:u', ...event, 'END:VEVENT']);
  // the definition comes after what it defines
  return `${['BEGIN:VCALENDAR', ...components, ...zone, 'END:VCALENDAR'].join('\r\n')}\r\n`;
};
const context = { selfAddresses: [], tags: { verify: () => false } };
const read = (text: string) => parseObject(text, context);
const window = { fromMs: Date.UTC(2019, 0, 1), toMs: Date.UTC(2039, 0, 1) };
const startsIn = (body: ReturnType<typeof read>['body']) =>
  occurrencesOf(body, 'Asia/Tokyo', 'Asia/Tokyo', window, { instances: 1_000, steps: 20_000 }).list.map(
    ({ startMs }) => startMs,
  );
const master = ({ start, freq, count }: Meeting, ...more: string[]) => [
  `DTSTART;TZID=${tzid}:${basic(start)}`,
  'DURATION:PT30M',
  `RRULE:FREQ=${freq};COUNT=${count}`,
  ...more,
];
const ascending = (a: number, b: number) => a - b;

test.each(Object.entries(forms))('each instance has the offset that its definition gives it: %s', (_, form) => {
  fc.assert(
    fc.property(subject, ({ one, meeting }) => {
      const onsets = onsetsOf(one);
      const wanted = wallsOf(meeting).map((local) => instantBy(onsets, local));
      expect(startsIn(read(textOf(form(one), master(meeting))).body)).toEqual([...new Set(wanted)].sort(ascending));
    }),
    { numRuns: runs(150) },
  );
});

test('exclusions, changed instances, and an end find their instances, in local time and in UTC', () => {
  fc.assert(
    fc.property(subject, fc.nat({ max: 10 }), fc.boolean(), ({ one, meeting }, at, inUtc) => {
      const onsets = onsetsOf(one);
      const walls = wallsOf(meeting);
      const instants = walls.map((local) => instantBy(onsets, local));
      // a time that a gap moves, or that comes twice, may have two names
      fc.pre(new Set(instants).size === instants.length);
      const name = (n: number) =>
        inUtc ? `:${utc(instants[n] as number)}` : `;TZID=${tzid}:${basic(walls[n] as Temporal.PlainDateTime)}`;
      const last = instants.length - 1;
      const until = `RRULE:FREQ=${meeting.freq};UNTIL=${utc(instants[last] as number)}`;
      const [start = '', duration = ''] = master(meeting);
      const moved = (walls[at + 1] as Temporal.PlainDateTime).add({ minutes: 15 });
      const text = textOf(
        forms['yearly rules of Outlook']!(one),
        [start, duration, until, `EXDATE${name(at)}`],
        [`RECURRENCE-ID${name(at + 1)}`, `DTSTART;TZID=${tzid}:${basic(moved)}`, duration],
      );
      const wanted = instants.map((ms, n) => (n === at + 1 ? instantBy(onsets, moved) : ms)).toSpliced(at, 1);
      expect(startsIn(read(text).body)).toEqual(wanted.sort(ascending));
    }),
    { numRuns: runs(200) },
  );
});

test('two definitions that agree at all instants of an event give it the same instants', () => {
  const other = fc.record({
    hours: fc.integer({ min: -3, max: 3 }),
    nth: fc.option(fc.constantFrom(1, 2, 3, 4, -1)),
    isTzDatabase: fc.boolean(),
  });
  const berlin: Definition = {
    standard: 60,
    shift: 60,
    summer: { month: 3, nth: -1, weekday: 6, time: '02:00:00' },
    winter: { month: 10, nth: -1, weekday: 6, time: '03:00:00' },
  };
  fc.assert(
    fc.property(subject, other, ({ one, meeting }, { hours, nth, isTzDatabase }) => {
      const first = isTzDatabase ? berlin : one;
      const shifted = (rule: Rule): Rule => {
        const time = Temporal.PlainTime.from(rule.time).add({ hours }).toString({ smallestUnit: 'second' });
        return { ...rule, nth: nth ?? rule.nth, time };
      };
      const second = { ...first, summer: shifted(first.summer), winter: shifted(first.winter) };
      const instantsBy = (definition: Definition) => {
        const onsets = onsetsOf(definition);
        return [...new Set(wallsOf(meeting).map((local) => instantBy(onsets, local)))].sort(ascending);
      };
      const [wanted, others] = [instantsBy(first), instantsBy(second)];
      const found = [first, second].map((definition) =>
        startsIn(read(textOf(forms['yearly rules of Outlook']!(definition), master(meeting))).body),
      );
      expect(found).toEqual([wanted, others]);
    }),
    { numRuns: runs(300) },
  );
});

test('a fixed offset of whole quarters of an hour is the offset of all instances', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -48, max: 56 }).map((quarters) => quarters * 15),
      fc.constantFrom('20270312T090000', '20270327T030000', '20270403T233000', '20271105T010000', '20280115T120000'),
      fc.boolean(),
      (minutes, start, repeats) => {
        const lines = observance('STANDARD', '19700101T000000', minutes, minutes);
        const rules = repeats ? ['RRULE:FREQ=DAILY;COUNT=120'] : [];
        const { body, warnings } = read(textOf(lines, [`DTSTART;TZID=${tzid}:${start}`, 'DURATION:PT1H', ...rules]));
        const first = Temporal.PlainDateTime.from(start.replace(/(....)(..)(..T..)(..)(..)/, '$1-$2-$3:$4:$5'));
        const wanted = Array.from(
          { length: repeats ? 120 : 1 },
          (_, days) => epoch(first.add({ days })) - minutes * 60_000,
        );
        expect(startsIn(body)).toEqual(wanted);
        expect(warnings.filter((text) => text.startsWith('zone-unknown'))).toEqual([]);
      },
    ),
    { numRuns: runs(200) },
  );
});

const at = (...times: string[]) => times.map((time) => Date.parse(`${time}:00Z`));
const switcher = [
  ...observance('STANDARD', '20000101T000000', 60, 60),
  ...observance('DAYLIGHT', '20261209T120000', 60, 240, 'RDATE:20261209T120000'),
];
const ramadan = [
  ...observance('STANDARD', '20260322T020000', 0, 60, 'RDATE:20260322T020000', 'RDATE:20270314T020000'),
  ...observance('DAYLIGHT', '20260215T030000', 60, 0, 'RDATE:20260215T030000', 'RDATE:20270207T030000'),
];
const lastFriday = [
  ...observance('STANDARD', '16010101T030000', 180, 120, 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10'),
  ...observance('DAYLIGHT', '16010101T030000', 120, 180, 'RRULE:FREQ=YEARLY;BYDAY=-1FR;BYMONTH=3'),
];
const changedBase = [
  ...observance('STANDARD', '20000101T000000', 360, 360),
  ...observance('STANDARD', '20270301T000000', 360, 300),
  ...observance('STANDARD', '20280301T000000', 300, 330),
];

test.each([
  [
    'a change on one date',
    switcher,
    '20261208T150000',
    'FREQ=DAILY;COUNT=3',
    at('2026-12-08T14:00', '2026-12-09T11:00', '2026-12-10T11:00'),
  ],
  ['a break in Ramadan', ramadan, '20270206T100000', 'FREQ=DAILY;COUNT=2', at('2027-02-06T09:00', '2027-02-07T10:00')],
  [
    'the last Friday of March',
    lastFriday,
    '20270325T090000',
    'FREQ=DAILY;COUNT=3',
    at('2027-03-25T07:00', '2027-03-26T06:00', '2027-03-27T06:00'),
  ],
  [
    'two new standard times',
    changedBase,
    '20270227T120000',
    'FREQ=YEARLY;COUNT=3;BYMONTHDAY=27;BYMONTH=2',
    at('2027-02-27T06:00', '2028-02-27T07:00', '2029-02-27T06:30'),
  ],
])('a series keeps its hour over %s', (_, lines, start, rules, wanted) => {
  const { body } = read(textOf(lines, [`DTSTART;TZID=${tzid}:${start}`, 'DURATION:PT30M', `RRULE:${rules}`]));
  expect(startsIn(body)).toEqual(wanted);
});

/** Berlin as it is up to 2030. */
const untilOf2030 = (isSummer: boolean) => `UNTIL=${isSummer ? '20300331' : '20301027'}T010000Z`;
const summers = (end: string) =>
  observance('DAYLIGHT', '20200329T020000', 60, 120, `RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;${end}`);
const winters = (end: string) =>
  observance('STANDARD', '20191027T030000', 120, 60, `RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;${end}`);
const rulesTo2030 = [...summers(untilOf2030(true)), ...winters(untilOf2030(false))];

/* A clock that is Berlin's, and ends, changes, or begins its summer time. */
const lastingForms: [string, string[], number[]][] = [
  ['summer time ends by UNTIL', rulesTo2030, at('2030-07-01T08:00', '2031-01-01T09:00', '2031-07-01T09:00')],
  [
    'summer time ends by COUNT',
    [...summers('COUNT=11'), ...winters('COUNT=12')],
    at('2030-07-01T08:00', '2031-01-01T09:00', '2031-07-01T09:00'),
  ],
  [
    'the last change is a date',
    [
      ...summers(untilOf2030(true)),
      ...winters('UNTIL=20291028T010000Z'),
      ...observance('STANDARD', '20301027T030000', 120, 60, 'RDATE:20301027T030000'),
    ],
    at('2030-07-01T08:00', '2031-01-01T09:00', '2031-07-01T09:00'),
  ],
  [
    'a standard time that says the same follows',
    [...rulesTo2030, ...observance('STANDARD', '20310101T000000', 60, 60)],
    at('2030-07-01T08:00', '2031-01-01T09:00', '2031-07-01T09:00'),
  ],
  [
    'a standard time that changes nothing follows',
    [...rulesTo2030, ...observance('STANDARD', '20320503T030000', 120, 60)],
    at('2030-07-01T08:00', '2031-01-01T09:00', '2031-07-01T09:00'),
  ],
  [
    'summer time stays',
    [...summers(untilOf2030(true)), ...winters('UNTIL=20291028T010000Z')],
    at('2030-07-01T08:00', '2031-01-01T08:00', '2031-07-01T08:00'),
  ],
  [
    'another standard time follows',
    [...rulesTo2030, ...observance('STANDARD', '20310301T000000', 60, 180)],
    at('2030-07-01T08:00', '2031-01-01T09:00', '2031-07-01T07:00'),
  ],
  [
    'other rules follow',
    [
      ...rulesTo2030,
      ...observance('DAYLIGHT', '20310330T020000', 60, 90, 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU'),
      ...observance('STANDARD', '20311026T030000', 90, 60, 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU'),
    ],
    at('2030-07-01T08:00', '2031-01-01T09:00', '2031-07-01T08:30'),
  ],
];

describe.each(['Our Clock', 'Europe/Berlin', 'W. Europe Standard Time'])('under the name %s', (name) => {
  test.each(lastingForms)('a definition holds from its last change on: %s', (_, lines, wanted) => {
    const named = (...event: string[]) => textOf(lines, event).replaceAll(tzid, name);
    const series = named(
      `DTSTART;TZID=${tzid}:20300701T100000`,
      'DURATION:PT1H',
      'RRULE:FREQ=MONTHLY;INTERVAL=6;COUNT=3',
    );
    const endless = named(`DTSTART;TZID=${tzid}:20300701T100000`, 'DURATION:PT1H', 'RRULE:FREQ=MONTHLY;INTERVAL=6');
    expect(startsIn(read(series).body)).toEqual(wanted);
    expect(startsIn(read(endless).body).slice(0, 3)).toEqual(wanted);
    for (const [index, day] of ['20300701', '20310101', '20310701'].entries()) {
      const single = named(`DTSTART;TZID=${tzid}:${day}T100000`, 'DURATION:PT1H');
      expect(startsIn(read(single).body)).toEqual([wanted[index]]);
    }
    const told = read(series).warnings.map((text) => text.split(' ')[0]);
    expect(told).toEqual(name === 'Our Clock' ? [] : ['zone-redefined']);
  });
});

test('summer time that begins in a later year begins there', () => {
  const tokyo = [
    ...observance('STANDARD', '19510908T000000', 540, 540),
    ...observance('DAYLIGHT', '20310330T020000', 540, 600, 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU'),
    ...observance('STANDARD', '20311026T030000', 600, 540, 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU'),
  ];
  for (const name of ['Our Clock', 'Asia/Tokyo', 'Tokyo Standard Time']) {
    const event = [`DTSTART;TZID=${tzid}:20300701T100000`, 'DURATION:PT1H', 'RRULE:FREQ=MONTHLY;INTERVAL=6;COUNT=4'];
    const { body } = read(textOf(tokyo, event).replaceAll(tzid, name));
    expect(startsIn(body)).toEqual(at('2030-07-01T01:00', '2031-01-01T01:00', '2031-07-01T00:00', '2032-01-01T01:00'));
  }
});

test('the name of a real zone counts above an end of summer time that never came', () => {
  // Chile planned to keep its summer time in 2015, and went back in 2016
  const planned = [
    ...observance(
      'DAYLIGHT',
      '20120902T000000',
      -240,
      -180,
      'RRULE:FREQ=YEARLY;BYMONTH=9;BYDAY=1SU;UNTIL=20140907T040000Z',
    ),
    ...observance(
      'STANDARD',
      '20120429T000000',
      -180,
      -240,
      'RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=-1SU;UNTIL=20140427T030000Z',
    ),
  ];
  const event = [`DTSTART;TZID=${tzid}:20270701T100000`, 'DURATION:PT1H'];
  const { body, warnings } = read(textOf(planned, event).replaceAll(tzid, 'America/Santiago'));
  expect(startsIn(body)).toEqual(at('2027-07-01T14:00'));
  expect(warnings).toEqual(['zone-contradicts {"zone":"America/Santiago","used":"America/Santiago"}']);
});

test('a series that meets no difference is in the zone of the tz database', () => {
  // GroupWise has Berlin's clocks change an hour early
  const groupwise = [
    ...observance('STANDARD', '20001025T020000', 120, 60, 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10'),
    ...observance('DAYLIGHT', '20000329T010000', 60, 120, 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3'),
  ];
  const zoneAt = (time: string) => {
    const { body } = read(textOf(groupwise, [`DTSTART;TZID=${tzid}:202703${time}00`, 'RRULE:FREQ=WEEKLY;BYDAY=SU']));
    return (body as Series).when;
  };
  expect(zoneAt('07T0900')).toMatchObject({ zone: 'Europe/Berlin' });
  expect(zoneAt('07T0130')).not.toMatchObject({ zone: 'Europe/Berlin' });
});

test('a series that ends before the first difference is in the zone of the tz database', () => {
  // Exchange has the fourth Sunday of October, which is the last one in 2026 and not in 2027
  const exchange = [
    ...observance('STANDARD', '16010101T030000', 120, 60, 'RRULE:FREQ=YEARLY;BYDAY=4SU;BYMONTH=10'),
    ...observance('DAYLIGHT', '16010101T020000', 60, 120, 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3'),
  ];
  const zoneOf = (end: string) => {
    const { body } = read(textOf(exchange, [`DTSTART;TZID=${tzid}:20260901T090000`, `RRULE:FREQ=DAILY${end}`]));
    return (body as Series).when;
  };
  for (const end of [';COUNT=50', ';BYDAY=MO,TU;COUNT=20', ';UNTIL=20270801T070000Z'])
    expect(zoneOf(end)).toMatchObject({ zone: 'Europe/Berlin' });
  for (const end of ['', ';COUNT=999', ';UNTIL=20271101T070000Z'])
    expect(zoneOf(end)).not.toMatchObject({ zone: 'Europe/Berlin' });
});

test('a definition counts above a name that looks known, and a warning says so', () => {
  // Outlook with its adjustment for summer time switched off
  const lines = observance('STANDARD', '19700101T000000', -300, -300);
  const text = textOf(lines, ['DTSTART;TZID=Eastern Standard Time:20270605T100000', 'DURATION:PT1H']);
  const named = read(text.replace(`TZID:${tzid}`, 'TZID:Eastern Standard Time'));
  expect(startsIn(named.body)).toEqual(at('2027-06-05T15:00'));
  expect(named.warnings).toEqual(['zone-redefined {"zone":"Eastern Standard Time","named":"America/New_York"}']);
});

test('all-day series end by the clock of the only zone of their file, whatever its name', () => {
  // Outlook ends them at the last midnight, in UTC: 23 February in Berlin
  const berlin = [
    ...observance('STANDARD', '16010101T030000', 120, 60, 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10'),
    ...observance('DAYLIGHT', '16010101T020000', 60, 120, 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3'),
  ];
  const text = textOf(berlin, ['DTSTART;VALUE=DATE:20260216', 'RRULE:FREQ=DAILY;UNTIL=20260222T230000Z']);
  expect(startsIn(read(text).body)).toHaveLength(8);
});

test('an event keeps its instants where it is edited, copied, or exported', () => {
  fc.assert(
    fc.property(subject, fc.constantFrom(...Object.values(forms)), ({ one, meeting }, form) => {
      const text = textOf(form(one), master(meeting));
      const { body } = read(text);
      if (body.kind !== 'series') throw new Error(body.kind);
      const wanted = startsIn(body);
      const renamed = { ...body, core: { ...body.core, title: 'Renamed' } };
      const stamp = { stampMs: Date.UTC(2026, 0, 1) };
      const patched = patchObject(text, body, renamed, stamp) as string;
      expect(patched).toContain(`DTSTART;TZID=${tzid}:`);
      const later = {
        ...renamed,
        when: { ...body.when, start: meeting.start.add({ days: 1 }).toString({ smallestUnit: 'second' }) },
      };
      const moved = patchObject(text, body, later, stamp) as string;
      expect(startsIn(read(moved).body)).toEqual(startsIn(later));
      const copy = writeObject('other', body, stamp) as string;
      const writer = createCalendarWriter({ name: 'Ours', stampMs: 0 });
      const exported = writer.head() + writer.event('u', body) + writer.end();
      for (const written of [patched, copy, exported]) expect(startsIn(read(written).body)).toEqual(wanted);
      expect(Math.max(...exported.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(75);
    }),
    { numRuns: runs(150) },
  );
});
