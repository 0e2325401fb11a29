import { expect, test } from 'vitest';
import { sayClock, sayMoment, sayRange, sayShortRange, sayTime, wordsOf } from './mail-words.ts';

const words = wordsOf({
  en: {
    reset: { subject: 'Choose a new password', until: 'This works for {{count}} minute.' },
    left_one: '{{count}} code is left',
    left_other: '{{count}} codes are left',
    from: 'From {{name}}',
  },
  de: { reset: { subject: 'Neues Passwort wählen' } },
});

test('a mail is in the language of its reader, and in English where a text is missing', () => {
  expect(words('de-AT')('reset.subject')).toBe('Neues Passwort wählen');
  expect(words('de-AT')('left', { count: 2 })).toBe('2 codes are left');
  expect(words('tlh')('left', { count: 1 })).toBe('1 code is left');
  expect(words('en-US')('reset.subject')).toBe('Choose a new password');
});

test('a value that looks like a catalog expression is shown unchanged', () => {
  const name = '$t(reset.subject) {{count}} <b>';
  expect(words('en')('from', { name, count: 7 })).toBe(`From ${name}`);
});

test('a time in a mail is in the zone of its reader and names the zone', () => {
  const atMs = Temporal.Instant.from('2026-11-20T14:00:00Z').epochMilliseconds;
  const zone = 'Europe/Vienna';
  expect(sayTime(atMs, { locale: 'en-US', zone })).toMatch(/^Friday, November 20, 2026 at 3:00 PM, Vienna \(GMT\+1\)$/);
  expect(sayTime(atMs, { locale: 'en-US', zone, timeFormat: '24h' })).toContain('15:00');
  expect(sayTime(atMs, { locale: 'de-DE', zone })).toMatch(
    /^Freitag, 20\. November 2026 um 15:00, Vienna \(MEZ|GMT\+1\)$/,
  );
});

test('a range in a mail has its end, on the day of its start or another one, with the offset of that day', () => {
  const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds;
  const range = (startMs: string, endMs: string) => ({ startMs: at(startMs), endMs: at(endMs) });
  const short = range('2026-11-20T14:00:00Z', '2026-11-20T14:30:00Z');
  const us = { locale: 'en-US', zone: 'Europe/Vienna' };
  expect(sayRange(short, us)).toBe('Friday, November 20, 2026\n3:00 – 3:30 PM, Vienna (GMT+1)');
  expect(sayRange(short, { ...us, timeFormat: '24h' })).toBe(
    'Friday, November 20, 2026\n15:00 – 15:30, Vienna (GMT+1)',
  );
  expect(sayShortRange(short, us)).toBe('Fri, Nov 20, 2026, 3:00 – 3:30 PM, Vienna (GMT+1)');
  expect(sayMoment(short.startMs, us)).toBe('Fri, Nov 20, 3:00 PM');
  const night = range('2026-11-20T22:30:00Z', '2026-11-21T00:00:00Z');
  expect(sayRange(night, us)).toBe(
    'Friday, November 20, 2026 at 11:30 PM –\nSaturday, November 21, 2026 at 1:00 AM, Vienna (GMT+1)',
  );
  const summer = range('2026-07-20T14:00:00Z', '2026-07-20T14:30:00Z');
  expect(sayRange(summer, us)).toContain('Vienna (GMT+2)');
  expect(sayRange(short, { locale: 'en', zone: 'UTC' })).toMatch(/PM, GMT$/);
  expect(sayRange(short, { locale: 'en-GB', zone: 'Europe/London' })).toBe(
    'Friday, 20 November 2026\n14:00 – 14:30, London (GMT)',
  );
  expect(sayRange(short, { locale: 'ja', zone: 'Asia/Tokyo' })).toBe(
    '2026年11月20日金曜日\n23:00～23:30 Tokyo（GMT+9）',
  );
});

// Berlin: 2:00 becomes 3:00 at 01:00Z on 28 March 2027, and 3:00 becomes 2:00 at 01:00Z on 31 October 2027
test.each([
  ['en', '2027-03-28T00:30Z', '1:30 AM (GMT+1) – 3:00 AM (GMT+2), Berlin'],
  ['en', '2027-10-31T00:30Z', '2:30 AM (GMT+2) – 2:00 AM (GMT+1), Berlin'],
  ['de', '2027-03-28T00:30Z', '1:30 (GMT+1) – 3:00 (GMT+2), Berlin'],
  ['es', '2027-10-31T00:30Z', '2:30 (GMT+2) – 2:00 (GMT+1), Berlin'],
  ['fr', '2027-03-28T00:30Z', '1:30 (GMT+1) – 3:00 (GMT+2), Berlin'],
  ['ja', '2027-10-31T00:30Z', '2:30 (GMT+2)～2:00 (GMT+1) Berlin'],
])('a range in %s across a clock change from %s names the offset of each end', (locale, start, hours) => {
  const startMs = Temporal.Instant.from(start).epochMilliseconds;
  const range = { startMs, endMs: startMs + 1_800_000 };
  const time = { locale, zone: 'Europe/Berlin' };
  expect(sayRange(range, time).split('\n')[1]).toBe(hours);
  expect(sayShortRange(range, time).endsWith(hours)).toBe(true);
  const [bare = ''] = hours.split(/,? Berlin/);
  expect(sayShortRange(range, time, { hasZone: false }).endsWith(bare)).toBe(true);
});

test('a range over midnight and a clock change names the offset of each end', () => {
  const startMs = Temporal.Instant.from('2027-03-27T22:30Z').epochMilliseconds;
  const time = { locale: 'en', zone: 'Europe/Berlin' };
  expect(sayRange({ startMs, endMs: startMs + 4 * 3_600_000 }, time)).toBe(
    'Saturday, March 27, 2027 at 11:30 PM (GMT+1) –\nSunday, March 28, 2027 at 4:30 AM (GMT+2), Berlin',
  );
});

test.each([
  ['en-US', '2:00 PM GMT'],
  ['en-GB', '14:00 GMT'],
  ['de-DE', '14:00 GMT'],
  ['fr-FR', '14:00 GMT'],
])('a reader in %s at UTC finds one name of the zone in all times', (locale, clock) => {
  const atMs = Temporal.Instant.from('2026-11-20T14:00:00Z').epochMilliseconds;
  const reader = { locale, zone: 'UTC' };
  expect(sayClock(atMs, reader)).toBe(clock);
  const name = clock.split(' ').at(-1);
  expect(sayTime(atMs, reader)).toMatch(new RegExp(`, ${name}$`));
  expect(sayTime(atMs, { ...reader, zone: 'Africa/Abidjan' })).toMatch(new RegExp(`, Abidjan \\(${name}\\)$`));
});
