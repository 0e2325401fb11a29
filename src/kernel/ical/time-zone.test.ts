import { expect, test } from 'vitest';
import { resolveZone } from '#kernel/ical/time-zone.ts';
import { windowsZones } from '#kernel/ical/windows-zones.ts';
import { dayMs, dayNumber } from '#kernel/time/civil.ts';
import { timesAt } from '#kernel/time/event-times.ts';
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

test('X-LIC-LOCATION names the zone, and a known TZID is never overruled by its VTIMEZONE', () => {
  const located = outlookCustom.replace('BEGIN:STANDARD', 'X-LIC-LOCATION:Asia/Tokyo\nBEGIN:STANDARD');
  expect(resolveZone('My zone', located)?.zone).toBe('Asia/Tokyo');
  expect(resolveZone('America/Denver', located)?.zone).toBe('America/Denver');
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
  ['a rule that names no day of the year', outlookCustom.replace(/RRULE:.*/, 'RRULE:FREQ=SECONDLY')],
  ['no observance at all', 'BEGIN:VTIMEZONE\nTZID:x\nEND:VTIMEZONE'],
  ['100,000 rules', `BEGIN:VTIMEZONE\n${'RRULE:FREQ=YEARLY;BYMONTH=1\n'.repeat(100_000)}END:VTIMEZONE`],
  ['2,000 observances', `BEGIN:VTIMEZONE\n${'BEGIN:STANDARD\nEND:STANDARD\n'.repeat(2_000)}END:VTIMEZONE`],
  ['junk', 'junk'],
])('a VTIMEZONE with %s is refused quickly', (_, text) => {
  expect(resolveZone('Nowhere in particular', text, in2027)).toBeNull();
});
