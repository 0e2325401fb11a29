/** The days on which versions of the tz database were released. *Source*: its file NEWS. */
const releaseDays: Readonly<Record<string, string>> = {
  '2025a': '2025-01-15',
  '2025b': '2025-03-22',
  '2025c': '2025-12-10',
  '2026a': '2026-03-01',
  '2026b': '2026-04-22',
  '2026c': '2026-07-08',
  '2026d': '2026-09-11',
  '2026e': '2026-09-29',
  '2026f': '2026-10-27',
};
const newest = Object.keys(releaseDays).sort().at(-1) as string;

/** Clocks change somewhere several times a year, often at a few weeks' notice. */
const oldAfterDays = 120;
/** Six versions in a year are usual. */
const daysPerVersion = 60;

export interface ZoneDataAge {
  /** `2026e` */
  version: string;
  /** Since its release. */
  days: number;
  isOld: boolean;
}

/**
 * How old the time zone data of a process is. The name of a version has its year only. The day of one that is not listed
 * is taken as 60 days after that of the version before it, the first one's as 1 January, and never earlier than that of a listed
 * version before it.
 */
export function ageOfZoneData(version: string, nowMs: number): ZoneDataAge {
  const days = Math.max(0, Math.floor((nowMs - releasedMs(version)) / 86_400_000));
  return { version, days, isOld: days > oldAfterDays };
}

function releasedMs(version: string): number {
  const listed = releaseDays[version];
  if (listed !== undefined) return msOf(listed);
  const [, year, letter] = /^(\d{4})([a-z])/.exec(version) ?? [];
  if (year === undefined || letter === undefined) return 0;
  const guess = msOf(`${year}-01-01`) + (letter.charCodeAt(0) - 97) * daysPerVersion * 86_400_000;
  return version > newest ? Math.max(guess, msOf(releaseDays[newest] as string)) : guess;
}

/** When the zone data of this process was released; Infinity in a browser, which does not say. *Units*: epoch ms. */
export function zoneDataReleasedMs(): number {
  const { process } = globalThis as { process?: { versions: { tz?: string } } };
  return process === undefined ? Number.POSITIVE_INFINITY : releasedMs(process.versions.tz ?? '');
}

const msOf = (day: string) => Temporal.Instant.from(`${day}T00:00:00Z`).epochMilliseconds;
