import { compareNames } from '#kernel/languages.ts';
import { dayMs } from '#kernel/time/civil.ts';
import type { Span } from '#kernel/time/intervals.ts';
import { parseLocalDate, printLocalDate } from '#kernel/time/local.ts';

interface Holiday {
  /** `2027-12-25`. */
  day: string;
  name: string;
  /** Names it over the years, `easter 1`. */
  rule: string;
}

/** Some megabytes of tables, loaded for the first who asks. */
const loadLibrary = async () => (await import('date-holidays')).default;

const known = new Map<string, Promise<Holiday[]>>();
const mostKnown = 2_000;

/** Public holidays that may touch the range, a day beyond it included, each of their days; in order. */
export async function listHolidays(country: string, region: string | null, range: Span): Promise<Holiday[]> {
  const first = printLocalDate(range.startMs - 2 * dayMs);
  const last = printLocalDate(range.endMs + 2 * dayMs);
  const years: Promise<Holiday[]>[] = [];
  for (let year = Number(first.slice(0, 4)); year <= Number(last.slice(0, 4)); year += 1) {
    years.push(ofYear(country, region, year));
  }
  const days = (await Promise.all(years)).flat();
  return days.filter(({ day }) => first <= day && day <= last).sort((a, b) => (a.day < b.day ? -1 : 1));
}

function ofYear(country: string, region: string | null, year: number): Promise<Holiday[]> {
  const key = `${country} ${region ?? ''} ${year}`;
  const found = known.get(key) ?? readYear(country, region, year);
  if (known.size < mostKnown) known.set(key, found);
  return found;
}

async function readYear(country: string, region: string | null, year: number): Promise<Holiday[]> {
  const Library = await loadLibrary();
  const table = new Library(country, region ?? '', { types: ['public'], languages: 'en' });
  return table.getHolidays(year).flatMap(({ date, start, end, name, rule }) => {
    const fromMs = parseLocalDate(date.slice(0, 10));
    if (fromMs === null) return [];
    const days = Math.max(1, Math.round((end.getTime() - start.getTime()) / dayMs));
    return Array.from({ length: days }, (_, n) => ({ day: printLocalDate(fromMs + n * dayMs), name, rule }));
  });
}

interface Country {
  code: string;
  name: string;
  regions: { code: string; name: string }[];
}

let countries: Promise<Country[]> | null = null;

/** Every country whose holidays are known, with its regions; by name. */
export function listCountries(): Promise<Country[]> {
  countries ??= readCountries();
  return countries;
}

async function readCountries(): Promise<Country[]> {
  const Library = await loadLibrary();
  const table = new Library();
  const named = (names: Record<string, string> | undefined) =>
    Object.entries(names ?? {})
      .map(([code, name]) => ({ code, name }))
      .sort((a, b) => compareNames(a.name, b.name));
  return named(table.getCountries('en')).map((country) => ({
    ...country,
    regions: named(table.getStates(country.code, 'en')),
  }));
}
