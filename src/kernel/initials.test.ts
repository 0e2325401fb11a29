import { expect, test } from 'vitest';
import { initialsOf } from './initials.ts';

test.each([
  ['Ada Lovelace', 'AL'],
  ['  Anne  Marie   Curie ', 'AC'],
  ['😀 太郎', '😀太'],
  // a family, a flag, and a thumb with its color are one sign each
  ['👨‍👩‍👧 太', '👨‍👩‍👧太'],
  ['🇯🇵 👍🏽', '🇯🇵👍🏽'],
  // a letter and its accent as two characters
  ['E\u0301mile Zola', 'E\u0301Z'],
  ['Ada', 'A'],
  ['', ''],
])('%s has the initials %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
