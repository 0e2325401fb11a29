import { expect, test } from 'vitest';
import { withoutUnseen } from './unseen-signs.ts';

test.each([
  ['an override', 'Ada \u202egro.elpmaxe', 'Ada gro.elpmaxe'],
  ['isolates and embeddings', '\u2066a\u2069\u202ab\u202c', 'ab'],
  ['marks of direction', 'דנה\u200f (host)\u200e', 'דנה (host)'],
  ['blanks', '\u200b\u2800\u3164\ufeff', ''],
  ['a joiner of Persian', 'می\u200cخواهم', 'می\u200cخواهم'],
  ['a joiner of an emoji', '👩\u200d💻', '👩\u200d💻'],
  ['two lines', 'a\r\nb', 'a\r\nb'],
  ['a soft hyphen and fillers', 'A\u00add\u115f\u1160a\u180e\u17b4\u17b5', 'Ada'],
  ['a hidden text of tags', 'A\u{e0041}\u{e0042}', 'A'],
  ['a hidden text of tags behind a flag', '\u{1f3f4}\u{e0068}\u{e0069}\u{e007f}', '\u{1f3f4}'],
  ['the flag of Scotland', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
  ['joiners that join nothing', 'A\u200dda\u200c \u200d\u200cLee', 'Ada Lee'],
  ['a joiner behind an emoji', '👩\u200d', '👩'],
  ['a joiner behind a sign of Sinhala', 'ක්\u200dෂ', 'ක්\u200dෂ'],
  ['skin, hair and a heart', '👩🏽\u200d🦰 ❤️\u200d🔥', '👩🏽\u200d🦰 ❤️\u200d🔥'],
  ['a heart in color', '❤️', '❤️'],
  ['an accent of its own', 'e\u0301', 'e\u0301'],
])('text with %s', (_, typed, plain) => {
  expect(withoutUnseen(typed)).toBe(plain);
});

test.each([
  '\u00ad\u00ad',
  '\u115f\u1160',
  '\u180e',
  '\u200d\u200c',
  '\ufe0f',
  '\u17b4',
  '\u{e0041}',
  ' \u3000',
  '\u0301',
  '\u034f',
])('nothing is left of a text that nobody sees: %j', (typed) => {
  expect(withoutUnseen(typed)).toBe('');
});
