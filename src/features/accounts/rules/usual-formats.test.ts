import { expect, test } from 'vitest';
import { usualFormats } from './usual-formats.ts';

test.each([
  ['en-US', '12h', 'YYYY-MM-DD', 7],
  ['en-GB', '24h', 'DD/MM/YYYY', 1],
  ['de-AT', '24h', 'DD.MM.YYYY', 1],
  ['fr-FR', '24h', 'DD/MM/YYYY', 1],
  ['es-MX', '12h', 'DD/MM/YYYY', 7],
  ['ja-JP', '24h', 'YYYY-MM-DD', 7],
])('the locale %s defaults to %s, %s and weeks from day %i', (locale, timeFormat, dateFormat, weekStart) => {
  expect(usualFormats(locale)).toEqual({ timeFormat, dateFormat, weekStart });
});
