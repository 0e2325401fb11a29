import { dayMs, minuteMs, weekdayOf } from '#kernel/time/civil.ts';
import { normalizeSpans, type Span } from '#kernel/time/intervals.ts';
import { parseLocalDate } from '#kernel/time/local.ts';
import { loadZone, type Zone } from '#kernel/time/zones.ts';
import { type Hours, type Interval, weekdays } from './hours.ts';

/** Days, both included, `2027-03-08`. */
export interface Days {
  firstDay: string;
  lastDay: string;
}

/** Days off, holidays and travel of a user. */
export interface DayFacts {
  daysOff: readonly Days[];
  /** Public holidays that are days off. */
  holidays: readonly string[];
  travels: readonly (Days & { zone: string })[];
}

/** Minutes after midnight; the end may lie on the next day. */
interface Minutes {
  start: number;
  end: number;
}

/** Hours as numbers, for reading many days. */
export interface CompiledHours {
  zone: Zone;
  /** From Monday. */
  weekly: readonly (readonly Minutes[])[];
  /** By day number. */
  overrides: ReadonlyMap<number, readonly Minutes[]>;
}

export function compileHours(hours: Hours): CompiledHours {
  return {
    zone: zoneOf(hours.timezone),
    weekly: weekdays.map((weekday) => {
      const { enabled, intervals } = hours.weekly[weekday];
      return enabled ? intervals.map(minutesOf) : [];
    }),
    overrides: new Map(hours.overrides.map(({ date, intervals }) => [dayNumberOf(date), intervals.map(minutesOf)])),
  };
}

/** The facts as day numbers: a look-up for each day. */
export interface CompiledFacts {
  isOff: (day: number) => boolean;
  zoneAt: (day: number) => Zone | null;
}

export function compileFacts({ daysOff, holidays, travels }: DayFacts): CompiledFacts {
  const off = daysOff.map(numbered);
  const free = new Set(holidays.map(dayNumberOf));
  const away = travels.map((travel) => ({ ...numbered(travel), zone: zoneOf(travel.zone) }));
  return {
    isOff: (day) => free.has(day) || off.some(({ first, last }) => first <= day && day <= last),
    zoneAt: (day) => away.find(({ first, last }) => first <= day && day <= last)?.zone ?? null,
  };
}

/** A zone is at most 26 hours from another, and hours may end on the day after theirs. */
const daysAround = 3;

/**
 * When hours are open within a range. An override replaces its whole day; else a day off or holiday is closed; else the
 * weekday's hours hold. Hours belong to the day they start on, and are read on the wall of that day: where the person
 * travels, in that zone. A wall-clock time that is missing moves forward; of one that comes twice the first counts for a
 * start, the last for an end.
 *
 * *Shape*: a span list within the range.
 */
export function openSpans(hours: CompiledHours, facts: CompiledFacts, range: Span): Span[] {
  return spansOfDays(hours, facts, range, minutesOn);
}

const wholeDay: readonly Minutes[] = [{ start: 0, end: 1_440 }];

/**
 * Whole days off within a range: days off and holidays without an override, and overrides without hours. Weekdays
 * without hours are none.
 *
 * *Shape*: a span list within the range.
 */
export function awaySpans(hours: CompiledHours, facts: CompiledFacts, range: Span): Span[] {
  return spansOfDays(hours, facts, range, (_, __, day) => {
    const override = hours.overrides.get(day);
    const isAway = override === undefined ? facts.isOff(day) : override.length === 0;
    return isAway ? wholeDay : [];
  });
}

function spansOfDays(hours: CompiledHours, facts: CompiledFacts, range: Span, minutesAt: typeof minutesOn): Span[] {
  const spans: Span[] = [];
  let openUntilMs = Number.NEGATIVE_INFINITY;
  let isSpanList = true;
  const last = Math.floor(hours.zone.toLocal(range.endMs) / dayMs) + daysAround;
  for (let day = Math.floor(hours.zone.toLocal(range.startMs) / dayMs) - daysAround; day <= last; day += 1) {
    const zone = facts.zoneAt(day) ?? hours.zone;
    for (const { start, end } of minutesAt(hours, facts, day)) {
      const startMs = Math.max(range.startMs, zone.toInstant(day * dayMs + start * minuteMs));
      const endMs = Math.min(range.endMs, lastInstant(zone, day * dayMs + end * minuteMs));
      if (startMs >= endMs) continue;
      isSpanList &&= openUntilMs < startMs;
      openUntilMs = endMs;
      spans.push({ startMs, endMs });
    }
  }
  return isSpanList ? spans : normalizeSpans(spans);
}

function minutesOn(hours: CompiledHours, facts: CompiledFacts, day: number): readonly Minutes[] {
  const override = hours.overrides.get(day);
  if (override !== undefined) return override;
  return facts.isOff(day) ? [] : (hours.weekly[weekdayOf(day)] ?? []);
}

/** The instant of a wall-clock time; of one that comes twice, the second. */
function lastInstant(zone: Zone, localMs: number): number {
  const firstMs = zone.toInstant(localMs);
  // no zone moves its clock twice within a day
  const againMs = localMs - zone.offsetAt(firstMs + dayMs);
  return againMs > firstMs && zone.toLocal(againMs) === localMs ? againMs : firstMs;
}

function minutesOf({ start, end }: Interval): Minutes {
  const [from, to] = [minuteOf(start), minuteOf(end)];
  return { start: from, end: to > from ? to : to + 1_440 };
}

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

const numbered = ({ firstDay, lastDay }: Days) => ({ first: dayNumberOf(firstDay), last: dayNumberOf(lastDay) });

function dayNumberOf(day: string): number {
  const localMs = parseLocalDate(day);
  if (localMs === null) throw new RangeError(`no date: ${day}`);
  return localMs / dayMs;
}

function zoneOf(name: string): Zone {
  const zone = loadZone(name);
  if (zone === null) throw new RangeError(`no time zone: ${name}`);
  return zone;
}
