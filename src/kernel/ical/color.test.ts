import { expect, test } from 'vitest';
import { colorOfName, nearestColorName } from './color.ts';

test('a colour is written as the nearest CSS3 name, and a name reads back as its colour', () => {
  expect(nearestColorName('#ff0000')).toBe('red');
  expect(nearestColorName('#5e53dd')).toBe('slateblue');
  expect(colorOfName('SlateBlue')).toBe('#6a5acd');
  expect(nearestColorName(colorOfName('teal') ?? '')).toBe('teal');
});

test('what is no colour has no name, and what is no name has no colour', () => {
  for (const text of ['red', '#fff', '#12345g', '']) expect(nearestColorName(text)).toBeUndefined();
  for (const text of ['', 'toString', '__proto__', '#ff0000']) expect(colorOfName(text)).toBeUndefined();
});
