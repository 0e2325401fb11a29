/** The eleven colours of events as Google Calendar shows them, by `colorId`. Source: Colors: get, and its web client. */
const palette: Readonly<Record<string, string>> = {
  1: '#7986cb',
  2: '#33b679',
  3: '#8e24aa',
  4: '#e67c73',
  5: '#f6bf26',
  6: '#f4511e',
  7: '#039be5',
  8: '#616161',
  9: '#3f51b5',
  10: '#0b8043',
  11: '#d50000',
};

export function colorOfId(colorId: string | undefined): string | undefined {
  return colorId !== undefined && Object.hasOwn(palette, colorId) ? palette[colorId] : undefined;
}

/** The colour nearest to `#rrggbb`, or undefined for anything else. */
export function nearestColorId(hex: string | undefined): string | undefined {
  const wanted = channels(hex ?? '');
  if (wanted === null) return undefined;
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [id, color] of Object.entries(palette)) {
    const distance = (channels(color) ?? []).reduce((sum, part, at) => sum + (part - (wanted[at] ?? 0)) ** 2, 0);
    if (distance < least) [nearest, least] = [id, distance];
  }
  return nearest;
}

function channels(hex: string): number[] | null {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex);
  return match === null ? null : match.slice(1).map((part) => Number.parseInt(part, 16));
}
