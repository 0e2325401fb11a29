import { type Component, scanComponents } from '#kernel/ical/content-lines.ts';
import { dayMs, dayNumber, hourMs } from '#kernel/time/civil.ts';
import {
  agrees,
  candidates,
  type Difference,
  dayOfYear,
  differencesOf,
  historyOf,
  historyStepMs,
  nearestTo,
  offsetIn,
} from '#kernel/time/compare-zones.ts';
import { type EventTimes, isWithin, longestBefore } from '#kernel/time/event-times.ts';
import { fixedZone, ownZone } from '#kernel/time/event-zone.ts';
import { fixedOffsetZone } from '#kernel/time/fixed-offset-zone.ts';
import { type Clock, clockOf, endOfList, lastLawOf, type Observance, yearOf } from '#kernel/time/observances.ts';
import { zoneDataReleasedMs } from '#kernel/time/zone-data.ts';
import { loadZone, type Zone } from '#kernel/time/zones.ts';
import { isObservance, readObservance } from '#kernel/vtimezone/read-observance.ts';

export interface ResolvedZone {
  /** IANA name, `UTC`, or the id of a zone of the event's own (kernel/time/event-zone.ts). */
  zone: string;
  /**
   * - name: the TZID is, or holds, an IANA or Windows name
   * - offset: the TZID is a fixed offset
   * - observances: an IANA zone that agrees with the VTIMEZONE in the years of the event
   * - nearest: an IANA zone with its offsets, whose clocks change within days of it, and that has its instants in this event
   * - definition: the VTIMEZONE itself, or the offset that it has at a single event
   * - outdated: the TZID is an IANA name, and the VTIMEZONE has earlier rules of that zone
   * - misprinted: the VTIMEZONE has the offsets of that zone without their minutes
   */
  by: 'name' | 'offset' | 'observances' | 'nearest' | 'definition' | 'outdated' | 'misprinted';
  /** The zone that the TZID or X-LIC-LOCATION names, where the VTIMEZONE gives the event other times and counts. */
  instead?: string;
  /** A part of the VTIMEZONE cannot be read, so the times may be others. */
  isPart?: true;
  /** The VTIMEZONE ends before the event does: the zone that it is like stands for it from then on. */
  isGuess?: true;
}

/** A VTIMEZONE of a real zone with all its history has about 20,000 characters. */
export const maxVtimezoneChars = 64 * 1024;
const maxObservances = 100;

/** A zone that is like a VTIMEZONE in a year and the next, and when it is unlike it later. */
interface Likeness {
  zone: Zone;
  isExact: boolean;
  differences: Difference[];
  /** Whether the VTIMEZONE has earlier rules of the zone. */
  isOutdated?: boolean;
  /** Whether the VTIMEZONE has misprinted offsets of the zone. */
  isMisprinted?: boolean;
}

/** The clock of a VTIMEZONE in a year and the next. */
interface Match extends Clock {
  year: number;
  /** After it the VTIMEZONE says nothing. */
  saysToMs: number;
  /** Up to the time after which nothing is compared. */
  later: Clock;
  horizonMs: number;
  /** The VTIMEZONE itself; null where it has too many changes. */
  own: Zone | null;
  /** The zones that say the same or nearly so, best first. */
  zones?: Likeness[];
  byZone: Map<Zone, Likeness>;
}

/** A VTIMEZONE that was read. Its comparisons are kept with it. */
export interface Timezone {
  observances: Observance[];
  /** Some of its rules cannot be read. */
  isPart: boolean;
  byYear: Map<number, Match | null>;
  /** When a zone differs from it last, as local ms. */
  lastDifference: Map<Zone, number>;
}

const timezones = new Map<string, Timezone | null>();
const maxTimezones = 500;
/** Zones of one kind that are compared for all years: some 0.2 ms each. */
const mostCompared = 4;

/** The observances of a VTIMEZONE; null where its offsets cannot be read. */
export function readTimezone(text: string): Timezone | null {
  if (text.length > maxVtimezoneChars) return null;
  const cached = timezones.get(text);
  if (cached !== undefined) return cached;
  const timezone = computeTimezone(text);
  if (timezones.size >= maxTimezones) timezones.clear();
  timezones.set(text, timezone);
  return timezone;
}

function computeTimezone(text: string): Timezone | null {
  const scan = scanComponents(text, new Set());
  if (!scan.ok) return null;
  const components = scan.roots.flatMap((root) => [root, ...root.components]).filter(isObservance);
  if (components.length === 0 || components.length > maxObservances) return null;
  // standard time counts if two begin at once, such as those of 1601 with unreadable rules
  const isStandard = ({ name }: Component) => Number(name === 'STANDARD');
  const read = components.toSorted((a, b) => isStandard(a) - isStandard(b)).map(readObservance);
  const observances = read.flatMap((one) => one?.observance ?? []);
  if (observances.length < read.length) return null;
  return {
    observances,
    isPart: read.some((one) => one?.isPart === true),
    byYear: new Map(),
    lastDifference: new Map(),
  };
}

/** Whether a zone gives all times of an event the instants that a VTIMEZONE gives them. */
export function agreesAt(timezone: Timezone, zone: Zone, times: EventTimes): boolean {
  const year = yearOf(times.startMs);
  // most definitions are those of their zone: their events need no look at each of their times
  if (year < comparedYears.to - 10 && lastDifferenceOf(timezone, zone) < times.startMs - longestBefore) return true;
  const match = matchOf(timezone, year);
  if (match === null) return true;
  const own = zoneOf(match, times);
  const { differences } = likenessOf(match, zone, true);
  return (
    times.walls.every((ms) => zone.toInstant(ms) === own.toInstant(ms)) &&
    !differences.some((one) => isWithin(times, one))
  );
}

/**
 * The zone of a VTIMEZONE for one event. An IANA zone is taken if it gives every time of the event the instant that the
 * VTIMEZONE gives it: one that is equal in these years first, then the nearest. Failing that the VTIMEZONE itself is the zone.
 * Null where it changes too often. Bounded work: its rules have a limit, and it is compared a few times with each zone there is.
 */
export function matchTimezone(timezone: Timezone, times: EventTimes): ResolvedZone | null {
  const match = matchOf(timezone, yearOf(times.startMs));
  if (match === null) return null;
  const part = timezone.isPart ? { isPart: true as const } : {};
  const own = zoneOf(match, times);
  const isSame = (zone: Zone) => times.walls.every((ms) => zone.toInstant(ms) === own.toInstant(ms));
  match.zones ??= zonesLike(match);
  const found = match.zones.find(
    ({ zone, differences }) => isSame(zone) && !differences.some((one) => isWithin(times, one)),
  );
  if (found !== undefined) return { zone: found.zone.id, by: found.isExact ? 'observances' : 'nearest', ...part };
  if (times.again.length > 0) return { zone: own.id, by: 'definition', ...part };
  const offsetMs = times.startMs - own.toInstant(times.startMs);
  const fixed = loadZone(fixedOffsetZone(offsetMs) ?? '') ?? fixedZone(offsetMs);
  return { zone: [fixed, fixedZone(offsetMs)].find(isSame)?.id ?? own.id, by: 'definition', ...part };
}

/** Whether a VTIMEZONE says nothing of the last times of an event: a zone that it is like stands for it there. */
export function endsWithin(timezone: Timezone, times: EventTimes): boolean {
  const match = matchOf(timezone, yearOf(times.startMs));
  return match !== null && Math.max(times.untilMs, ...times.walls) > match.saysToMs;
}

const zoneOf = (match: Match, times: EventTimes) =>
  match.own ?? fixedZone(offsetIn(match, times.startMs - match.baseMs));

/** Days between changes that are meant to be the same. */
const nearDays = Array.from({ length: 17 }, (_, at) => at - 8);

/**
 * Whether a VTIMEZONE may have earlier rules of a zone: each of its offsets is one that the zone had at that time of the year,
 * within some days, in a year since 1970. One without changes may have any offset that the zone had since then.
 */
export function isOutdated(timezone: Timezone, zone: Zone, startMs: number): boolean {
  const match = matchOf(timezone, yearOf(startMs));
  if (match === null) return true;
  const likeness = likenessOf(match, zone, true);
  likeness.isOutdated ??= wasClockOf(historyOf(zone), match) && !isNewer(timezone, zone);
  return likeness.isOutdated;
}

/**
 * Whether a VTIMEZONE has a law that the tz database cannot know yet. Its rules change less than a year before the release of
 * the database, or later. In the year before that, it has the clock of the zone.
 */
function isNewer({ observances }: Timezone, zone: Zone): boolean {
  const knownMs = zoneDataReleasedMs() - 366 * dayMs;
  if (lastLawOf(observances) < knownMs) return false;
  const fromMs = knownMs - 366 * dayMs;
  const clock = clockOf(observances, fromMs, knownMs);
  return clock !== null && differencesOf(zone, clock, fromMs, knownMs).length === 0;
}

/**
 * Offsets as some exporters write those that have minutes. vobject, and so Radicale, writes +05:30 as +0500. Others
 * round, or take the hours downwards: -03:30 becomes -0400, or -0430 where its minutes are added to them.
 */
const misprints: readonly ((offsetMs: number) => number)[] = [
  (offsetMs) => Math.trunc(offsetMs / hourMs) * hourMs,
  (offsetMs) => Math.floor(offsetMs / hourMs) * hourMs,
  (offsetMs) => Math.ceil(offsetMs / hourMs) * hourMs,
  (offsetMs) => Math.sign(offsetMs) * Math.round(Math.abs(offsetMs) / hourMs) * hourMs,
  (offsetMs) => 2 * Math.floor(offsetMs / hourMs) * hourMs - offsetMs,
];

/**
 * Whether a VTIMEZONE has the present or earlier rules of a zone, with all offsets misprinted in the same way. One of them is an
 * offset that the zone never had.
 */
export function isMisprinted(timezone: Timezone, zone: Zone, startMs: number): boolean {
  const match = matchOf(timezone, yearOf(startMs));
  if (match === null) return false;
  const likeness = likenessOf(match, zone, true);
  likeness.isMisprinted ??= wasMisprintOf(historyOf(zone), match);
  return likeness.isMisprinted;
}

function wasMisprintOf(history: History, match: Match): boolean {
  const hasMinutes = (offsetMs: number) => offsetMs % hourMs !== 0;
  if (![...history.keys()].some(hasMinutes)) return false;
  const offsets = [match.baseMs, ...match.changes.map((change) => change.offsetMs)];
  if (offsets.every((offsetMs) => history.has(offsetMs))) return false;
  return misprints.some((misprint) => {
    const printed: History = new Map();
    for (const [offsetMs, days] of history) {
      const shown = hasMinutes(offsetMs) ? misprint(offsetMs) : offsetMs;
      printed.set(shown, days.union(printed.get(shown) ?? new Set()));
    }
    return wasClockOf(printed, match);
  });
}

type History = ReturnType<typeof historyOf>;

function wasClockOf(history: History, match: Match): boolean {
  if (match.changes.length === 0) return history.has(match.baseMs);
  const { fromMs, toMs } = yearsFrom(match.year);
  for (let at = fromMs; at < Math.min(toMs, match.saysToMs); at += historyStepMs) {
    const days = history.get(offsetIn(match, at));
    const day = dayOfYear(at);
    const isKnown = (distance: number) => days?.has((day + distance + 366) % 366) === true;
    if (!nearDays.some(isKnown)) return false;
  }
  return true;
}

const yearsFrom = (year: number) => ({
  fromMs: dayNumber(year, 1, 1) * dayMs,
  toMs: dayNumber(year + 2, 1, 1) * dayMs,
});

/** A series without an end is compared up to here. */
const horizonOf = (year: number) => dayNumber(Math.max(year + 10, 2040), 1, 1) * dayMs;

function matchOf(timezone: Timezone, year: number): Match | null {
  const known = timezone.byYear.get(year);
  if (known !== undefined) return known;
  const match = computeMatch(timezone, year);
  timezone.byYear.set(year, match);
  return match;
}

function computeMatch({ observances }: Timezone, year: number): Match | null {
  const { fromMs, toMs } = yearsFrom(year);
  const clock = clockOf(observances, fromMs, toMs);
  const endMs = endOfList(observances);
  const saysToMs = endMs > fromMs ? endMs : Number.POSITIVE_INFINITY;
  const horizonMs = Math.min(horizonOf(year), saysToMs);
  const later = clockOf(observances, fromMs, horizonMs);
  if (clock === null || later === null) return null;
  return { ...clock, year, saysToMs, later, horizonMs, own: ownZone(observances, year - 1), byZone: new Map() };
}

function likenessOf({ year, later, horizonMs, byZone }: Match, zone: Zone, isExact: boolean): Likeness {
  const known = byZone.get(zone);
  if (known !== undefined) return known;
  const differences = differencesOf(zone, later, yearsFrom(year).fromMs, horizonMs);
  const likeness: Likeness = { zone, isExact, differences };
  byZone.set(zone, likeness);
  return likeness;
}

function zonesLike(match: Match): Likeness[] {
  const { fromMs, toMs } = yearsFrom(match.year);
  const zones: Likeness[] = [];
  for (const zone of candidates()) {
    if (!agrees(zone, match, fromMs, toMs)) continue;
    const like = { ...likenessOf(match, zone, true), isExact: true };
    if (like.differences.length === 0) return [like];
    zones.push(like);
    if (zones.length === mostCompared) break;
  }
  const near = nearestTo(match, fromMs, Math.min(toMs, match.saysToMs)).slice(0, mostCompared);
  return [...zones, ...near.map((zone) => ({ ...likenessOf(match, zone, false), isExact: false }))];
}

/** Years in which a definition is compared with the zone of its name once for all events. */
const comparedYears = { from: 1989, to: 2040 };

function lastDifferenceOf({ observances, lastDifference }: Timezone, zone: Zone): number {
  const known = lastDifference.get(zone);
  if (known !== undefined) return known;
  const [fromMs, toMs] = [comparedYears.from, comparedYears.to].map((year) => dayNumber(year, 1, 1) * dayMs) as [
    number,
    number,
  ];
  const clock = clockOf(observances, fromMs, toMs);
  const lastMs =
    clock === null
      ? Number.POSITIVE_INFINITY
      : Math.max(Number.NEGATIVE_INFINITY, ...differencesOf(zone, clock, fromMs, toMs).map((one) => one.toMs));
  lastDifference.set(zone, lastMs);
  return lastMs;
}
