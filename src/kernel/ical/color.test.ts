import { expect, test } from 'vitest';
import { colorOfName, nearestColorName } from './color.ts';

test('a color is written as the nearest CSS3 name, and a name reads back as its color', () => {
  expect(nearestColorName('#ff0000')).toBe('red');
  expect(nearestColorName('#5e53dd')).toBe('slateblue');
  expect(colorOfName('SlateBlue')).toBe('#6a5acd');
  expect(nearestColorName(colorOfName('teal') ?? '')).toBe('teal');
});

test('an invalid color has no name, and an unknown name has no color', () => {
  for (const text of ['red', '#fff', '#12345g', '']) expect(nearestColorName(text)).toBeUndefined();
  for (const text of ['', 'toString', '__proto__', '#ff0000']) expect(colorOfName(text)).toBeUndefined();
});
