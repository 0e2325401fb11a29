import { expect, test } from 'vitest';
import { printNotice, sayReason } from './pushes.ts';

const details = { calendar: 'Home', reason: "The calendar didn't respond. We'll try again." };

test('a notice says why a calendar fails in the language of its reader', () => {
  const body = (locale: string) => printNotice({ kind: 'calendar', details }, { locale, zone: 'UTC' }).body;
  expect(body('de-DE')).toBe('Der Kalender hat nicht geantwortet. Wir versuchen es noch einmal.');
  expect(body('en-US')).toBe(details.reason);
});

test('a reason that is no sentence of ours, and a notice without one, stay as they are', () => {
  expect(sayReason({ ...details, reason: 'quota' }, 'de')).toEqual({ calendar: 'Home', reason: 'quota' });
  expect(sayReason({ calendar: 'Home' }, 'de')).toEqual({ calendar: 'Home' });
});
