import { foldText } from '#kernel/text/fold-text.ts';
import { placeZones, presentName } from '#kernel/time/place-zones.ts';

export interface FoundZone {
  zone: string;
  /** As the visitor looked for it: `Munich` for `Europe/Berlin`. */
  city: string;
}

/** So many are read at a glance; whoever looks for another one types more. */
const most = 8;

/** The zones whose city or region somebody types; those that begin so come first. */
export function findZones(typed: string, zones: readonly string[]): FoundZone[] {
  const wanted = foldText(typed);
  if (wanted === '') return [];
  const found = new Map<string, FoundZone & { rank: number }>();
  const add = (zone: string, city: string, text: string) => {
    const name = foldText(city);
    const rank = name === wanted ? 0 : name.startsWith(wanted) ? 1 : text.includes(wanted) ? 2 : 3;
    const before = found.get(zone);
    if (rank < (before?.rank ?? 3)) found.set(zone, { zone, city, rank });
  };
  for (const name of zones) {
    const zone = presentName(name);
    add(zone, cityOf(zone), foldText(zone));
    if (name !== zone) add(zone, cityOf(name), foldText(name));
  }
  for (const [place, zone] of placeZones) add(zone, nameOf(place), foldText(place));
  return [...found.values()]
    .sort((one, other) => one.rank - other.rank || depthOf(one) - depthOf(other) || (one.city < other.city ? -1 : 1))
    .slice(0, most)
    .map(({ zone, city }) => ({ zone, city }));
}

/** `America/New_York` before `America/North_Dakota/New_Salem`: the larger city has the shorter name. */
const depthOf = ({ zone }: FoundZone) => zone.split('/').length;

export const cityOf = (zone: string) => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');

/** `san francisco` → `San Francisco`; short forms such as `nyc` are written in capitals. */
const nameOf = (place: string) =>
  place.length < 4 ? place.toUpperCase() : place.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
