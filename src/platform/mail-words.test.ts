import { expect, test } from 'vitest';
import { sayTime, wordsOf } from './mail-words.ts';

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
  expect(sayTime(atMs, { locale: 'en-US', zone })).toMatch(
    /^Friday, November 20, 2026 at 3:00\sPM Central European Standard Time$/,
  );
  expect(sayTime(atMs, { locale: 'en-US', zone, timeFormat: '24h' })).toContain('15:00');
  expect(sayTime(atMs, { locale: 'de-DE', zone })).toMatch(/^Freitag, 20\. November 2026 um 15:00 .*Normalzeit$/);
});
