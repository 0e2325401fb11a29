import { foldText } from '#kernel/text/fold-text.ts';
import { placeZones, presentName } from '#kernel/time/place-zones.ts';
import { cityOf } from '../moments.ts';

export interface FoundZone {
  zone: string;
  /** As the visitor looked for it: `Munich` for `Europe/Berlin`. */
  city: string;
}

/** So many are read at a glance; whoever looks for another one types more. */
const most = 8;

export interface Country {
  /** ISO 3166. */
  code: string;
  /** In the languages of its reader. */
  names: readonly string[];
}

/** The zones whose city, region, or country somebody types; those that begin so come first. */
export function findZones(typed: string, zones: readonly string[], countries: readonly Country[] = []): FoundZone[] {
  const wanted = foldText(typed);
  if (wanted === '') return [];
  const found = new Map<string, FoundZone & { rank: number }>();
  const put = (zone: string, city: string, rank: number) => {
    if (rank < (found.get(zone)?.rank ?? 3)) found.set(zone, { zone, city, rank });
  };
  const add = (zone: string, city: string, text: string) => {
    const name = foldText(city);
    put(zone, city, name === wanted ? 0 : name.startsWith(wanted) ? 1 : text.includes(wanted) ? 2 : 3);
  };
  for (const name of zones) {
    const zone = presentName(name);
    add(zone, cityOf(zone), foldText(zone));
    if (name !== zone) add(zone, cityOf(name), foldText(name));
  }
  for (const [place, zone] of placeZones) add(zone, nameOf(place), foldText(place));
  for (const { code, names } of countries) {
    const texts = names.map(foldText);
    if (!texts.some((text) => ` ${text}`.includes(` ${wanted}`))) continue;
    const rank = texts.includes(wanted) ? 0 : 2;
    for (const zone of zonesOf(code).map(presentName)) put(zone, cityOf(zone), largest.has(zone) ? rank : rank + 0.5);
  }
  return [...found.values()]
    .sort((one, other) => one.rank - other.rank || depthOf(one) - depthOf(other) || (one.city < other.city ? -1 : 1))
    .slice(0, most)
    .map(({ zone, city }) => ({ zone, city }));
}

/** The countries as this browser names them. */
export function listCountries(languages: readonly string[]): Country[] {
  const says = languages.map((one) => new Intl.DisplayNames(one, { type: 'region', fallback: 'none' }));
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
  return letters
    .flatMap((one) => letters.map((other) => one + other))
    .map((code) => ({ code, names: [...says.flatMap((say) => say.of(code) ?? []), ...(alsoCalled[code] ?? [])] }));
}

const alsoCalled: Readonly<Record<string, readonly string[]>> = {
  AE: ['UAE'],
  GB: ['UK', 'England', 'Scotland', 'Wales'],
  US: ['USA'],
};

type KnowsZones = Intl.Locale & { getTimeZones?(): string[] | undefined; timeZones?: string[] };

/** Zones of a country; none in browsers that don't know them. Some have the method only, and some the property. */
function zonesOf(code: string): readonly string[] {
  const locale: KnowsZones = new Intl.Locale(`und-${code}`);
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

/** Zones of the largest cities, first among those of a country that has more than fit into the list. */
const largest = new Set(
  [
    ['Africa', 'Kinshasa'],
    ['America', 'Argentina/Buenos_Aires', 'Chicago', 'Denver', 'Halifax', 'Los_Angeles', 'Manaus', 'Mexico_City'],
    ['America', 'New_York', 'Phoenix', 'Santiago', 'Sao_Paulo', 'Tijuana', 'Toronto', 'Vancouver', 'Winnipeg'],
    ['Asia', 'Almaty', 'Jakarta', 'Kuala_Lumpur', 'Shanghai', 'Vladivostok', 'Yekaterinburg'],
    ['Australia', 'Adelaide', 'Brisbane', 'Melbourne', 'Perth', 'Sydney'],
    ['Europe', 'Berlin', 'Kyiv', 'Lisbon', 'Madrid', 'Moscow'],
    ['Pacific', 'Auckland', 'Honolulu'],
  ].flatMap(([area, ...cities]) => cities.map((city) => `${area}/${city}`)),
);

/** `America/New_York` before `America/North_Dakota/New_Salem`: the larger city has the shorter name. */
const depthOf = ({ zone }: FoundZone) => zone.split('/').length;

/** `san francisco` → `San Francisco`; short forms such as `nyc` are written in capitals. */
const nameOf = (place: string) =>
  place.length < 4 ? place.toUpperCase() : place.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
