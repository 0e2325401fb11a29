import names from 'color-name';

/** COLOR of an event is a CSS3 name, nothing else. Source: RFC 7986 5.9, CSS Color Module Level 3 4.3. */

const hexByName = new Map(Object.entries(names).map(([name, rgb]) => [name, hexOf(rgb)]));

/** `#rrggbb` of a CSS3 colour name in any case, or undefined. */
export function colorOfName(name: string): string | undefined {
  return hexByName.get(name.trim().toLowerCase());
}

/** The CSS3 name nearest to `#rrggbb`, or undefined for anything else. Equal distances go to the first name. */
export function nearestColorName(hex: string): string | undefined {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex);
  if (match === null) return undefined;
  const wanted = match.slice(1).map((part) => Number.parseInt(part, 16));
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [name, rgb] of Object.entries(names)) {
    const distance = rgb.reduce((sum, part, at) => sum + (part - (wanted[at] ?? 0)) ** 2, 0);
    if (distance < least) [nearest, least] = [name, distance];
  }
  return nearest;
}

function hexOf(rgb: readonly number[]): string {
  return `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
