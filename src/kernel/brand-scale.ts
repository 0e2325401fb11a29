/**
 * Ten steps from one colour, with fixed OKLCH lightness and chroma clipped to what sRGB can show. Because lightness is
 * fixed, contrast is too: white on step 6 is at least 4.5:1 and step 7 on step 1 at least 5:1 for every seed, so no
 * brand colour an operator enters can make the app unreadable.
 */

/** The seed of Holdfast's own steps. */
export const ownColor = '#5b4fd9';

const lightness = [0.975, 0.945, 0.89, 0.81, 0.71, 0.61, 0.535, 0.475, 0.405, 0.325] as const;
/** Share of the seed's chroma per step: quiet at the light end, calm at the dark end. */
const chroma = [0.04, 0.126, 0.258, 0.466, 0.76, 0.948, 1, 0.949, 0.824, 0.661] as const;

export type ColorScale = readonly [string, string, string, string, string, string, string, string, string, string];

interface Oklch {
  l: number;
  c: number;
  h: number;
}

function linearFromByte(byte: number): number {
  const x = byte / 255;
  return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
}

function byteFromLinear(x: number): number {
  const y = x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055;
  return Math.round(Math.min(1, Math.max(0, y)) * 255);
}

function bytesOfHex(hex: string): [number, number, number] {
  const value = Number.parseInt(hex.replace('#', ''), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function hexOfLinear(rgb: readonly number[]): string {
  return `#${rgb.map((x) => byteFromLinear(x).toString(16).padStart(2, '0')).join('')}`;
}

/** Source: Björn Ottosson, "A perceptual color space for image processing", 2020. */
function oklchOfHex(hex: string): Oklch {
  const [r, g, b] = bytesOfHex(hex).map(linearFromByte) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(a, bb),
    h: Math.atan2(bb, a),
  };
}

function linearOfOklch({ l, c, h }: Oklch): [number, number, number] {
  const a = c * Math.cos(h);
  const b = c * Math.sin(h);
  const l3 = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m3 = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s3 = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3,
    -1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3,
    -0.0041960863 * l3 - 0.7034186147 * m3 + 1.707614701 * s3,
  ];
}

function isShown(rgb: readonly number[]): boolean {
  return rgb.every((x) => x >= -0.0005 && x <= 1.0005);
}

/** The colour of this lightness and hue with as much of the chroma as sRGB holds. */
function clippedHex(color: Oklch): string {
  if (isShown(linearOfOklch(color))) return hexOfLinear(linearOfOklch(color));
  let low = 0;
  let high = color.c;
  for (let step = 0; step < 20; step++) {
    const c = (low + high) / 2;
    if (isShown(linearOfOklch({ ...color, c }))) low = c;
    else high = c;
  }
  return hexOfLinear(linearOfOklch({ ...color, c: low }));
}

/** Ten steps, lightest first, from a `#rrggbb` seed. */
export function brandScale(seed: string): ColorScale {
  const { c, h } = oklchOfHex(seed);
  return lightness.map((l, step) => clippedHex({ l, c: c * (chroma[step] ?? 1), h })) as unknown as ColorScale;
}

/** WCAG 2 contrast of two `#rrggbb` colours, 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const luminance = (hex: string): number => {
    const [r, g, b] = bytesOfHex(hex).map(linearFromByte) as [number, number, number];
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [light, dark] = [luminance(one), luminance(other)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Contrast ratios of button text, link and outline for one seed, in both schemes, and the required ratios. */
export function judgeColor(seed: string) {
  const steps = brandScale(seed);
  const [, , , soft, pale, , accent, ink] = steps;
  return {
    /** White text on the colour as it was chosen. */
    chosen: contrastOf('#ffffff', seed),
    /** The nearest colour of its hue that fits: what is shown. */
    accent,
    steps,
    uses: {
      button: { least: 4.5, light: contrastOf('#ffffff', accent), dark: contrastOf('#ffffff', accent) },
      link: { least: 4.5, light: contrastOf(ink, '#ffffff'), dark: contrastOf(soft, '#16161a') },
      outline: { least: 3, light: contrastOf(accent, '#ffffff'), dark: contrastOf(pale, '#16161a') },
    },
  };
}
