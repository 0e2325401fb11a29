import { type Component, readProperty } from '#kernel/ical/content-lines.ts';
import { unescapeText } from '#kernel/ical/ical-text.ts';
import { differsAllYear } from '#kernel/ical/match-observances.ts';
import { warning } from '#kernel/ical/reading-warning.ts';
import { offsetInName, resolveZone } from '#kernel/ical/time-zone.ts';
import { dayMs, packedDate, yearOfPacked } from '#kernel/time/civil.ts';
import { loadZone, type Zone } from '#kernel/time/zones.ts';

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
  /** For each TZID whose name tells its zone: whether its definition says otherwise. */
  contradicted: Map<string, boolean>;
}

export interface PlacedTimezone {
  component: Component;
  /** The VCALENDAR that it is in. */
  calendar: Component | null;
}

/** Some zones of one's own, in the years of a long life. */
const maxComparisons = 300;
const maxContradictions = 50;
/** More than the names of the tz database. */
const maxNames = 1_000;

/** Indexes the VTIMEZONEs of a file; of two with one TZID in one VCALENDAR the first counts. */
export function indexTimezones(text: string, timezones: PlacedTimezone[]): FileTimezones {
  const byTzid = new Map<string, PlacedTimezone[]>();
  const loosely = new Map<string, PlacedTimezone[]>();
  for (const timezone of timezones) {
    const line = timezone.component.lines.find((one) => one.name === 'TZID');
    const tzid = line === undefined ? '' : unescapeText(readProperty(line).value).trim();
    const others = byTzid.get(tzid);
    if (tzid === '') continue;
    if (others === undefined) byTzid.set(tzid, [timezone]);
    else if (others.at(-1)?.calendar !== timezone.calendar) others.push(timezone);
  }
  for (const [tzid, placed] of byTzid) if (!loosely.has(looseOf(tzid))) loosely.set(looseOf(tzid), placed);
  return { text, byTzid, loosely, compared: new Set(), names: new Set(), contradicted: new Map() };
}

/** Finds the zone of a TZID for one object. */
export interface ZoneLookup {
  /** The zone, or null: then the time is read as floating, and a warning says so. */
  find(tzid: string): Zone | null;
  calendarZone: string | undefined;
}

/**
 * The zones of one object, each resolved once. `startMs` is when it begins on the wall clock: an unknown TZID is matched by
 * its VTIMEZONE in that year, that of its own `calendar` first.
 */
export function createZoneLookup(
  file: FileTimezones,
  calendarZone: string | undefined,
  startMs: number,
  warnings: string[],
  calendar: Component | null = null,
): ZoneLookup {
  const found = new Map<string, Zone | null>();
  return {
    calendarZone,
    find(tzid) {
      const known = found.get(tzid);
      if (known !== undefined) return known;
      const resolved = isWithinLimit(tzid, file)
        ? (resolveZone(tzid) ?? compare(tzid, file, startMs, calendar) ?? offsetInName(tzid))
        : null;
      const zone = resolved === null ? null : loadZone(resolved.zone);
      const shown = tzid.slice(0, 100);
      if (zone === null) warnings.push(warning('zone-unknown', { zone: shown }));
      else if (resolved?.by === 'name' && contradicts(zone, tzid, file, startMs, calendar)) {
        warnings.push(warning('zone-contradicts', { zone: shown, used: zone.id }));
      } else if (resolved?.by === 'observances' || resolved?.by === 'nearest')
        warnings.push(warning('zone-taken-for', { zone: shown, used: zone.id }));
      else if (resolved?.by === 'offset') {
        warnings.push(warning('zone-taken-for-offset', { zone: shown, used: zone.id }));
      }
      found.set(tzid, zone);
      return zone;
    },
  };
}

/** The zone of the only VTIMEZONE of a file, which is then the calendar's; undefined where there are several or none. */
export function onlyZoneOf(file: FileTimezones): string | undefined {
  const [tzid, ...others] = file.byTzid.keys();
  return tzid === undefined || others.length > 0 ? undefined : resolveZone(tzid)?.zone;
}

function isWithinLimit(tzid: string, { names }: FileTimezones): boolean {
  if (names.size < maxNames) names.add(tzid);
  return names.has(tzid);
}

function compare(
  tzid: string,
  file: FileTimezones,
  startMs: number,
  calendar: Component | null,
): ReturnType<typeof resolveZone> {
  const definition = definitionOf(tzid, file, calendar);
  if (definition === null) return null;
  const key = `${definition.start} ${yearOfPacked(packedDate(Math.floor(startMs / dayMs)))}`;
  if (file.compared.size < maxComparisons) file.compared.add(key);
  return file.compared.has(key) ? resolveZone(tzid, textOf(definition, file), startMs) : null;
}

/** Whether the file's own definition has another offset than the zone of its name, all the year. */
function contradicts(
  zone: Zone,
  tzid: string,
  file: FileTimezones,
  startMs: number,
  calendar: Component | null,
): boolean {
  const known = file.contradicted.get(tzid);
  if (known !== undefined) return known;
  const definition = file.contradicted.size < maxContradictions ? definitionOf(tzid, file, calendar) : null;
  const differs = definition !== null && differsAllYear(zone, textOf(definition, file), startMs);
  file.contradicted.set(tzid, differs);
  return differs;
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

function textOf({ start, end }: Component, file: FileTimezones): string {
  return file.text.slice(start, end);
}
