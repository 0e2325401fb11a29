import { type Component, icalLimits, readProperty } from '#kernel/ical/content-lines.ts';
import { readDateProperty, readDateValue } from '#kernel/ical/date-value.ts';
import { unescapeText } from '#kernel/ical/ical-text.ts';
import type { RawEvent } from '#kernel/ical/read-event.ts';
import { warning } from '#kernel/ical/reading-warning.ts';
import { offsetInName, type ResolvedZone, resolveZone } from '#kernel/ical/time-zone.ts';
import { dayMs, dayNumber } from '#kernel/time/civil.ts';
import { type EventTimes, longestBefore } from '#kernel/time/event-times.ts';
import { isNamedZone, loadEventZone } from '#kernel/time/event-zone.ts';
import { parseBasic } from '#kernel/time/local.ts';
import { yearOf } from '#kernel/time/observances.ts';
import type { Zone } from '#kernel/time/zones.ts';

/** The VTIMEZONEs of one file. */
export interface FileTimezones {
  text: string;
  /** A TZID is unique within one VCALENDAR; a file may have several. *Source*: RFC 5545 3.8.3.1. */
  byTzid: Map<string, PlacedTimezone[]>;
  /** The same by `looseOf` a TZID. */
  loosely: Map<string, PlacedTimezone[]>;
  /** The definitions and years that were compared with the tz database: about 0.1 ms each, and a file may bring 20,000. */
  compared: Set<string>;
  /** The names that events of the file use. A name costs some 20 us, so the sum of them is bounded. */
  names: Set<string>;
  /** The texts of its definitions. */
  texts: Map<Component, string>;
}

export interface PlacedTimezone {
  component: Component;
  /** The VCALENDAR that it is in. */
  calendar: Component | null;
}

/** Some zones of one's own, in the years of a long life. */
const maxComparisons = 300;
/** More than the names of the tz database. */
const maxNames = 1_000;

/** Indexes the VTIMEZONEs of a file; of two with one TZID in one VCALENDAR the first counts. */
export function indexTimezones(text: string, timezones: PlacedTimezone[]): FileTimezones {
  const byTzid = new Map<string, PlacedTimezone[]>();
  const loosely = new Map<string, PlacedTimezone[]>();
  for (const timezone of timezones) {
    const line = timezone.component.lines.find((one) => one.name === 'TZID');
    const tzid = line === undefined ? '' : unescapeText(readProperty(line).value, icalLimits.parameterChars).trim();
    const others = byTzid.get(tzid);
    if (tzid === '') continue;
    if (others === undefined) byTzid.set(tzid, [timezone]);
    else if (others.at(-1)?.calendar !== timezone.calendar) others.push(timezone);
  }
  for (const [tzid, placed] of byTzid) if (!loosely.has(looseOf(tzid))) loosely.set(looseOf(tzid), placed);
  return { text, byTzid, loosely, compared: new Set(), names: new Set(), texts: new Map() };
}

/** Finds the zone of a TZID for one object. */
export interface ZoneLookup {
  /** The zone, or null: then the time is read as floating, and a warning says so. */
  find(tzid: string): Zone | null;
  calendarZone: string | undefined;
}

/**
 * The zones of one object, each resolved once. The VTIMEZONE of a TZID, that of its own `calendar` first, is compared with its
 * name at the times of the object.
 */
export function createZoneLookup(
  file: FileTimezones,
  calendarZone: string | undefined,
  times: () => EventTimes,
  warnings: string[],
  calendar: Component | null = null,
): ZoneLookup {
  const found = new Map<string, Zone | null>();
  return {
    calendarZone,
    find(tzid) {
      const known = found.get(tzid);
      if (known !== undefined) return known;
      const resolved = isWithinLimit(tzid, file) ? (resolve(tzid, file, times, calendar) ?? offsetInName(tzid)) : null;
      const zone = resolved === null ? null : loadEventZone(resolved.zone);
      const told = warningOf(tzid.slice(0, 100), zone === null ? null : resolved);
      if (told !== null) warnings.push(told);
      found.set(tzid, zone);
      return zone;
    },
  };
}

function warningOf(zone: string, resolved: ResolvedZone | null): string | null {
  if (resolved === null) return warning('zone-unknown', { zone });
  const { by, zone: used, instead, isPart, isGuess } = resolved;
  if (isPart === true) return warning('zone-unreadable', { zone });
  if (instead !== undefined) return warning('zone-redefined', { zone, named: instead });
  if (by === 'outdated' || by === 'misprinted') return warning('zone-contradicts', { zone, used });
  // the id of a zone of the file says nothing to people
  if (isGuess === true) return warning('zone-taken-for', { zone, used: isNamedZone(used) ? used : zone });
  return by === 'offset' ? warning('zone-taken-for-offset', { zone, used }) : null;
}

/** The zone of the only VTIMEZONE of a file, which is then the calendar's; undefined where there are several or none. */
export function onlyZoneOf(file: FileTimezones, times: () => EventTimes): string | undefined {
  const [tzid, ...others] = file.byTzid.keys();
  if (tzid === undefined || others.length > 0) return undefined;
  const zone = resolve(tzid, file, times, null)?.zone;
  return zone !== undefined && isNamedZone(zone) ? zone : undefined;
}

function isWithinLimit(tzid: string, { names }: FileTimezones): boolean {
  if (names.size < maxNames) names.add(tzid);
  return names.has(tzid);
}

/** By its name alone where the file has no definition, or too many. */
function resolve(
  tzid: string,
  file: FileTimezones,
  times: () => EventTimes,
  calendar: Component | null,
): ResolvedZone | null {
  const definition = definitionOf(tzid, file, calendar);
  if (definition === null) return resolveZone(tzid);
  const key = `${definition.start} ${yearOf(times().startMs)}`;
  if (file.compared.size < maxComparisons) file.compared.add(key);
  return file.compared.has(key) ? resolveZone(tzid, textOf(definition, file), times()) : resolveZone(tzid);
}

/** Some programs quote a TZID, or change its case, in its definition or its events alone. */
const looseOf = (tzid: string) =>
  tzid
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .toLowerCase();

function definitionOf(tzid: string, { byTzid, loosely }: FileTimezones, calendar: Component | null): Component | null {
  const found = byTzid.get(tzid.trim()) ?? loosely.get(looseOf(tzid));
  return (found?.find((one) => one.calendar === calendar) ?? found?.[0])?.component ?? null;
}

function textOf(definition: Component, file: FileTimezones): string {
  const known = file.texts.get(definition);
  if (known !== undefined) return known;
  const text = file.text.slice(definition.start, definition.end);
  file.texts.set(definition, text);
  return text;
}

/** More of them are not compared one by one. */
const mostWalls = 2_000;
const mostTimesOfDay = 100;
/** Dates that are looked at for them, the repeated ones included. */
const mostDatesRead = 20_000;

/**
 * The times of a series and its changed instances, or of one event, read once they are asked for. The first is what they
 * are about.
 */
export function timesOf(events: readonly RawEvent[]): () => EventTimes {
  let times: EventTimes | undefined;
  return () => {
    times ??= readTimes(events);
    return times;
  };
}

function readTimes(events: readonly RawEvent[]): EventTimes {
  const startMs = startOf(events[0]);
  const walls = new Set<number>([startMs]);
  let dates = 0;
  let [repeats, namesHours, untilMs] = [false, false, Number.NEGATIVE_INFINITY];
  for (const { one, rules, exRules, extraDates, exdates } of events) {
    const ends = ['DTSTART', 'DTEND', 'RECURRENCE-ID']
      .map((name) => one.get(name))
      .filter((line) => line !== undefined);
    for (const line of [...ends, ...extraDates, ...exdates]) {
      if (dates > mostDatesRead) break;
      for (const [text] of line.text.matchAll(/\d{8}T\d{6}(?![\dZ])/g)) {
        dates += 1;
        if (dates > mostDatesRead) break;
        const ms = parseBasic(text)?.ms;
        if (ms !== undefined && ms > startMs - longestBefore && walls.size <= mostWalls) walls.add(ms);
      }
    }
    // a length in days ends on a day that nothing names
    const length = one.get('DURATION');
    if (length !== undefined && /\d[DW]/i.test(readProperty(length).value)) [repeats, untilMs] = [true, Infinity];
    for (const rule of [...rules, ...exRules]) {
      const { value } = readProperty(rule);
      repeats = true;
      namesHours ||= /BYHOUR|BYMINUTE|BYSECOND|HOURLY|MINUTELY|SECONDLY/i.test(value);
      untilMs = Math.max(untilMs, endOfRule(value, startMs) + 2 * dayMs);
    }
  }
  const timesOfDay = [...new Set([...walls].map((wall) => wall - Math.floor(wall / dayMs) * dayMs))];
  const isAny = namesHours || walls.size > mostWalls || timesOfDay.length > mostTimesOfDay;
  return { startMs, walls: [...walls], again: !repeats && !isAny ? [] : isAny ? 'all' : timesOfDay, untilMs };
}

const plainPattern =
  /^(?:(?:FREQ=(?:DAILY|WEEKLY)|INTERVAL=\d{1,3}|COUNT=\d{1,4}|BYDAY=[A-Z,]+|WKST=[A-Z]{2})(?:;|$))+$/i;

/** When a rule has ended at the latest, as far as that can be told without expanding it. */
function endOfRule(rule: string, startMs: number): number {
  const until = parseBasic(/UNTIL=(\d{8}(?:T\d{6}Z?)?)/i.exec(rule)?.[1] ?? '')?.ms;
  if (until !== undefined) return until;
  const count = /COUNT=(\d+)/i.exec(rule)?.[1];
  if (count === undefined || !plainPattern.test(rule)) return Number.POSITIVE_INFINITY;
  const interval = /INTERVAL=(\d+)/i.exec(rule)?.[1] ?? '1';
  // seven steps at most lead to a day of the week again
  return startMs + Number(count) * Number(interval) * 7 * dayMs;
}

/** When an event begins on the wall clock, as far as it matters for its zone. *Units*: local ms. */
function startOf(raw: RawEvent | undefined): number {
  const line = raw?.one.get('DTSTART');
  const start = line === undefined ? null : readDateValue(readDateProperty(line).value, null, false);
  // Rules of a VTIMEZONE are for the years of our tables; what a series of 1970 means today is what counts.
  return start !== null && start.ms >= year1990Ms && start.ms < year2101Ms ? start.ms : defaultStartMs;
}

const year1990Ms = dayNumber(1990, 1, 1) * dayMs;
const year2101Ms = dayNumber(2101, 1, 1) * dayMs;

const defaultStartMs = dayNumber(2026, 1, 1) * dayMs;
