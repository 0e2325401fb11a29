import { describe, expect, test } from 'vitest';
import { brandScale, contrastOf } from '#kernel/brand-scale.ts';
import css from './tokens.css?raw';

const [light = '', dark = ''] = css.split(':root[data-mantine-color-scheme="dark"]');

function tokenIn(block: string, name: string): string {
  const value = new RegExp(`--hf-${name}: (#[0-9a-f]{6});`).exec(block)?.[1];
  if (!value) throw new Error(`tokens.css has no plain --hf-${name}`);
  return value;
}

describe('design tokens', () => {
  test('the brand steps are the scale of the default seed', () => {
    const steps = brandScale('#5b4fd9').map((_, step) => tokenIn(light, `brand-${step}`));
    expect(steps).toEqual([...brandScale('#5b4fd9')]);
  });

  test.each([
    ['ok', '#0ca678'],
    ['warn', '#f59f00'],
    ['bad', '#e5383b'],
  ])('the %s tokens are steps 7 and 1 of their seed in light, step 2 in dark', (name, seed) => {
    const scale = brandScale(seed);
    expect(tokenIn(light, `${name}-text`)).toBe(scale[7]);
    expect(tokenIn(light, `${name}-soft`)).toBe(scale[1]);
    expect(tokenIn(dark, `${name}-text`)).toBe(scale[2]);
  });

  test.each(['light', 'dark'])('body and dim text reach 4.5:1 on every surface in %s', (scheme) => {
    const block = scheme === 'light' ? light : dark;
    for (const surface of ['bg', 'side', 'card', 'hover']) {
      for (const ink of ['text', 'dim']) {
        expect(contrastOf(tokenIn(block, ink), tokenIn(block, surface)), `${ink} on ${surface}`).toBeGreaterThan(4.5);
      }
    }
  });

  test('white text is readable on the accent color and its hover color in both schemes', () => {
    for (const role of ['accent', 'accent-hover']) {
      expect(dark, `dark takes its ${role} from light`).not.toContain(`--hf-${role}:`);
      const step = new RegExp(`--hf-${role}: var\\(--hf-(brand-\\d)\\);`).exec(light)?.[1];
      expect(contrastOf('#ffffff', tokenIn(light, step ?? '')), role).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('every seed color that an operator can enter keeps enough contrast', () => {
    for (const seed of ['#ffff00', '#000000', '#ffffff', '#ff00ff', '#00ff00', '#0000ff', '#ff0000', '#5b4fd9']) {
      const scale = brandScale(seed);
      expect(contrastOf('#ffffff', scale[6]), `white on step 6 of ${seed}`).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(scale[7], scale[1]), `step 7 on step 1 of ${seed}`).toBeGreaterThanOrEqual(5);
      expect(contrastOf(scale[3], '#16161a'), `step 3 on dark of ${seed}`).toBeGreaterThanOrEqual(9);
    }
  });
});
