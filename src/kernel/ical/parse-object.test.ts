import { describe, expect, test } from 'vitest';
import type { EventBody, Series, Single } from '#kernel/event.ts';
import { maxDurationSeconds } from '#kernel/ical/date-value.ts';
import { type ParseContext, parseObject } from '#kernel/ical/parse-object.ts';
import { findOccurrence } from '#kernel/recurrence/find-occurrence.ts';

// Unbounded work ends in the timeout of its test: it takes minutes.

const context: ParseContext = {
  selfAddresses: ['mailto:Ann@Example.com', 'ann@work.example'],
  tags: { verify: (uid, tag) => uid === 'mirror@holdfast.invalid' && tag === '1:good' },
};

function calendar(...events: string[][]): string {
  const lines = events.flatMap((event) => ['BEGIN:VEVENT', 'UID:u1@example.com', ...event, 'END:VEVENT']);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//t//t//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');
}

const at = ['DTSTART;TZID=Europe/Berlin:20270308T090000', 'DTEND;TZID=Europe/Berlin:20270308T100000'];
const weekly = [...at, 'RRULE:FREQ=WEEKLY'];

function bodyOf(...events: string[][]): EventBody {
  return parseObject(calendar(...events), context).body;
}
function single(...lines: string[]): Single {
  const body = bodyOf(lines);
  expect(body).toHaveProperty('kind', 'single');
  return body as Single;
}
function series(...events: string[][]): Series {
  const body = bodyOf(...events);
  expect(body).toHaveProperty('kind', 'series');
  return body as Series;
}
const coreOf = (...lines: string[]) => single(...at, ...lines).core;

describe('exports of real calendars', () => {
  test('an export of Google Calendar is read', () => {
    const parsed = parseObject(
      `BEGIN:VCALENDAR\r\nPRODID:-//Google Inc//Google Calendar 70.9054//EN\r\nVERSION:2.0\r\nCALSCALE:GREGORIAN\r\nMETHOD:PUBLISH\r\nX-WR-CALNAME:Ann\r\nX-WR-TIMEZONE:Europe/Berlin\r\nBEGIN:VEVENT\r\nDTSTART:20270308T080000Z\r\nDTEND:20270308T083000Z\r\nDTSTAMP:20261120T100000Z\r\nORGANIZER;CN=Bob:mailto:bob@example.com\r\nUID:1a2b3c@google.com\r\nATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=TENTATIVE;CN=ann@e\r\n xample.com;X-NUM-GUESTS=0:mailto:ann@example.com\r\nATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;CN="Bob, t\r\n he builder";X-NUM-GUESTS=0:mailto:BOB@example.com\r\nATTENDEE;CUTYPE=RESOURCE;PARTSTAT=ACCEPTED:mailto:room@resource.calendar.google.com\r\nX-GOOGLE-CONFERENCE:https://meet.google.com/abc-defg-hij\r\nCLASS:PRIVATE\r\nCREATED:20261101T000000Z\r\nDESCRIPTION:Line one\\nLine two\\, more\\; \\\\end\r\nLAST-MODIFIED:20261102T000000Z\r\nSEQUENCE:3\r\nSTATUS:CONFIRMED\r\nSUMMARY:Stand-up ☕\r\nTRANSP:OPAQUE\r\nBEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:not this\r\nTRIGGER:-P0DT0H10M0S\r\nEND:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
      context,
    );
    expect(parsed).toEqual({
      uid: '1a2b3c@google.com',
      sequence: 3,
      provenance: 'foreign',
      warnings: [],
      body: {
        kind: 'single',
        when: { kind: 'zoned', start: '2027-03-08T08:00:00', zone: 'UTC', duration: { seconds: 1800 } },
        core: {
          busy: 'busy',
          private: true,
          self: 'tentative',
          kind: 'default',
          title: 'Stand-up ☕',
          notes: 'Line one\nLine two, more; \\end',
          joinUrl: 'https://meet.google.com/abc-defg-hij',
          attendees: [{ email: 'bob@example.com', name: 'Bob, the builder', response: 'accepted' }],
          reminders: [10],
        },
      },
    });
  });

  test('an export of Outlook is read: Windows zone, busy status, all-day as midnights, Teams links', () => {
    const parsed = parseObject(
      `BEGIN:VCALENDAR\r\nPRODID:-//Microsoft Corporation//Outlook 16.0 MIMEDIR//EN\r\nVERSION:2.0\r\nMETHOD:PUBLISH\r\nX-MS-OLK-FORCEINSPECTOROPEN:TRUE\r\nBEGIN:VTIMEZONE\r\nTZID:W. Europe Standard Time\r\nBEGIN:STANDARD\r\nDTSTART:16011028T030000\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\nBEGIN:DAYLIGHT\r\nDTSTART:16010325T020000\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\nCLASS:PUBLIC\r\nDTSTART;TZID="W. Europe Standard Time":20270308T000000\r\nDTEND;TZID="W. Europe Standard Time":20270310T000000\r\nSUMMARY;LANGUAGE=en-us:Out\r\nUID:040000008200E00074C5B7101A82E008\r\nX-MICROSOFT-CDO-BUSYSTATUS:OOF\r\nX-MICROSOFT-CDO-ALLDAYEVENT:TRUE\r\nX-MICROSOFT-SKYPETEAMSMEETINGURL:https://teams.microsoft.com/l/meetup-join/1\r\nX-ALT-DESC;FMTTYPE=text/html:<html><body>x</body></html>\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
      context,
    );
    expect(parsed.body).toEqual({
      kind: 'single',
      when: { kind: 'all-day', start: '2027-03-08', end: '2027-03-10' },
      core: {
        busy: 'oof',
        private: false,
        self: 'none',
        kind: 'default',
        title: 'Out',
        joinUrl: 'https://teams.microsoft.com/l/meetup-join/1',
      },
    });
    expect(parsed.warnings).toEqual([]);
  });

  test('an export of Exchange is read: moved and cancelled instances, and dates in its own zone name', () => {
    const zone = 'TZID=(UTC-05:00) Eastern Time (US & Canada)'.replace(/=(.*)/, '="$1"');
    const parsed = parseObject(
      calendar(
        [
          `DTSTART;${zone}:20270301T090000`,
          `DTEND;${zone}:20270301T093000`,
          'RRULE:FREQ=WEEKLY;UNTIL=20270601T130000Z;INTERVAL=1;BYDAY=MO;WKST=SU',
          `EXDATE;${zone}:20270308T090000,20270315T090000`,
          'SUMMARY:Review',
        ],
        [
          `RECURRENCE-ID;${zone}:20270322T090000`,
          `DTSTART;${zone}:20270323T140000`,
          `DTEND;${zone}:20270323T150000`,
          'SUMMARY:Review (moved)',
          'X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE',
        ],
        [`RECURRENCE-ID;${zone}:20270329T090000`, `DTSTART;${zone}:20270329T090000`, 'STATUS:CANCELLED'],
      ),
      context,
    );
    expect(parsed.warnings).toEqual([]);
    expect(parsed.body).toMatchObject({
      kind: 'series',
      when: { zone: 'America/New_York', start: '2027-03-01T09:00:00', duration: { seconds: 1800 } },
      rules: ['FREQ=WEEKLY;UNTIL=20270601T130000Z;BYDAY=MO;WKST=SU'],
      // The clock goes forward on 14 March.
      exdates: ['20270308T140000Z', '20270315T130000Z', '20270329T130000Z'],
      overrides: {
        '20270322T130000Z': {
          when: { start: '2027-03-23T14:00:00' },
          core: { busy: 'tentative', title: 'Review (moved)' },
        },
      },
    });
  });

  test('an export of Apple Calendar is read: relative zone name, attendee with a principal, and duration', () => {
    const parsed = parseObject(
      calendar([
        'DTSTART;TZID=GMT+0530:20270308T090000',
        'DURATION:PT45M',
        'X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC',
        'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE="Here: there":geo:1,2',
        'ATTENDEE;CN=Ann;CUTYPE=INDIVIDUAL;EMAIL="ANN@work.example";PARTSTAT=DECLINED:/aMjk/principal/',
        'ATTENDEE;CN=Tim;EMAIL=tim@example.com:urn:uuid:1234',
        'ORGANIZER;EMAIL=tim@example.com:invalid:nomail',
      ]),
      context,
    );
    expect(parsed.body).toMatchObject({
      when: { zone: 'Asia/Kolkata', duration: { seconds: 2700 } },
      core: { self: 'declined', attendees: [{ email: 'tim@example.com', name: 'Tim', response: 'needs-action' }] },
    });
    expect(parsed.warnings).toEqual(['zone-taken-for-offset {"zone":"GMT+0530","used":"Asia/Kolkata"}']);
  });

  test('exports of Zoho and Evolution are read: prefixed zone, lower case, extended dates', () => {
    const body = single(
      'dtstart;tzid=/freeassociation.sourceforge.net/Europe/London:20270328t023000',
      'dtend:2027-03-28T02:30:00Z',
      'summary:Lower',
    );
    expect(body.when).toEqual({
      kind: 'zoned',
      start: '2027-03-28T02:30:00',
      zone: 'Europe/London',
      duration: { seconds: 3600 },
    });
    expect(body.core.title).toBe('Lower');
  });
});

describe('busy status', () => {
  test.each([
    [[], 'busy'],
    [['TRANSP:OPAQUE'], 'busy'],
    [['TRANSP:transparent'], 'free'],
    [['TRANSP:TRANSPARENT', 'X-MICROSOFT-CDO-BUSYSTATUS:BUSY'], 'free'],
    [['TRANSP:OPAQUE', 'X-MICROSOFT-CDO-BUSYSTATUS:FREE'], 'busy'],
    [['X-MICROSOFT-CDO-BUSYSTATUS:FREE'], 'free'],
    [['X-MICROSOFT-CDO-BUSYSTATUS:OOF'], 'oof'],
    [['TRANSP:TRANSPARENT', 'X-MICROSOFT-CDO-BUSYSTATUS:WORKINGELSEWHERE'], 'elsewhere'],
    [['STATUS:TENTATIVE'], 'tentative'],
    [['STATUS:tentative', 'TRANSP:TRANSPARENT'], 'free'],
  ])('an event with %j is read as %s', (lines, busy) => {
    expect(coreOf(...lines).busy).toBe(busy);
  });

  test.each([
    [[], false],
    [['CLASS:PUBLIC'], false],
    [['CLASS:PRIVATE'], true],
    [['CLASS:confidential'], true],
    [['CLASS:X-SECRET'], true],
  ])('an event with %j is private: %s', (lines, isPrivate) => {
    expect(coreOf(...lines).private).toBe(isPrivate);
  });

  test.each([
    ['OPAQUE', []],
    ['opaque', []],
    ['0', []],
    ['1', []],
    ['TRANSPARENT', []],
    ['CLEAR', ['transparency-unreadable {"source":"CLEAR"}']],
  ])('the transparency %s has the warnings %j', (value, warnings) => {
    expect(parseObject(calendar([...at, `TRANSP:${value}`]), context).warnings).toEqual(warnings);
  });

  test.each([
    [[], 'none'],
    [['ATTENDEE:mailto:ann@example.com'], 'needs-action'],
    [['ATTENDEE;PARTSTAT=ACCEPTED:MAILTO:ANN@EXAMPLE.COM'], 'accepted'],
    [['ATTENDEE;PARTSTAT=declined: mailto:ann@work.example '], 'declined'],
    [['ATTENDEE;PARTSTAT=DELEGATED:mailto:ann@example.com'], 'declined'],
    [['ATTENDEE;PARTSTAT=DECLINED:mailto:ann%40example.com'], 'declined'],
    [['ATTENDEE;PARTSTAT=DECLINED:MAILTO:%41nn@example%2Ecom'], 'declined'],
    [['ATTENDEE;PARTSTAT=DECLINED;EMAIL=ann%40example.com:urn:uuid:1'], 'declined'],
    [['ATTENDEE;PARTSTAT=DECLINED:mailto:50%@example.com'], 'none'],
    [
      ['ATTENDEE;PARTSTAT=DECLINED:mailto:ann@example.com', 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:ann@example.com'],
      'accepted',
    ],
    [
      ['ATTENDEE;PARTSTAT=ACCEPTED:mailto:ann@example.com', 'ATTENDEE;PARTSTAT=DECLINED:mailto:ann@example.com'],
      'accepted',
    ],
    [['ATTENDEE;PARTSTAT=DECLINED:mailto:ann@example.com', 'ATTENDEE:mailto:ann@work.example'], 'needs-action'],
    [['ATTENDEE:mailto:ann@example.com', 'ATTENDEE;PARTSTAT=TENTATIVE:mailto:ann@work.example'], 'tentative'],
    [['ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.com'], 'none'],
    [['ORGANIZER:mailto:ann@example.com', 'ATTENDEE:mailto:bob@example.com'], 'organizer'],
    [['ORGANIZER:mailto:ann@example.com', 'ATTENDEE;PARTSTAT=DECLINED:mailto:ann@example.com'], 'declined'],
    [['ORGANIZER:mailto:bob@example.com', 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:joann@example.com'], 'none'],
  ])('an event with %j has the response: %s', (lines, self) => {
    expect(coreOf(...lines).self).toBe(self);
  });
});

test.each([
  [['URL:https://example.com/about'], undefined],
  [['URL:https://us02web.zoom.us/j/123?pwd=x'], 'https://us02web.zoom.us/j/123?pwd=x'],
  [['LOCATION:https://meet.jit.si/Room'], 'https://meet.jit.si/Room'],
  [['DESCRIPTION:Agenda: https://docs.example.com\\nJoin (https://acme.webex.com/m/1).'], 'https://acme.webex.com/m/1'],
  [['CONFERENCE;VALUE=URI;FEATURE=VIDEO:https://video.example.com/1'], 'https://video.example.com/1'],
  [
    ['CONFERENCE;VALUE=URI:tel:+4930', 'CONFERENCE;VALUE=URI:https://video.example.com/2'],
    'https://video.example.com/2',
  ],
  [['X-GOOGLE-CONFERENCE:javascript:alert(1)'], undefined],
  [['DESCRIPTION:https://zoom.us.evil.example/j/1 https://evilzoom.us/'], undefined],
  [['DESCRIPTION:https://zoom.us@evil.example/j/1'], undefined],
])('an event with %j has the join link %s', (lines, link) => {
  expect(coreOf(...lines).joinUrl).toBe(link);
});

test.each([
  [['TRIGGER:-PT15M'], [15]],
  [['TRIGGER:PT0S'], [0]],
  [['TRIGGER:-P1DT2H', 'ACTION:AUDIO'], [1_560]],
  [['TRIGGER;RELATED=START;VALUE=DURATION:-PT90S'], [2]],
  [['TRIGGER:PT9H'], undefined],
  [['TRIGGER;RELATED=END:-PT15M'], undefined],
  [['TRIGGER;VALUE=DATE-TIME:20270308T070000Z'], undefined],
  [['TRIGGER:-PT15M', 'ACTION:EMAIL'], undefined],
  [['TRIGGER;VALUE=DATE-TIME:19760401T005545Z', 'ACTION:NONE'], undefined],
  [['TRIGGER:-P30D'], undefined],
])('an alarm with %j reminds %j minutes before', (lines, minutes) => {
  expect(coreOf('BEGIN:VALARM', ...lines, 'END:VALARM').reminders).toEqual(minutes);
});

test('an event keeps its five nearest reminders once each, and a mirror has none', () => {
  const alarms = [60, 5, 5, 30, 10, 0, 15].flatMap((minutes) => [
    'BEGIN:VALARM',
    `TRIGGER:-PT${minutes}M`,
    'END:VALARM',
  ]);
  expect(coreOf(...alarms).reminders).toEqual([0, 5, 10, 15, 30]);
  const block = calendar([...at, 'X-HOLDFAST-MIRROR:1:good', ...alarms]).replace(
    'u1@example.com',
    'mirror@holdfast.invalid',
  );
  const parsed = parseObject(block, context);
  expect(parsed.provenance).toBe('own');
  expect(parsed.body).not.toHaveProperty('core.reminders');
});

describe('event times', () => {
  test.each([
    ['no end: a moment', ['DTSTART:20270308T090000Z'], { seconds: 0 }],
    ['a duration in days stretches', ['DTSTART;TZID=Europe/Berlin:20270327T120000', 'DURATION:P1D'], { days: 1 }],
    ['a week is seven days', ['DTSTART:20270308T090000Z', 'DURATION:P1W'], { days: 7 }],
    [
      'an end over the change of clocks is exact',
      ['DTSTART;TZID=Europe/Berlin:20270327T120000', 'DTEND;TZID=Europe/Berlin:20270328T120000'],
      { seconds: 23 * 3600 },
    ],
    [
      'days stretch and hours do not',
      ['DTSTART;TZID=Europe/Berlin:20270327T120000', 'DURATION:P1DT1H'],
      { days: 1, seconds: 3600 },
    ],
    [
      'an end in another zone',
      ['DTSTART;TZID=Europe/Berlin:20270308T090000', 'DTEND;TZID=America/New_York:20270308T060000'],
      { seconds: 3 * 3600 },
    ],
    ['an end before the start is an hour', ['DTSTART:20270308T090000Z', 'DTEND:20270308T083000Z'], { seconds: 3600 }],
    ['a negative duration is an hour', ['DTSTART:20270308T090000Z', 'DURATION:-PT2H'], { seconds: 3600 }],
    ['an unreadable duration is an hour', ['DTSTART:20270308T090000Z', 'DURATION:long'], { seconds: 3600 }],
    ['an end at the start is a moment', ['DTSTART:20270308T090000Z', 'DTEND:20270308T090000Z'], { seconds: 0 }],
    ['an unreadable end is an hour', ['DTSTART:20270308T090000Z', 'DTEND:NaN'], { seconds: 3600 }],
    [
      'ten thousand years end after one hundred',
      ['DTSTART:20270308T090000Z', 'DURATION:P3650000D'],
      { seconds: maxDurationSeconds },
    ],
    [
      'the end of time comes after a century',
      ['DTSTART:20270308T090000Z', 'DTEND:99991231T235959Z'],
      { seconds: maxDurationSeconds },
    ],
    ['a leap second', ['DTSTART:20270308T090000Z', 'DTEND:20270308T095960Z'], { seconds: 3600 }],
    ['24 o’clock', ['DTSTART:20270308T230000Z', 'DTEND:20270308T240000Z'], { seconds: 3600 }],
  ])('the length of an event is read correctly: %s', (_, lines, duration) => {
    expect(single(...lines).when).toHaveProperty('duration', duration);
  });

  test('a time with both Z and TZID is that instant in that zone', () => {
    expect(single('DTSTART;TZID=Europe/Berlin:20270308T080000Z').when).toMatchObject({
      start: '2027-03-08T09:00:00',
      zone: 'Europe/Berlin',
    });
  });

  test.each([
    [['DTSTART;VALUE=DATE:20270308'], '2027-03-09'],
    [['DTSTART:20270308'], '2027-03-09'],
    [['DTSTART;VALUE=DATE:20270308', 'DTEND;VALUE=DATE:20270308'], '2027-03-09'],
    [['DTSTART;VALUE=DATE:20270308', 'DTEND;VALUE=DATE:20270301'], '2027-03-09'],
    [['DTSTART;VALUE=DATE:20270308', 'DTEND;VALUE=DATE:20270311'], '2027-03-11'],
    [['DTSTART;VALUE=DATE:20270308', 'DURATION:P2D'], '2027-03-10'],
    [['DTSTART;VALUE=DATE:20270308', 'DURATION:PT36H'], '2027-03-10'],
    [['DTSTART;VALUE=DATE:20270308', 'DTEND:20270309T120000'], '2027-03-10'],
  ])('an all-day event with %j ends on %s', (lines, end) => {
    expect(single(...lines).when).toEqual({ kind: 'all-day', start: '2027-03-08', end });
  });

  test('a floating time stays floating, and one in an unknown zone becomes floating with a warning', () => {
    expect(single('DTSTART:20270308T090000').when).toHaveProperty('kind', 'floating');
    const parsed = parseObject(calendar(['DTSTART;TZID=../../etc/passwd:20270308T090000']), context);
    expect(parsed.body).toHaveProperty('when.kind', 'floating');
    expect(parsed.warnings.join()).toContain('unknown');
  });

  test.each([
    '',
    'garbage',
    '00000101T000000Z',
    '100000101T000000Z',
    '20270230T000000Z',
    '-10101',
    '1e400',
    'Infinity',
  ])('an event that starts at %j is withheld', (start) => {
    expect(bodyOf([`DTSTART:${start}`])).toMatchObject({
      kind: 'withheld',
      reason: expect.stringMatching(/^start-unreadable /),
    });
  });
});

describe('series', () => {
  const [first, second, third] = ['20270308T080000Z', '20270315T080000Z', '20270322T080000Z'];

  test.each([
    ['EXDATE:20270315T080000Z'],
    ['EXDATE;TZID=Europe/Berlin:20270315T090000'],
    ['EXDATE;TZID=America/New_York:20270315T040000'],
    ['EXDATE:20270315T090000'],
    ['EXDATE;VALUE=DATE:20270315'],
    ['EXDATE:20270315'],
  ])('the second week is excluded by %s', (line) => {
    expect(series([...weekly, line]).exdates).toEqual([second]);
  });

  test('an all-day series is excluded by dates and by midnights of the calendar in UTC', () => {
    const lines = ['DTSTART;VALUE=DATE:20270308', 'RRULE:FREQ=WEEKLY;UNTIL=20270329T220000Z'];
    const text = calendar([
      ...lines,
      'EXDATE;VALUE=DATE:20270315',
      'EXDATE:20270321T230000Z',
      'EXDATE:20270405T000000',
    ]);
    const parsed = parseObject(text, { ...context, calendarZone: 'Europe/Berlin' });
    expect(parsed.body).toMatchObject({
      rules: ['FREQ=WEEKLY;UNTIL=20270330'],
      exdates: ['20270315', '20270322', '20270405'],
    });
  });

  test.each([
    ['UNTIL=20270329T070000Z', 'UNTIL=20270329T070000Z'],
    ['UNTIL=20270329T090000', 'UNTIL=20270329T070000Z'],
    ['UNTIL=20270329', 'UNTIL=20270329T215959Z'],
  ])('a rule with %s gets %s in a zoned series', (until, expected) => {
    expect(series([...at, `RRULE:FREQ=WEEKLY;${until}`]).rules).toEqual([`FREQ=WEEKLY;${expected}`]);
  });

  test('a series can have several rules, an excluding rule, extra dates and periods', () => {
    const body = series([
      ...weekly,
      'RRULE:FREQ=MONTHLY',
      'EXRULE:FREQ=MONTHLY;BYMONTHDAY=15',
      'RDATE;TZID=Europe/Berlin:20270310T090000,20270308T090000',
      'RDATE:20270311T080000Z',
      'RDATE;VALUE=PERIOD:20270312T080000Z/PT30M,20270313T080000Z/20270313T100000Z',
      'RDATE;VALUE=DATE:20270314',
    ]);
    expect(body.rules).toEqual(['FREQ=WEEKLY', 'FREQ=MONTHLY']);
    expect(body.exRules).toEqual(['FREQ=MONTHLY;BYMONTHDAY=15']);
    expect(body.extraDates).toEqual([
      { start: '2027-03-10T09:00:00' },
      { start: '2027-03-11T09:00:00' },
      { start: '2027-03-12T09:00:00', duration: { seconds: 1800 } },
      { start: '2027-03-13T09:00:00', duration: { seconds: 7200 } },
      { start: '2027-03-14T09:00:00' },
    ]);
  });

  test.each([
    'FREQ=WEEKLY;INTERVAL=0',
    'FREQ=WEEKLY;INTERVAL=-1',
    'FREQ=MONTHLY;BYDAY=54MO',
    'FREQ=DAILY;BYHOUR=25',
    'FREQ=WEEKLY;BYDAY=MO=',
    'FREQ=MONTHLY;BYSETPOS=0;BYDAY=MO',
    'FREQ=NEVER',
  ])('an event with a rule of %j has its start, is only read, and names the rule', (rule) => {
    const parsed = parseObject(calendar([...at, `RRULE:${rule}`]), context);
    expect(parsed.body).toMatchObject({ kind: 'instances', list: { [first]: { when: { zone: 'Europe/Berlin' } } } });
    expect(parsed.warnings).toEqual([`rule-unreadable ${JSON.stringify({ source: `RRULE:${rule}` })}`]);
  });

  test('an override is matched by its RECURRENCE-ID in any form', () => {
    for (const line of [
      'RECURRENCE-ID:20270315T080000Z',
      'RECURRENCE-ID;TZID=Europe/Berlin:20270315T090000',
      'RECURRENCE-ID;TZID=Asia/Tokyo:20270315T170000',
      'RECURRENCE-ID;VALUE=DATE:20270315',
    ]) {
      const body = series(weekly, [line, 'DTSTART;VALUE=DATE:20270316', 'SUMMARY:Moved']);
      expect(Object.keys(body.overrides)).toEqual([second]);
      expect(body.overrides[second]?.when).toEqual({ kind: 'all-day', start: '2027-03-16', end: '2027-03-17' });
    }
  });

  test('a cancelled override is an exclusion, an excluded override is kept, and the later revision wins', () => {
    const body = series(
      [...weekly, `EXDATE:${third}`],
      [`RECURRENCE-ID:${first}`, ...at, 'STATUS:CANCELLED'],
      [`RECURRENCE-ID:${second}`, ...at, 'SEQUENCE:2', 'SUMMARY:New'],
      [`RECURRENCE-ID:${second}`, ...at, 'SEQUENCE:1', 'SUMMARY:Old'],
      [`RECURRENCE-ID:${third}`, ...at, 'SUMMARY:Third'],
    );
    expect(body.exdates).toEqual([first]);
    expect(body.overrides[second]?.core.title).toBe('New');
    expect(body.overrides[third]?.core.title).toBe('Third');
  });

  test('a declined instance does not decline its series', () => {
    const me = (answer: string) => `ATTENDEE;PARTSTAT=${answer}:mailto:ann@example.com`;
    const body = series([...weekly, me('ACCEPTED')], [`RECURRENCE-ID:${second}`, ...at, me('DECLINED')]);
    expect(body.core.self).toBe('accepted');
    expect(body.overrides[second]?.core.self).toBe('declined');
  });

  test('overrides without their master are read as instances', () => {
    const body = bodyOf(
      [`RECURRENCE-ID:${second}`, ...at],
      [`RECURRENCE-ID:${first}`, ...at, 'STATUS:CANCELLED'],
      ['RECURRENCE-ID;VALUE=DATE:20270401', 'DTSTART;VALUE=DATE:20270401'],
    );
    expect(body).toMatchObject({ kind: 'instances', of: 'u1@example.com' });
    expect(Object.keys(body.kind === 'instances' ? body.list : {}).sort()).toEqual([second, '20270401'].sort());
  });

  test('a cancelled event is kept and takes no time', () => {
    for (const extra of [[], ['RRULE:FREQ=WEEKLY']]) {
      expect(bodyOf([...at, ...extra, 'STATUS:CANCELLED'])).toMatchObject({ kind: 'instances', list: {} });
    }
  });
});

describe('mirror tags', () => {
  const mirror = (tag: string, uid = 'mirror@holdfast.invalid') =>
    parseObject(calendar([...at, `X-HOLDFAST-MIRROR:${tag}`]).replace('u1@example.com', uid), context).provenance;

  test('only a tag that verifies for its UID makes an event own', () => {
    expect(mirror('1:good')).toBe('own');
    expect(mirror('1:forged')).toBe('foreign');
    expect(mirror('1:good', 'copy@example.com')).toBe('foreign');
  });
});

describe('malformed input', () => {
  const good = calendar(weekly);
  const first = '20270308T080000Z';

  test.each([
    ['a byte order mark', `\ufeff${good}`],
    ['LF only', good.replaceAll('\r\n', '\n')],
    ['CR only', good.replaceAll('\r\n', '\r')],
    ['doubled line ends', good.replaceAll('\r\n', '\r\r\n')],
    ['empty lines between', good.replaceAll('\r\n', '\r\n\r\n')],
    ['UTF-16 read as UTF-8', good.split('').join('\0')],
    ['junk lines inside', good.replace('RRULE', 'this is no property\r\n<html>\r\nRRULE')],
    ['text around it', `Dear all,\r\n\r\n${good}-- \r\nAnn`],
    ['a line of 2 MB', good.replace('RRULE', `X-A:${'a'.repeat(2 * 1024 * 1024)}\r\nRRULE`)],
    ['a stray END', good.replace('RRULE', 'END:VALARM\r\nRRULE')],
    [
      'an alarm that does not end',
      good.replace('RRULE', 'RRULE').replace('END:VEVENT', 'BEGIN:VALARM\r\nACTION:DISPLAY\r\nEND:VEVENT'),
    ],
  ])('an object with %s is read like a well-formed one', (_, text) => {
    expect(parseObject(text, context).body).toEqual(parseObject(good, context).body);
    expect(parseObject(good, context).body).toHaveProperty('kind', 'series');
  });

  test.each([
    ['nothing', '', 'beyond-limits'],
    ['a login page', '<!DOCTYPE html><html><body style="color:red">Sign in</body></html>', 'beyond-limits'],
    ['an empty calendar', calendar(), 'no-event'],
    ['a to-do', calendar().replace('END:V', 'BEGIN:VTODO\r\nUID:1\r\nEND:VTODO\r\nEND:V'), 'no-event'],
    ['11 MB', `${good}${' '.repeat(11 * 1024 * 1024)}`, 'beyond-limits'],
    [
      '20,001 components',
      `BEGIN:VCALENDAR\n${'BEGIN:VEVENT\nEND:VEVENT\n'.repeat(20_001)}END:VCALENDAR`,
      'beyond-limits',
    ],
    ['10,000 levels', 'BEGIN:X-PART\n'.repeat(10_000), 'beyond-limits'],
    ['a missing DTSTART', calendar(['SUMMARY:x']), 'start-missing'],
  ])('an object of %s is withheld with its reason', (_, text, reason) => {
    expect(parseObject(text, context).body).toEqual({ kind: 'withheld', reason });
  });

  test.each([
    ['a file that is cut off', good.slice(0, good.indexOf('RRULE') + 12), 'cut-off', 'instances'],
    ['no END of the calendar', good.replace('END:VCALENDAR\r\n', ''), 'cut-off', 'split'],
    ['two UIDs without an end', good + good.replace('u1@', 'u2@'), 'several-uids-unreadable', 'instances'],
  ])('an object of %s has its known times, is only read, and says why', (_, text, code, kind) => {
    const { body, warnings } = parseObject(text, context);
    expect(body.kind).toBe(kind);
    expect(findOccurrence(body, first, 'UTC', 'UTC')).toMatchObject({ startMs: Date.UTC(2027, 2, 8, 8) });
    expect(warnings).toContain(code);
  });

  test('a line that the end of a file cuts is not read', () => {
    // a date alone would be a whole day
    for (const end of ['DTSTART:20270308', 'DTSTART:20270308T080000', 'DTSTART:20270308T080000Z']) {
      const text = calendar([...at]).replace(/DTSTART[\s\S]*/, end);
      expect(parseObject(text, context).body).toEqual({ kind: 'withheld', reason: 'start-missing' });
    }
  });

  test('an object of several UIDs takes the time of all its events', () => {
    const other = calendar(['DTSTART:20270309T120000Z', 'DURATION:PT30M']).replace('u1@', 'u2@');
    const { body, warnings } = parseObject(calendar([...at, 'RRULE:FREQ=WEEKLY;COUNT=2']) + other, context);
    expect(body).toMatchObject({
      kind: 'instances',
      list: {
        '20270308T080000Z': {
          when: { start: '2027-03-08T09:00:00', zone: 'Europe/Berlin', duration: { seconds: 3600 } },
        },
        '20270309T120000Z': { when: { start: '2027-03-09T12:00:00', zone: 'UTC', duration: { seconds: 1800 } } },
        '20270315T080000Z': { when: { start: '2027-03-15T09:00:00', zone: 'Europe/Berlin' } },
      },
    });
    expect(warnings).toEqual(['several-uids']);
  });

  test('an oversized object is cut to its limits with warnings, and quickly', () => {
    const day = (n: number) =>
      new Date(Date.UTC(2027, 0, 1) + n * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
    const dates = Array.from({ length: 20_000 }, (_, n) => `${day(n)}T080000Z`);
    const parsed = parseObject(
      calendar(
        [
          ...weekly,
          `EXDATE:${dates.join(',')}`,
          `RDATE:${dates.map((date) => date.replace('T08', 'T10')).join(',')}`,
          ...Array.from({ length: 50_000 }, (_, n) => `ATTENDEE:mailto:a${n}@example.com`),
          `SUMMARY:${'😀'.repeat(2_000)}`,
          // Folded, as a real exporter would: the line limit is for what cannot be cut.
          `DESCRIPTION:${'x'.repeat(5_000_000).replace(/.{70}/g, '$&\r\n ')}`,
          `ATTACH;ENCODING=BASE64;VALUE=BINARY:${'A'.repeat(100_000)}`,
          'ATTACH:file:///etc/passwd',
        ],
        ...dates.slice(0, 2_000).map((date) => [`RECURRENCE-ID:${date.replace('T08', 'T11')}`, ...at]),
      ),
      context,
    );
    const body = parsed.body as Series;
    expect(body.exdates).toHaveLength(5_000);
    expect(body.extraDates).toHaveLength(5_000);
    expect(Object.keys(body.overrides)).toHaveLength(1_000);
    expect(body.core.attendees).toHaveLength(200);
    expect(body.core.title).toBe('😀'.repeat(500));
    expect(body.core.notes).toHaveLength(32_000);
    expect(parsed.warnings.length).toBeGreaterThanOrEqual(6);
  });

  test('property names that every JavaScript object has are ordinary names', () => {
    const parsed = parseObject(
      calendar([...at, 'CONSTRUCTOR:x', '__PROTO__:x', 'TOSTRING;__proto__=y:x', 'SUMMARY;constructor=1:ok']),
      context,
    );
    expect(parsed.body).toHaveProperty('core.title', 'ok');
  });

  test('DEF CON 30 “You Have One New Appwntment”: properties that add to iCalendar or run programs are dropped', () => {
    const adding = [
      'ATTACH:https://evil.example/pixel.gif',
      'ATTACH;ENCODING=BASE64;VALUE=BINARY;FMTTYPE=application/x-sh:ZWNobyBldmls',
      'IMAGE;VALUE=URI:file:///etc/passwd',
      'CONFERENCE;VALUE=URI:javascript:alert(1)//evil.example',
      'X-GOOGLE-CONFERENCE:javascript:alert(1)',
      'X-MICROSOFT-SKYPETEAMSMEETINGURL:file://evil.example/share',
      'X-ALT-DESC;FMTTYPE=text/html:<script>alert("evil.example")</script>',
      'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE=evil:geo:0,0',
      'X-LOTUS-COMMAND:evil',
      'X-ZOHO-EXTENSION:evil',
      'STRUCTURED-DATA;VALUE=URI:https://evil.example/x.json',
      'REFRESH-INTERVAL;VALUE=DURATION:PT1S',
      'SOURCE;VALUE=URI:https://evil.example/next.ics',
      'BEGIN:VALARM',
      'ACTION:PROCEDURE',
      'TRIGGER:-PT0S',
      'ATTACH;FMTTYPE=application/binary:file:///bin/evil',
      'END:VALARM',
      'BEGIN:VALARM',
      'ACTION:EMAIL',
      'ATTENDEE:mailto:evil@evil.example',
      'SUMMARY:evil',
      'TRIGGER:PT0S',
      'END:VALARM',
    ];
    const parsed = parseObject(calendar([...at, 'SUMMARY:Lunch', ...adding]), context);
    expect(JSON.stringify(parsed.body)).not.toMatch(/evil|script|passwd|file:/i);
    expect(parsed.body).toEqual(bodyOf([...at, 'SUMMARY:Lunch']));
  });

  test('texts lose control characters and keep markup as text', () => {
    expect(coreOf('SUMMARY:a\u0007b\u0000c\ud800d').title).toBe('abc\ufffdd');
    expect(coreOf('SUMMARY:<script>alert(1)</script> {{7*7}}').title).toBe('<script>alert(1)</script> {{7*7}}');
  });

  test('an event without a UID gets one from its content', () => {
    const text = calendar([...at, 'SUMMARY:x']).replace('UID:u1@example.com\r\n', '');
    const { uid, body } = parseObject(text, context);
    expect(body).toHaveProperty('kind', 'single');
    expect(uid).toMatch(/^no-uid-[0-9a-f]{32}$/);
    expect(parseObject(text.replace('VERSION', 'X-A:1\r\nVERSION'), context).uid).toBe(uid);
    expect(parseObject(text.replace('SUMMARY:x', 'SUMMARY:y'), context).uid).not.toBe(uid);
  });
});
