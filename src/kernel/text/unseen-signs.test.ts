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
])('text with %s', (_, typed, plain) => {
  expect(withoutUnseen(typed)).toBe(plain);
});
