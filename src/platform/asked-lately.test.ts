import { expect, test } from 'vitest';
import { askedLately } from './asked-lately.ts';

test('a request counts as repeated within ten seconds of the first, separately for each key', () => {
  const of = {};
  expect(askedLately(of, 'nine', 0)).toBe(false);
  expect(askedLately(of, 'ten', 1)).toBe(false);
  expect(askedLately(of, 'nine', 9_999)).toBe(true);
  expect(askedLately(of, 'nine', 19_998)).toBe(true);
  expect(askedLately(of, 'ten', 19_999)).toBe(false);
  expect(askedLately({}, 'nine', 19_999)).toBe(false);
  expect(askedLately(of, 'nine', 29_998)).toBe(false);
});
