import { expect, test } from 'vitest';
import { resolveZone } from '#kernel/ical/time-zone.ts';
import { windowsZones } from '#kernel/ical/windows-zones.ts';
import { dayMs, dayNumber } from '#kernel/time/civil.ts';
import { timesAt } from '#kernel/time/event-times.ts';
import { loadEventZone } from '#kernel/time/event-zone.ts';
import { loadZone } from '#kernel/time/zones.ts';

const in2027 = timesAt(dayNumber(2027, 1, 1) * dayMs);

// Unbounded work ends in the timeout of its test: it takes minutes.

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['"America/New_York"', 'America/New_York'],
  [' Asia/Kolkata ', 'Asia/Kolkata'],
  ['US/Eastern', 'US/Eastern'],
  ['UTC', 'UTC'],
  ['Etc/GMT', 'UTC'],
  ['Z', 'UTC'],
  ['tzone://Microsoft/Utc', 'UTC'],
  ['W. Europe Standard Time', 'Europe/Berlin'],
  ['eastern standard time', 'America/New_York'],
  ['Eastern Daylight Time', 'America/New_York'],
  ['India Standard Time', 'Asia/Calcutta'],
  ['/mozilla.org/20050126_1/Europe/Berlin', 'Europe/Berlin'],
  ['/freeassociation.sourceforge.net/America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['/citadel.org/20210210_1/America/Denver', 'America/Denver'],
  ['(UTC-05:00) Eastern Time (US & Canada)', 'America/New_York'],
  ['(GMT-08.00) Pacific Time (US & Canada); Tijuana', 'America/Los_Angeles'],
  ['(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', 'Europe/Amsterdam'],
  ['(UTC+10:00) Canberra, Melbourne, Sydney', 'Australia/Melbourne'],
  ['(UTC) Dublin, Edinburgh, Lisbon, London', 'Europe/Dublin'],
  ['(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi', 'Asia/Kolkata'],
  ['GMT+0530', 'Asia/Kolkata'],
  ['GMT-0500', 'Etc/GMT+5'],
  ['UTC+2', 'Etc/GMT-2'],
  ['+01:00', 'Etc/GMT-1'],
])('the TZID %s means %s', (tzid, zone) => {
  expect(resolveZone(tzid)?.zone).toBe(zone);
  expect(loadZone(zone)).not.toBeNull();
});

test.each([
  '',
  ' ',
  '../../etc/passwd',
  '/etc/passwd',
  'Customized Time Zone',
  'tzone://Microsoft/Custom',
  'GMT+99:99',
  'a'.repeat(5_000),
  'constructor',
  '__proto__',
  'Europe/../UTC\0',
])('the TZID %j means no zone', (tzid) => {
  expect(resolveZone(tzid)).toBeNull();
});

test('every Windows zone leads to a zone of the tz database', () => {
  const names = Object.keys(windowsZones);
  expect(names.length).toBeGreaterThan(130);
  for (const name of names) expect(loadZone(resolveZone(name)?.zone ?? ''), name).not.toBeNull();
});

const outlookCustom = `BEGIN:VTIMEZONE
TZID:Customized Time Zone
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE`;

test('an unknown TZID is resolved by the clock changes of its VTIMEZONE', () => {
  expect(resolveZone('Customized Time Zone', outlookCustom, in2027)).toEqual({
    zone: 'Europe/Berlin',
    by: 'observances',
  });
  const eastern = outlookCustom
    .replaceAll('+0200', '-0400')
    .replaceAll('+0100', '-0500')
    .replace('16010101T030000', '20071104T020000')
    .replace('BYDAY=-1SU;BYMONTH=10', 'BYDAY=1SU;BYMONTH=11')
    .replace('BYDAY=-1SU;BYMONTH=3', 'BYDAY=2SU;BYMONTH=3');
  expect(resolveZone('Customized Time Zone 1', eastern, in2027)?.zone).toBe('America/New_York');
});

const zoneBlock = (...observances: string[][]) =>
  [
    'BEGIN:VTIMEZONE',
    'TZID:x',
    ...observances.flatMap(([start, from, to, rule = '']) => [
      'BEGIN:STANDARD',
      `DTSTART:${start}`,
      `TZOFFSETFROM:${from}`,
      `TZOFFSETTO:${to}`,
      ...(rule === '' ? [] : [`RRULE:${rule}`]),
      'END:STANDARD',
    ]),
    'END:VTIMEZONE',
  ].join('\n');
const always = (offset: string) => zoneBlock(['16010101T000000', offset, offset]);
/** With summer time from one Sunday on to another. */
const summerTime = (standard: string, summer: string, spring: string, autumn: string) =>
  zoneBlock(
    ['16010101T020000', standard, summer, `FREQ=YEARLY;${spring}`],
    ['16010101T020000', summer, standard, `FREQ=YEARLY;${autumn}`],
  );
const usBefore2007 = summerTime('-0500', '-0400', 'BYMONTH=4;BYDAY=1SU', 'BYMONTH=10;BYDAY=-1SU');

test.each([
  ['rules before 2007', 'America/New_York', usBefore2007],
  ['rules before 2007, in a registry', '/softwarestudio.org/Olson_20011030_5/America/New_York', usBefore2007],
  ['no summer time, as in 1970', 'Europe/Berlin', always('+0100')],
  ['summer time all the year', 'Europe/Berlin', always('+0200')],
  [
    'a summer time that has ended',
    'America/Sao_Paulo',
    summerTime('-0300', '-0200', 'BYMONTH=10;BYDAY=3SU', 'BYMONTH=2;BYDAY=3SU'),
  ],
  ['an earlier standard time', 'Europe/Istanbul', always('+0200')],
])('the name of a real zone counts above a definition with its earlier rules: %s', (_, tzid, text) => {
  const times = { ...in2027, again: 'all', untilMs: Infinity } as const;
  expect(resolveZone(tzid, text, times)).toEqual({ zone: /[A-Z]\w+\/\w+$/.exec(tzid)?.[0], by: 'outdated' });
});

test.each([
  ['offsets that it never had', 'Europe/Berlin', always('+0900')],
  [
    'summer time in winter',
    'Europe/Berlin',
    summerTime('+0100', '+0200', 'BYMONTH=10;BYDAY=-1SU', 'BYMONTH=3;BYDAY=-1SU'),
  ],
  [
    'summer time in other months',
    'America/New_York',
    summerTime('-0500', '-0400', 'BYMONTH=7;BYDAY=1SU', 'BYMONTH=10;BYDAY=-1SU'),
  ],
  ['a standard time that our tz database does not have yet', 'America/New_York', always('-0300')],
  [
    'summer time under the name of a fixed offset',
    'GMT',
    summerTime('+0000', '+0100', 'BYMONTH=3;BYDAY=-1SU', 'BYMONTH=10;BYDAY=-1SU'),
  ],
  ['earlier rules under a name of Windows', 'Eastern Standard Time', usBefore2007],
  ['no summer time under a name of Windows', 'W. Europe Standard Time', always('+0100')],
  ['another country under an abbreviation', 'BST', always('+0600')],
  ['the sign of POSIX', 'UTC+5', always('-0500')],
])('a definition counts above its name where it has %s', (_, tzid, text) => {
  const times = { ...in2027, again: 'all', untilMs: Infinity } as const;
  const own = resolveZone('Nowhere in particular', text, times);
  expect(resolveZone(tzid, text, times)).toEqual({ ...own, instead: resolveZone(tzid)?.zone });
});

test('X-LIC-LOCATION names the zone only where no observance does', () => {
  const located = (text: string) => text.replace('BEGIN:STANDARD', 'X-LIC-LOCATION:Asia/Tokyo\nBEGIN:STANDARD');
  expect(resolveZone('My zone', located(outlookCustom), in2027)).toEqual({
    zone: 'Europe/Berlin',
    by: 'observances',
    instead: 'Asia/Tokyo',
  });
  const empty = 'BEGIN:VTIMEZONE\nTZID:My zone\nX-LIC-LOCATION:Asia/Tokyo\nEND:VTIMEZONE';
  expect(resolveZone('My zone', empty, in2027)).toEqual({ zone: 'Asia/Tokyo', by: 'name' });
});

test('a single event with clock changes that no zone has is read with the offset at its time', () => {
  const odd = outlookCustom.replace('BYMONTH=3', 'BYMONTH=5');
  expect(resolveZone('Odd', odd, in2027)).toEqual({ zone: 'Etc/GMT-1', by: 'definition' });
});

test.each([
  ['another frequency', outlookCustom.replaceAll('FREQ=YEARLY', 'FREQ=MONTHLY;INTERVAL=12')],
  ['a part that no zone needs', outlookCustom.replace('BYMONTH=3', 'BYSETPOS=1;BYMONTH=3')],
  ['another hour than its start', outlookCustom.replace('BYMONTH=3', 'BYHOUR=4;BYMONTH=3')],
])('a VTIMEZONE whose rule has %s is read by its days', (_, text) => {
  expect(resolveZone('Nowhere in particular', text, in2027)?.zone).toBe('Europe/Berlin');
});

test.each([
  ['an offset of 99 hours', outlookCustom.replace('+0100', '+9999')],
  ['no observance at all', 'BEGIN:VTIMEZONE\nTZID:x\nEND:VTIMEZONE'],
  ['100,000 rules', `BEGIN:VTIMEZONE\n${'RRULE:FREQ=YEARLY;BYMONTH=1\n'.repeat(100_000)}END:VTIMEZONE`],
  ['2,000 observances', `BEGIN:VTIMEZONE\n${'BEGIN:STANDARD\nEND:STANDARD\n'.repeat(2_000)}END:VTIMEZONE`],
  ['junk', 'junk'],
])('a VTIMEZONE with %s is refused quickly', (_, text) => {
  expect(resolveZone('Nowhere in particular', text, in2027)).toBeNull();
});

test.each(['FREQ=SECONDLY', 'FREQ=NEVER', 'FREQ=DAILY'])(
  'a VTIMEZONE with the rule %s keeps its known offsets',
  (rule) => {
    const text = outlookCustom.replaceAll(/RRULE:.*/g, `RRULE:${rule}`);
    expect(resolveZone('Nowhere in particular', text, in2027)).toMatchObject({ isPart: true });
    const { zone = '' } = resolveZone('Nowhere in particular', text, in2027) ?? {};
    expect(loadEventZone(zone)?.offsetAt(in2027.startMs)).toBe(3_600_000);
  },
);

test.each([
  [
    'weeks of the year',
    'FREQ=YEARLY;BYWEEKNO=14;BYDAY=MO',
    '20200330T000000',
    'FREQ=YEARLY;BYWEEKNO=40;BYDAY=MO',
    '20200928T000000',
    ['2027-04-05', '2027-10-04'],
  ],
  [
    'the first working day of April',
    'FREQ=YEARLY;BYMONTH=4;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1',
    '20200401T000000',
    'FREQ=YEARLY;BYMONTH=9;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
    '20200930T000000',
    ['2027-04-01', '2027-09-30'],
  ],
  [
    'every twelfth month',
    'FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=12',
    '20200412T000000',
    'FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=22',
    '20200922T000000',
    ['2027-04-12', '2027-09-22'],
  ],
  [
    'every second year',
    'FREQ=YEARLY;INTERVAL=2;BYMONTH=4;BYMONTHDAY=12',
    '20210412T000000',
    'FREQ=YEARLY;INTERVAL=2;BYMONTH=9;BYMONTHDAY=22',
    '20210922T000000',
    ['2027-04-12', '2027-09-22'],
  ],
  [
    'every second year, in the other years',
    'FREQ=YEARLY;INTERVAL=2;BYMONTH=4;BYMONTHDAY=12',
    '20200412T000000',
    'FREQ=YEARLY;INTERVAL=2;BYMONTH=9;BYMONTHDAY=22',
    '20200922T000000',
    [],
  ],
  [
    'a number of years that is over',
    'FREQ=YEARLY;COUNT=3',
    '20200412T000000',
    'FREQ=YEARLY;COUNT=3',
    '20200922T000000',
    [],
  ],
])(
  'the clock of a VTIMEZONE changes by rules of any kind: %s',
  (_, spring, springFrom, autumn, autumnFrom, changes) => {
    const text = zoneBlock([springFrom, '+0900', '+1030', spring], [autumnFrom, '+1030', '+0900', autumn]);
    const times = { ...in2027, again: 'all', untilMs: Infinity } as const;
    const zone = loadEventZone(resolveZone('Nowhere in particular', text, times)?.zone ?? '');
    const days = Array.from({ length: 365 }, (_, day) => Temporal.PlainDate.from('2027-01-01').add({ days: day }));
    const offsetOn = (day: Temporal.PlainDate) =>
      zone?.offsetAt(day.toZonedDateTime('Asia/Tokyo').add({ hours: 12 }).epochMilliseconds);
    expect(offsetOn(days[0]!)).toBe(9 * 3_600_000);
    const changed = days.slice(1).filter((day) => offsetOn(day) !== offsetOn(day.subtract({ days: 1 })));
    expect(changed.map(String)).toEqual(changes);
  },
);

test('a zone that was stored with the earlier form of its rules is the same clock', () => {
  const earlier = loadEventZone('Own.2026.32400/32400.37800.Y20200412T000000m4w6n-1/37800.32400.Y20200922T000000m9d22');
  const later = zoneBlock(
    ['20200412T000000', '+0900', '+1030', 'FREQ=YEARLY;BYMONTH=4;BYDAY=-1SU'],
    ['20200922T000000', '+1030', '+0900', 'FREQ=YEARLY;BYMONTH=9;BYMONTHDAY=22'],
  );
  const times = { ...in2027, again: 'all', untilMs: Infinity } as const;
  const zone = loadEventZone(resolveZone('Nowhere in particular', later, times)?.zone ?? '');
  for (let day = 0; day < 1_000; day += 1) {
    const at = in2027.startMs + day * 86_400_000;
    expect(earlier?.offsetAt(at)).toBe(zone?.offsetAt(at));
  }
});
