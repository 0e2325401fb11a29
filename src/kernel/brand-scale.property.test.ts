import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrastOf, judgeColor, ownColor } from './brand-scale.ts';
import { callIt } from './product-name.ts';

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('a scale of any brand color is readable and consists of CSS colors', () => {
  fc.assert(
    fc.property(hex, (seed) => {
      const { uses, steps, accent } = judgeColor(seed);
      for (const { least, light, dark } of Object.values(uses)) {
        expect(light).toBeGreaterThanOrEqual(least);
        expect(dark).toBeGreaterThanOrEqual(least);
      }
      for (const step of steps) expect(step).toMatch(/^#[0-9a-f]{6}$/);
      // a suggested color needs no correction
      expect(contrastOf('#ffffff', judgeColor(accent).accent)).toBeGreaterThanOrEqual(4.5);
      expect(judgeColor(accent).chosen).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test('yellow is too pale for white text, and the default color is not', () => {
  expect(judgeColor('#ffee00').chosen).toBeLessThan(1.5);
  expect(judgeColor(ownColor).chosen).toBeGreaterThan(4.5);
});

test('a brand name replaces the product name in texts only, whatever characters it has', () => {
  const words = { title: 'Holdfast' };
  expect(callIt(words, 'Holdfast')).toBe(words);
  expect(callIt({ deep: { text: 'A Holdfast and Holdfasts' } }, '"$&" \\u')).toEqual({
    deep: { text: 'A "$&" \\u and "$&" \\us' },
  });
});
