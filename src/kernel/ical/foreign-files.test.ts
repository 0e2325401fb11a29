import { describe, expect, test } from 'vitest';
import type { EventBody } from '#kernel/event.ts';
import { type Feed, parseFeed } from '#kernel/ical/parse-feed.ts';
import { occurrencesOf } from '#kernel/recurrence/occurrences.ts';

/*
 * Habits of real exporters, each with the instants that its author meant. Sources: RFC 5545, RFC 5546 2.1.5, and what
 * Google Calendar, libical, and ical.js show for the same text.
 */

const context = { selfAddresses: [], tags: { verify: () => false } };

function read(...lines: string[]): Feed {
  const feed = parseFeed(['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n'), context);
  if (!feed.ok) return expect.fail(feed.reason);
  return feed;
}

const event = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:u@x', ...lines, 'END:VEVENT'];
const zone = (tzid: string, ...observances: string[][]) => [
  'BEGIN:VTIMEZONE',
  `TZID:${tzid}`,
  ...observances.flat(),
  'END:VTIMEZONE',
];
const observance = (kind: 'STANDARD' | 'DAYLIGHT', from: string, to: string, ...lines: string[]) => [
  `BEGIN:${kind}`,
  `TZOFFSETFROM:${from}`,
  `TZOFFSETTO:${to}`,
  ...lines,
  `END:${kind}`,
];

const bodyOf = (feed: Feed): EventBody => [...feed.objects][0]?.body ?? expect.fail('no event');

/** Starts of the first object up to 2040, floating times as UTC. */
function startsOf(feed: Feed, most = 20): string[] {
  const limits = { instances: 5_000, steps: 50_000 };
  const range = { fromMs: 0, toMs: Temporal.Instant.from('2040-01-01T00:00Z').epochMilliseconds };
  return occurrencesOf(bodyOf(feed), 'UTC', 'UTC', range, limits)
    .list.slice(0, most)
    .map(({ startMs }) => Temporal.Instant.fromEpochMilliseconds(startMs).toString().replace(':00Z', 'Z'));
}

const timesOf = (body: EventBody | undefined) =>
  body === undefined
    ? expect.fail('no event')
    : occurrencesOf(body, 'UTC', 'UTC', { fromMs: 0, toMs: Date.UTC(2040, 0, 1) }, few).list.map(({ startMs, endMs }) =>
        [startMs, endMs].map(minuteOf).join('/'),
      );
const few = { instances: 100, steps: 10_000 };
const minuteOf = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: 'minute' });

describe('zones that equal no zone of the database exactly', () => {
  const groupwise = zone(
    'Mein Kalender',
    observance('STANDARD', '+0200', '+0100', 'DTSTART:20001025T020000', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10'),
    observance('DAYLIGHT', '+0100', '+0200', 'DTSTART:20000329T010000', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3'),
  );
  const exchange = zone(
    'Customized Time Zone',
    observance('STANDARD', '+0200', '+0100', 'DTSTART:16010101T030000', 'RRULE:FREQ=YEARLY;BYDAY=4SU;BYMONTH=10'),
    observance('DAYLIGHT', '+0100', '+0200', 'DTSTART:16010101T020000', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3'),
  );
  const usBefore2007 = zone(
    'Ostküste',
    observance('STANDARD', '-0400', '-0500', 'DTSTART:19871025T020000', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10'),
    observance('DAYLIGHT', '-0500', '-0400', 'DTSTART:19870405T020000', 'RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=4'),
  );
  const onlyTheseChanges = zone(
    'Nur dieses Jahr',
    observance('STANDARD', '+0200', '+0100', 'DTSTART:20261025T030000'),
    observance('DAYLIGHT', '+0100', '+0200', 'DTSTART:20260329T020000'),
  );
  const southern = zone(
    'Süden',
    observance('STANDARD', '+1100', '+1000', 'DTSTART:20080406T020000', 'RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=4'),
    observance('DAYLIGHT', '+1000', '+1100', 'DTSTART:20081005T030000', 'RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=10'),
  );
  const lotus = zone(
    'Firma Ost',
    observance(
      'STANDARD',
      '-0400',
      '-0500',
      'DTSTART:19501105T020000',
      'RRULE:FREQ=YEARLY;BYMINUTE=0;BYHOUR=2;BYDAY=1SU;BYMONTH=11',
    ),
    observance(
      'DAYLIGHT',
      '-0500',
      '-0400',
      'DTSTART:19500312T020000',
      'RRULE:FREQ=YEARLY;BYMINUTE=0;BYHOUR=2;BYDAY=2SU;BYMONTH=3',
    ),
  );
  const counted = zone(
    'Drei',
    observance('STANDARD', '+0300', '+0300', 'DTSTART:19700101T000000', 'RRULE:FREQ=YEARLY;COUNT=1'),
  );
  test.each([
    [
      'GroupWise, whose clocks change an hour early',
      groupwise,
      'Mein Kalender',
      '20270701T170000',
      '2027-07-01T15:00Z',
    ],
    ['GroupWise in winter', groupwise, 'Mein Kalender', '20270115T170000', '2027-01-15T16:00Z'],
    ['Exchange, with the fourth Sunday', exchange, 'Customized Time Zone', '20260701T170000', '2026-07-01T15:00Z'],
    ['the rules of the United States before 2007', usBefore2007, 'Ostküste', '20260701T170000', '2026-07-01T21:00Z'],
    ['a definition of one year only', onlyTheseChanges, 'Nur dieses Jahr', '20260701T120000', '2026-07-01T10:00Z'],
    ['a southern summer', southern, 'Süden', '20270115T090000', '2027-01-14T22:00Z'],
    ['a southern winter', southern, 'Süden', '20270715T090000', '2027-07-14T23:00Z'],
    ['Lotus Notes, with the hour in the rule', lotus, 'Firma Ost', '20261208T090000', '2026-12-08T14:00Z'],
    ['Lotus Notes in summer', lotus, 'Firma Ost', '20260701T090000', '2026-07-01T13:00Z'],
    ['a rule that ends by COUNT', counted, 'Drei', '20261208T180000', '2026-12-08T15:00Z'],
  ])('the time of an event is right in a zone of %s', (_, definition, tzid, local, instant) => {
    expect(startsOf(read(...definition, ...event(`DTSTART;TZID=${tzid}:${local}`)))).toEqual([instant]);
  });

  test('a weekly series in the nearest zone keeps its wall clock over the change', () => {
    const feed = read(
      ...groupwise,
      ...event('DTSTART;TZID=Mein Kalender:20270320T170000', 'RRULE:FREQ=WEEKLY;COUNT=3'),
    );
    expect(startsOf(feed)).toEqual(['2027-03-20T16:00Z', '2027-03-27T16:00Z', '2027-04-03T15:00Z']);
  });

  test('an escaped comma in the definition is the comma of the parameter', () => {
    const definition = zone(
      'Kuala Lumpur\\, Singapur',
      observance('STANDARD', '+0800', '+0800', 'DTSTART:16010101T000000'),
    );
    const feed = read(...definition, ...event('DTSTART;TZID="Kuala Lumpur, Singapur":20260701T093000'));
    expect(startsOf(feed)).toEqual(['2026-07-01T01:30Z']);
  });

  test('a definition that contradicts its own name all the year is told', () => {
    const definition = zone('Europe/Berlin', observance('STANDARD', '+0900', '+0900', 'DTSTART:16010101T000000'));
    const feed = read(...definition, ...event('DTSTART;TZID=Europe/Berlin:20260701T093000'));
    expect([...feed.objects][0]?.warnings).toEqual(['zone-redefined {"zone":"Europe/Berlin","named":"Europe/Berlin"}']);
  });
});

describe('definitions whose offsets lost their minutes', () => {
  const definition = (tzid: string, standard: string, summer: string, start: string, end: string) =>
    zone(
      tzid,
      observance('STANDARD', summer, standard, 'DTSTART:20080406T030000', `RRULE:FREQ=YEARLY;${end}`),
      observance('DAYLIGHT', standard, summer, 'DTSTART:20081005T020000', `RRULE:FREQ=YEARLY;${start}`),
    );
  const australian = ['BYMONTH=10;BYDAY=1SU', 'BYMONTH=4;BYDAY=1SU'] as const;
  const american = ['BYMONTH=3;BYDAY=2SU', 'BYMONTH=11;BYDAY=1SU'] as const;
  const ofChatham = ['BYMONTH=9;BYDAY=-1SU', 'BYMONTH=4;BYDAY=1SU'] as const;
  const always = (tzid: string, offset: string) =>
    zone(tzid, observance('STANDARD', offset, offset, 'DTSTART:20000101T000000'));

  // 09:00 in each zone; its offset by the tz database
  test.each([
    ['Asia/Kolkata', always('Asia/Kolkata', '+0500'), '2027-07-06T03:30Z'],
    ['Asia/Kolkata', always('Asia/Kolkata', '+0600'), '2027-07-06T03:30Z'],
    ['India Standard Time', always('India Standard Time', '+0500'), '2027-07-06T03:30Z'],
    ['Asia/Kathmandu', always('Asia/Kathmandu', '+0500'), '2027-07-06T03:15Z'],
    ['Asia/Tehran', always('Asia/Tehran', '+0300'), '2027-07-06T05:30Z'],
    [
      'Asia/Tehran',
      definition('Asia/Tehran', '+0300', '+0400', 'BYMONTH=3;BYMONTHDAY=22', 'BYMONTH=9;BYMONTHDAY=22'),
      '2027-07-06T05:30Z',
    ],
    ['Pacific/Marquesas', always('Pacific/Marquesas', '-0900'), '2027-07-06T18:30Z'],
    ['Pacific/Marquesas', always('Pacific/Marquesas', '-1000'), '2027-07-06T18:30Z'],
    ['Pacific/Marquesas', always('Pacific/Marquesas', '-1030'), '2027-07-06T18:30Z'],
    ['Australia/Adelaide', definition('Australia/Adelaide', '+0900', '+1000', ...australian), '2027-07-05T23:30Z'],
    ['Australia/Adelaide', definition('Australia/Adelaide', '+1000', '+1100', ...australian), '2027-07-05T23:30Z'],
    ['Pacific/Chatham', definition('Pacific/Chatham', '+1200', '+1300', ...ofChatham), '2027-07-05T20:15Z'],
    ['America/St_Johns', definition('America/St_Johns', '-0300', '-0200', ...american), '2027-07-06T11:30Z'],
    ['America/St_Johns', definition('America/St_Johns', '-0400', '-0300', ...american), '2027-07-06T11:30Z'],
    ['America/St_Johns', definition('America/St_Johns', '-0430', '-0330', ...american), '2027-07-06T11:30Z'],
  ])('%s counts by its name', (tzid, lines, instant) => {
    const feed = read(...lines, ...event(`DTSTART;TZID=${tzid}:20270706T090000`));
    expect(startsOf(feed)).toEqual([instant]);
    // CLDR keeps the earlier name
    const used = tzid.includes('/') ? tzid : 'Asia/Calcutta';
    expect([...feed.objects][0]?.warnings).toEqual([`zone-contradicts {"zone":"${tzid}","used":"${used}"}`]);
  });

  test('a series in a zone that counts by its name keeps its wall clock over the change', () => {
    const lines = definition('Australia/Adelaide', '+0900', '+1000', ...australian);
    const weekly = event('DTSTART;TZID=Australia/Adelaide:20270930T090000', 'RRULE:FREQ=WEEKLY;COUNT=2');
    expect(startsOf(read(...lines, ...weekly))).toEqual(['2027-09-29T23:30Z', '2027-10-06T22:30Z']);
  });

  test.each([
    ['two hours off', 'Asia/Kolkata', always('Asia/Kolkata', '+0300'), '2027-07-06T06:00Z'],
    ['other minutes', 'Asia/Kolkata', always('Asia/Kolkata', '+0515'), '2027-07-06T03:45Z'],
    ['a zone without minutes', 'Asia/Tokyo', always('Asia/Tokyo', '+0800'), '2027-07-06T01:00Z'],
    ['an offset that no misprint gives', 'America/St_Johns', always('America/St_Johns', '-0500'), '2027-07-06T14:00Z'],
    [
      'a setting of Outlook',
      'Newfoundland Standard Time',
      always('Newfoundland Standard Time', '-0330'),
      '2027-07-06T12:30Z',
    ],
  ])('a definition that is no such misprint counts: %s', (_, tzid, lines, instant) => {
    expect(startsOf(read(...lines, ...event(`DTSTART;TZID=${tzid}:20270706T090000`)))).toEqual([instant]);
  });
});

test('a list of clock changes that ends within a series is named by its TZID', () => {
  const dates = (day: string) => ['2026', '2027', '2028'].map((year) => `RDATE:${year}${day}`);
  const lines = zone(
    'Werkzeit',
    observance('STANDARD', '+0500', '+0400', 'DTSTART:20251026T030000', ...dates('1026T030000')),
    observance('DAYLIGHT', '+0400', '+0500', 'DTSTART:20260326T020000', ...dates('0326T020000')),
  );
  const weekly = event('DTSTART;TZID=Werkzeit:20270201T090000', 'RRULE:FREQ=WEEKLY');
  expect([...read(...lines, ...weekly).objects][0]?.warnings).toEqual([
    'zone-taken-for {"zone":"Werkzeit","used":"Werkzeit"}',
  ]);
});

describe('zones that are named in part', () => {
  test.each([
    ['(UTC-05:00) Eastern Time (US and Canada)', '2026-07-01T13:00Z'],
    ['Pacific Time (US & Canada), Tijuana', '2026-07-01T16:00Z'],
    ['Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', '2026-07-01T07:00Z'],
    ['Kuala Lumpur, Singapore', '2026-07-01T01:00Z'],
    ['W. Europe', '2026-07-01T07:00Z'],
    ['Eastern', '2026-07-01T13:00Z'],
    // a link of the tz database until 2020
    ['US/Pacific-New', '2026-07-01T16:00Z'],
    ['Berlin', '2026-07-01T07:00Z'],
    ['CEST', '2026-07-01T07:00Z'],
  ])('the zone %s is found without a definition', (tzid, instant) => {
    expect(startsOf(read(...event(`DTSTART;TZID="${tzid}":20260701T090000`)))).toEqual([instant]);
  });

  test.each([
    ['DTSTART;TZID=GMT+05:30:20261208T090000', '2026-12-08T03:30Z'],
    ['DTSTART;TZID=(UTC+01:00) Amsterdam, Berlin:20261208T090000', '2026-12-08T08:00Z'],
  ])('a parameter with a colon and without quotes is read: %s', (line, instant) => {
    expect(startsOf(read(...event(line)))).toEqual([instant]);
  });
});

describe('rules that RFC 5545 forbids and that have one sensible meaning', () => {
  const weekly = ['2026-07-06T09:00Z', '2026-07-13T09:00Z', '2026-07-20T09:00Z'];
  const daily = ['2026-07-06T09:00Z', '2026-07-07T09:00Z', '2026-07-08T09:00Z'];
  test.each([
    ['COUNT before UNTIL', 'FREQ=WEEKLY;COUNT=3;UNTIL=20261231T000000Z', weekly],
    ['UNTIL before COUNT', 'FREQ=WEEKLY;COUNT=10;UNTIL=20260720T090000Z', weekly],
    ['a negative COUNT', 'FREQ=WEEKLY;UNTIL=20260726;COUNT=-1;INTERVAL=1;BYDAY=MO', weekly],
    ['a part that is given twice', 'FREQ=DAILY;UNTIL=20260708T090000Z;FREQ=DAILY', daily],
    ['an empty part', 'FREQ=DAILY;BYMONTH=;UNTIL=20260708T090000Z', daily],
    ['an empty week start', 'FREQ=WEEKLY;WKST=;COUNT=3', weekly],
    ['a weekday with the number 0', 'FREQ=WEEKLY;BYDAY=0MO;COUNT=3', weekly],
    ['a comma at the end', 'FREQ=WEEKLY;BYDAY=MO,;COUNT=3', weekly],
    ['quotes', 'FREQ=WEEKLY;BYDAY="MO";COUNT=3', weekly],
    ['hyphens in UNTIL', 'FREQ=WEEKLY;UNTIL=2026-07-21', weekly],
    ['an offset in UNTIL', 'FREQ=WEEKLY;UNTIL=20260720T110000+0200', weekly],
    ['an UNTIL without seconds', 'FREQ=DAILY;UNTIL=2026-07-08T09:00Z', daily],
  ])('a rule with %s is read', (_, rule, starts) => {
    expect(startsOf(read(...event('DTSTART:20260706T090000Z', `RRULE:${rule}`)))).toEqual(starts);
  });

  test.each([
    ['FREQ=WEEKLY;COUNT=3;UNTIL=20261231T000000Z', true],
    ['FREQ=WEEKLY;COUNT=3;COUNT=5', true],
    ['FREQ=WEEKLY;BYDAY=2MO;COUNT=3', true],
    ['FREQ=WEEKLY;WKST=XX;COUNT=3', true],
    ['FREQ=DAILY;COUNT=3;FREQ=DAILY', false],
    ['FREQ=MONTHLY;BYDAY=2MO;COUNT=3', false],
    ['FREQ=WEEKLY;UNTIL=20260726;COUNT=-1', false],
  ])('a part of the rule %s that counts for nothing is told: %s', (rule, isTold) => {
    const [object] = read(...event('DTSTART:20260706T090000Z', `RRULE:${rule}`)).objects;
    expect(object?.warnings).toEqual(isTold ? [`rule-repaired ${JSON.stringify({ source: `RRULE:${rule}` })}`] : []);
  });

  test('of COUNT and UNTIL only the earlier end is kept', () => {
    const rulesOf = (rule: string) => bodyOf(read(...event('DTSTART:20260706T090000Z', `RRULE:${rule}`)));
    expect(rulesOf('FREQ=WEEKLY;COUNT=3;UNTIL=20261231T000000Z')).toMatchObject({ rules: ['FREQ=WEEKLY;COUNT=3'] });
    expect(rulesOf('FREQ=WEEKLY;COUNT=30;UNTIL=20260720T090000Z')).toMatchObject({
      rules: ['FREQ=WEEKLY;UNTIL=20260720T090000Z'],
    });
  });

  test.each([
    'FREQ=LUNAR_YEARLY',
    'RSCALE=HEBREW;FREQ=YEARLY',
    'FREQ=NEVER',
    'FREQ=SOMETIMES',
    'COUNT=3',
    'FREQ=DAILY;COUNT=0',
    'FREQ=DAILY;COUNT=-1',
    'FREQ=DAILY;COUNT=abc',
    'FREQ=DAILY;INTERVAL=0;COUNT=2',
    'FREQ=DAILY;INTERVAL=-1',
    'FREQ=DAILY;UNTIL=soon',
    'FREQ=DAILY;COUNT=2;BYDAY=XX',
    'FREQ=YEARLY;BYMONTH=13',
    'FREQ=MONTHLY;BYMONTHDAY=32',
    'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0',
    'FREQ=WEEKLY;INTERVAL=2;WKST=XX',
    'MP3 6- FR #17',
  ])(
    'the rule %s is beyond Holdfast: the start of the event is known and blocks, and a warning names the rule',
    (rule) => {
      const [object] = read(...event('DTSTART:20260706T090000Z', 'DTEND:20260706T103000Z', `RRULE:${rule}`)).objects;
      expect(timesOf(object?.body)).toEqual(['2026-07-06T09:00Z/2026-07-06T10:30Z']);
      expect(object?.body.kind).toBe('instances');
      expect(object?.warnings).toEqual([`rule-unreadable ${JSON.stringify({ source: `RRULE:${rule}` })}`]);
    },
  );

  test('a rule that cannot be read takes none of the other known times with it', () => {
    const rules = ['RRULE:FREQ=SOMETIMES', 'RRULE:FREQ=DAILY;COUNT=2'];
    const lines = ['DTSTART:20260706T090000Z', 'DURATION:PT1H', ...rules, 'RDATE:20260710T090000Z'];
    const moved = event('RECURRENCE-ID:20260713T090000Z', 'DTSTART:20260714T120000Z', 'DURATION:PT1H');
    const { objects } = read(...event(...lines), ...moved);
    expect(timesOf([...objects][0]?.body)).toEqual([
      '2026-07-06T09:00Z/2026-07-06T10:00Z',
      '2026-07-07T09:00Z/2026-07-07T10:00Z',
      '2026-07-10T09:00Z/2026-07-10T10:00Z',
      '2026-07-14T12:00Z/2026-07-14T13:00Z',
    ]);
  });

  test('a week start that is none changes nothing where weeks are not counted', () => {
    const rule = 'RRULE:FREQ=WEEKLY;WKST=XX;COUNT=3';
    expect(startsOf(read(...event('DTSTART:20260706T090000Z', rule)))).toEqual(weekly);
  });

  test('a change whose name cannot be read leaves its series, and takes its own time too', () => {
    const feed = read(
      ...event('DTSTART:20260706T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=2'),
      ...event('RECURRENCE-ID:then', 'DTSTART:20260720T120000Z', 'DURATION:PT1H'),
    );
    expect(startsOf(feed)).toEqual(['2026-07-06T09:00Z', '2026-07-07T09:00Z', '2026-07-20T12:00Z']);
  });

  test('a series whose start cannot be read takes the times of its changed instances', () => {
    const feed = read(
      ...event('DTSTART:in July', 'RRULE:FREQ=DAILY;COUNT=2'),
      ...event('RECURRENCE-ID:20260707T090000Z', 'DTSTART:20260720T120000Z', 'DURATION:PT1H'),
    );
    expect(startsOf(feed)).toEqual(['2026-07-20T12:00Z']);
  });

  test('a day of the month without a month is once a year', () => {
    const feed = read(
      ...event('DTSTART;VALUE=DATE:20260707', 'RRULE:FREQ=YEARLY;WKST=MO;INTERVAL=1;BYMONTHDAY=7;COUNT=3'),
    );
    expect(startsOf(feed)).toEqual(['2026-07-07T00:00Z', '2027-07-07T00:00Z', '2028-07-07T00:00Z']);
    // blocks of it say so to programs that would take it for once a month
    const [{ body } = expect.fail()] = [...feed.objects];
    expect(body).toMatchObject({ rules: ['FREQ=YEARLY;COUNT=3;BYMONTH=7;BYMONTHDAY=7'] });
  });

  test('a numbered weekday of a numbered week is the weekday', () => {
    const feed = read(...event('DTSTART:20240304T090000Z', 'RRULE:FREQ=YEARLY;BYWEEKNO=10;BYDAY=1MO;COUNT=3'));
    expect(startsOf(feed)).toEqual(['2024-03-04T09:00Z', '2025-03-03T09:00Z', '2026-03-02T09:00Z']);
  });

  test('the weeks of a year are counted by the year of the week', () => {
    const rule = 'RRULE:FREQ=YEARLY;BYWEEKNO=53;BYDAY=TU,SA;INTERVAL=5';
    const starts = startsOf(read(...event('DTSTART:20100102T090000Z', rule)));
    expect(starts.filter((start) => start < '2020')).toEqual(['2010-01-02T09:00Z']);
    const everyYear = startsOf(
      read(...event('DTSTART:20201229T090000Z', 'RRULE:FREQ=YEARLY;BYWEEKNO=53;BYDAY=TU,SA')),
      4,
    );
    expect(everyYear).toEqual(['2020-12-29T09:00Z', '2021-01-02T09:00Z', '2026-12-29T09:00Z', '2027-01-02T09:00Z']);
  });
});

describe('days and times', () => {
  const berlin = zone(
    'W. Europe Standard Time',
    observance('STANDARD', '+0200', '+0100', 'DTSTART:16011028T030000', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10'),
    observance('DAYLIGHT', '+0100', '+0200', 'DTSTART:16010325T020000', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3'),
  );
  test.each([
    ['with the zone of the file', berlin],
    ['without a zone', []],
  ])('the last day of an all-day series of Outlook counts, %s', (_, definition) => {
    const lines = ['DTSTART;VALUE=DATE:20260216', 'RRULE:FREQ=DAILY;UNTIL=20260222T230000Z'];
    expect(startsOf(read(...definition, ...event(...lines))).at(-1)).toBe('2026-02-23T00:00Z');
  });

  test('a time behind VALUE=DATE is a time', () => {
    const feed = read(...event('DTSTART;VALUE=DATE:20090117T200000', 'DTEND;VALUE=DATE:20090117T220000'));
    expect(bodyOf(feed)).toMatchObject({
      when: { kind: 'floating', start: '2009-01-17T20:00:00', duration: { wallSeconds: 7_200 } },
    });
  });

  test('the later of two revisions with one SEQUENCE counts, in either order', () => {
    const newer = event('SEQUENCE:1', 'DTSTAMP:20261105T000000Z', 'DTSTART:20261207T150000Z', 'DURATION:PT2H');
    const older = event('SEQUENCE:1', 'DTSTAMP:20261101T000000Z', 'DTSTART:20261207T150000Z', 'DURATION:PT30M');
    for (const lines of [newer.concat(older), older.concat(newer)]) {
      expect(bodyOf(read(...lines))).toMatchObject({ when: { duration: { seconds: 7_200 } } });
    }
  });

  test('a line of more than a megabyte is cut, folded or not', () => {
    const attachment = 'A'.repeat(1_200_000);
    for (const text of [attachment, attachment.replaceAll(/.{70}/g, '$&\r\n ')]) {
      const feed = read(...event('DTSTART:20261207T150000Z', `ATTACH;ENCODING=BASE64;VALUE=BINARY:${text}`));
      expect(startsOf(feed)).toEqual(['2026-12-07T15:00Z']);
    }
  });

  test('busy periods of a VFREEBUSY take their time', () => {
    const feed = read(
      'BEGIN:VFREEBUSY',
      'DTSTART:20261201T000000Z',
      'FREEBUSY:20261208T090000Z/20261208T100000Z,20261208T120000Z/PT30M',
      'FREEBUSY;FBTYPE=BUSY-TENTATIVE:20261209T090000Z/PT1H',
      'FREEBUSY;FBTYPE=FREE:20261210T090000Z/PT1H',
      'END:VFREEBUSY',
    );
    expect([...feed.objects].map(({ body }) => body)).toMatchObject([
      { when: { start: '2026-12-08T09:00:00', duration: { seconds: 3_600 } }, core: { busy: 'busy' } },
      { when: { start: '2026-12-08T12:00:00', duration: { seconds: 1_800 } }, core: { busy: 'busy' } },
      { when: { start: '2026-12-09T09:00:00' }, core: { busy: 'tentative' } },
    ]);
    expect(feed.count).toBe(3);
  });

  test('busy periods in local time are read in the zone of their line, else in that of the calendar', () => {
    const feed = read(
      'X-WR-TIMEZONE:America/New_York',
      'BEGIN:VFREEBUSY',
      'FREEBUSY;TZID=Europe/Berlin:20260706T090000/20260706T100000,20270328T010000/PT2H',
      'FREEBUSY;FBTYPE=BUSY;TZID="W. Europe Standard Time":20261208T090000/PT30M',
      'FREEBUSY;TZID=Mine:20261208T120000/PT30M',
      'FREEBUSY:20261209T090000/20261209T103000',
      'FREEBUSY;TZID=Europe/Berlin:20261210T090000Z/PT1H',
      'FREEBUSY;TZID=Europe/Berlin:20270327T120000/P1DT6H',
      'FREEBUSY;VALUE=DATE:20261224/20261227',
      'END:VFREEBUSY',
      ...zone('Mine', observance('STANDARD', '+0530', '+0530', 'DTSTART:19700101T000000')),
    );
    const instants = [...feed.objects].flatMap(({ body }) =>
      occurrencesOf(body, feed.zone ?? 'UTC', 'Europe/Berlin', { fromMs: 0, toMs: Date.UTC(2040, 0, 1) }, few).list.map(
        ({ startMs, endMs }) => [startMs, endMs].map(minuteOf).join('/'),
      ),
    );
    expect(instants).toEqual([
      '2026-07-06T07:00Z/2026-07-06T08:00Z',
      '2027-03-28T00:00Z/2027-03-28T02:00Z',
      '2026-12-08T08:00Z/2026-12-08T08:30Z',
      '2026-12-08T06:30Z/2026-12-08T07:00Z',
      '2026-12-09T14:00Z/2026-12-09T15:30Z',
      '2026-12-10T09:00Z/2026-12-10T10:00Z',
      // a day of 23 hours, then six hours
      '2027-03-27T11:00Z/2027-03-28T16:00Z',
      '2026-12-23T23:00Z/2026-12-26T23:00Z',
    ]);
    expect(feed.damaged).toBe(false);
  });

  test('a busy period that cannot be read makes the reading incomplete', () => {
    const feed = read('BEGIN:VFREEBUSY', 'FREEBUSY:soon/PT1H,20261208T120000Z/PT30M', 'END:VFREEBUSY');
    expect(feed).toMatchObject({ count: 1, damaged: true, warnings: ['busy-unreadable {"number":1}'] });
  });
});

describe('characters', () => {
  const bytes = (...parts: (string | number[])[]) =>
    Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)));
  const titles = (file: Uint8Array) => {
    const feed = parseFeed(file, context);
    if (!feed.ok) return expect.fail(feed.reason);
    return [...feed.objects].map(({ body }) => (body.kind === 'single' ? body.core.title : body.kind));
  };
  const start = 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART:20261207T150000Z\r\nSUMMARY:Gr';
  const rest = 'e\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:b\r\nDTSTART:20261207T150000Z\r\nSUMMARY:Böhm\r\n';
  const end = 'END:VEVENT\r\nEND:VCALENDAR\r\n';

  test('a character that a fold divides is whole again', () => {
    expect(titles(bytes(start, [0xc3, 13, 10, 32, 0xbc], 'ß', rest, end))).toEqual(['Grüße', 'Böhm']);
  });

  test('a line in Windows-1252 does not damage the others', () => {
    expect(titles(bytes(start, [0xfc, 0xdf], rest, end))).toEqual(['Grüße', 'Böhm']);
  });
});

describe('damage stays where it is', () => {
  const one = (n: number, ...lines: string[]) => [
    'BEGIN:VEVENT',
    `UID:f${n}@x`,
    `DTSTART:202612${String(n + 1).padStart(2, '0')}T120000Z`,
    ...lines,
    'END:VEVENT',
  ];
  const kindsOf = (feed: Feed) => [...feed.objects].map(({ uid, body }) => `${uid} ${body.kind}`);
  const all = Array.from({ length: 24 }, (_, n) => one(n));

  test.each([[0], [15], [23]])('event %i without its END has its start, and changes no other', (damaged) => {
    const lines = all.flatMap((event, n) => (n === damaged ? event.slice(0, -1) : event));
    const feed = read(...lines);
    expect(kindsOf(feed)).toEqual(all.map((_, n) => `f${n}@x ${n === damaged ? 'instances' : 'single'}`));
    const { body, warnings } = [...feed.objects][damaged] ?? expect.fail('no event');
    // the end may be missing, which means an hour
    const day = `2026-12-${String(damaged + 1).padStart(2, '0')}`;
    expect(timesOf(body)).toEqual([`${day}T12:00Z/${day}T13:00Z`]);
    expect(warnings).toEqual(['cut-off']);
    expect(feed).toMatchObject({ complete: true, damaged: true });
  });

  test('two events without their END have their starts', () => {
    const feed = read(...all.flatMap((event, n) => (n === 3 || n === 4 ? event.slice(0, -1) : event)));
    expect(kindsOf(feed).filter((kind) => kind.endsWith('instances'))).toEqual(['f3@x instances', 'f4@x instances']);
    expect(feed).toMatchObject({ count: 24, damaged: true });
  });

  test.each(['VTODO', 'VJOURNAL', 'VTIMEZONE'])('a %s without its END costs no event', (name) => {
    const feed = read(
      ...one(0),
      `BEGIN:${name}`,
      'UID:t',
      `END:${name.split('').reverse().join('')}`,
      ...one(1),
      ...one(2),
    );
    expect(kindsOf(feed)).toEqual(['f0@x single', 'f1@x single', 'f2@x single']);
    expect(feed).toMatchObject({ complete: true, damaged: true });
  });

  test.each([
    ['without its BEGIN', 0, one(1).slice(1)],
    ['without the BEGIN of the first event', 1, one(1).slice(1)],
    ['with a misspelt BEGIN', 0, ['BEGIN:VEVNT', ...one(1).slice(1)]],
    ['with a BEGIN that is no line', 0, ['BEGIN VEVENT', ...one(1).slice(1)]],
    ['with the END of a to-do', 0, [...one(1).slice(0, -1), 'END:VTODO']],
    ['with the END of a time zone', 0, [...one(1).slice(0, -1), 'END:VTIMEZONE']],
  ])('an event %s has its start, and the file says that it is damaged', (_, place, lines) => {
    const others = [one(0), one(2)];
    const feed = read('X-WR-CALNAME:Team', 'UID:of-the-calendar', ...others.toSpliced(1 - place, 0, lines).flat());
    expect(kindsOf(feed).toSorted()).toEqual(['f0@x single', 'f1@x instances', 'f2@x single']);
    expect(feed.damaged).toBe(true);
  });

  test('an alarm without its END costs its event where it takes the time of it, and no other', () => {
    const feed = read(...one(0, 'BEGIN:VALARM', 'TRIGGER:-PT5M', 'RRULE:FREQ=DAILY'), ...one(1));
    expect(kindsOf(feed)).toEqual(['f0@x split', 'f1@x single']);
    const harmless = read(...one(0, 'BEGIN:VALARM', 'TRIGGER:-PT5M'), ...one(1));
    expect(kindsOf(harmless)).toEqual(['f0@x single', 'f1@x single']);
    expect([feed.damaged, harmless.damaged]).toEqual([false, false]);
  });

  test('a start that an alarm without its END took is the start of its event', () => {
    const feed = read('BEGIN:VEVENT', 'UID:f0@x', 'BEGIN:VALARM', 'TRIGGER:-PT5M', ...one(0).slice(2), ...one(1));
    expect(kindsOf(feed)).toEqual(['f0@x instances', 'f1@x single']);
  });

  test('a whole file is not damaged', () => {
    expect(read(...all.flat())).toMatchObject({ complete: true, damaged: false });
  });
});

test('of a list of starts, which only RDATE may have, the first one blocks', () => {
  const feed = read(...event('DTSTART:20270105T080000Z,20270106T080000Z'));
  expect(startsOf(feed)).toEqual(['2027-01-05T08:00Z']);
  expect([...feed.objects][0]?.warnings).toEqual(['start-unreadable {"source":"20270105T080000Z,20270106T080000Z"}']);
});
