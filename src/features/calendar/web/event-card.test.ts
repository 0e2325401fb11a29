import { describe, expect, it } from 'vitest';
import tokens from '#ui/tokens.css?raw';
import styles from './event-card.module.css?raw';

type Rgb = readonly [number, number, number];

/** Twenty colours that calendars really have, and the extremes that they could. */
const calendarColors = (
  '#4285f4 #0078d4 #8e8e93 #0f7b3f #5e53dd #d50000 #e67c73 #f4511e #f6bf26 #33b679 ' +
  '#0b8043 #039be5 #3f51b5 #7986cb #8e24aa #616161 #ffff00 #ffffff #000000 #00ffff'
).split(' ');

const rgbOf = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
/** color-mix(in srgb, a share, b) */
const mix = (a: Rgb, share: number, b: Rgb): Rgb =>
  [0, 1, 2].map((i) => a[i]! * share + b[i]! * (1 - share)) as unknown as Rgb;

function luminance(color: Rgb): number {
  const [r, g, b] = color.map((channel) => {
    const c = channel / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
}

const token = (name: string, scheme: 'light' | 'dark') => anyToken(`--hf-event-${name}`, scheme);

function anyToken(name: string, scheme: 'light' | 'dark'): string {
  const blocks = tokens.split(':root[data-mantine-color-scheme="dark"]');
  const find = (css: string | undefined) => css?.match(new RegExp(`${name}: ([^;]+);`))?.[1];
  const value = (scheme === 'dark' ? find(blocks[1]) : undefined) ?? find(blocks[0]);
  if (value === undefined) throw new Error(`tokens.css has no ${name}`);
  return value;
}

const share = (name: string, scheme: 'light' | 'dark') => Number.parseFloat(token(name, scheme)) / 100;

function numberIn(pattern: RegExp): number {
  const found = styles.match(pattern)?.[1];
  if (found === undefined) throw new Error(`event-card.module.css has no ${pattern}`);
  return Number(found);
}

const pastText = numberIn(/--hf-event\) (\d+)%, var\(--hf-dim\)/) / 100;
const stripes = numberIn(/hatch-share\) \* ([\d.]+)\)/);

describe.each(['light', 'dark'] as const)('event cards in the %s scheme', (scheme) => {
  const fillBase = rgbOf(token('fill-base', scheme));
  const textBase = rgbOf(token('text-base', scheme));
  const ink = (color: Rgb) => mix(color, share('text-share', scheme), textBase);

  it.each(calendarColors)('event text has 6.6:1 contrast or more on the fill of calendar %s', (hex) => {
    const color = rgbOf(hex);
    expect(contrast(ink(color), mix(color, share('fill-share', scheme), fillBase))).toBeGreaterThanOrEqual(6.6);
  });

  it.each(calendarColors)('failed and pending marks have 4.5:1 contrast or more on calendar %s', (hex) => {
    const fill = mix(rgbOf(hex), share('fill-share', scheme), fillBase);
    for (const state of ['failed', 'pending']) {
      expect(contrast(rgbOf(token(state, scheme)), fill), state).toBeGreaterThanOrEqual(4.5);
    }
  });

  it.each(calendarColors)('text on mirror stripes has 4.5:1 contrast or more on calendar %s', (hex) => {
    const color = rgbOf(hex);
    const stripe = mix(color, share('hatch-share', scheme) * stripes, fillBase);
    expect(contrast(ink(color), stripe)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(calendarColors)('text of a past event has 4.5:1 contrast or more on calendar %s', (hex) => {
    const color = rgbOf(hex);
    const past = mix(color, pastText, rgbOf(anyToken('--hf-dim', scheme)));
    expect(contrast(past, mix(color, share('past-share', scheme), fillBase))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(calendarColors)('the corner of an overlap has 3:1 contrast or more on calendar %s', (hex) => {
    const corner = rgbOf(anyToken('--hf-overlap', scheme));
    expect(contrast(corner, mix(rgbOf(hex), share('fill-share', scheme), fillBase))).toBeGreaterThanOrEqual(3);
  });
});
