import { expect, test } from 'vitest';
import { findJoinLink } from '../ical/join-link.ts';
import { parseRule } from '../recurrence/parse-rule.ts';
import { initialsOf, trimEndOf, trimOf } from './trim-text.ts';

// Quadratic work ends in the timeout of its test: it takes minutes.
const million = 1_000_000;

test('characters are removed at the ends of a text and nowhere else', () => {
  expect(trimEndOf('https://zoom.us/j/1).', ').')).toBe('https://zoom.us/j/1');
  expect(trimEndOf('a.b.', '.')).toBe('a.b');
  expect(trimEndOf('...', '.')).toBe('');
  expect(trimEndOf('', '.')).toBe('');
  expect(trimOf(',,1,2,', ',')).toBe('1,2');
  expect(trimOf(',,', ',')).toBe('');
});

test('a long run of the characters takes linear time, wherever it is', () => {
  const run = ')'.repeat(million);
  expect(trimEndOf(`a${run}b`, ')')).toHaveLength(million + 2);
  expect(trimOf(`${run}a${run}`, ')')).toBe('a');
});

test('a link with a long run of brackets is read in linear time', () => {
  expect(findJoinLink(`http://x${')'.repeat(million)}a`)).toBeUndefined();
  expect(findJoinLink(`(http://x${')'.repeat(million)}a https://zoom.us/j/1).`)).toBe('https://zoom.us/j/1');
});

test('a rule with a long run of separators is refused for its length', () => {
  expect(parseRule(`FREQ=DAILY${';'.repeat(million)}a`).ok).toBe(false);
});

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
