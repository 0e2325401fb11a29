import { type Component, readProperty } from '#kernel/ical/content-lines.ts';
import { unescapeText } from '#kernel/ical/ical-text.ts';
import { differsAllYear } from '#kernel/ical/match-observances.ts';
import { resolveZone } from '#kernel/ical/time-zone.ts';
import { loadZone, type Zone } from '#kernel/time/zones.ts';

/** The VTIMEZONEs of one file. */
export interface FileTimezones {
  text: string;
  byTzid: Map<string, Component>;
  /** How many more of them may be compared with the tz database: about 0.1 ms each, and a file may bring 20,000. */
  comparisonsLeft: number;
  /** The names that events of the file use. A name costs some 20 us, so the sum of them is bounded. */
  names: Set<string>;
  /** For each TZID whose name tells its zone: whether its definition says otherwise. */
  contradicted: Map<string, boolean>;
}

const maxComparisons = 50;
/** More than the names of the tz database. */
const maxNames = 1_000;

/** Indexes the VTIMEZONEs of a file; of two with one TZID the first counts. */
export function indexTimezones(text: string, components: Component[]): FileTimezones {
  const byTzid = new Map<string, Component>();
  for (const component of components) {
    const line = component.lines.find((one) => one.name === 'TZID');
    const tzid = line === undefined ? '' : unescapeText(readProperty(line).value).trim();
    if (tzid !== '' && !byTzid.has(tzid)) byTzid.set(tzid, component);
  }
  return { text, byTzid, comparisonsLeft: maxComparisons, names: new Set(), contradicted: new Map() };
}

/** Finds the zone of a TZID for one object. */
export interface ZoneLookup {
  /** The zone, or null: then the time is read as floating, and a warning says so. */
  find(tzid: string): Zone | null;
  calendarZone: string | undefined;
}

/**
 * The zones of one object, each resolved once. `startMs` is when it begins on the wall clock: an unknown TZID is matched by
 * its VTIMEZONE in that year.
 */
export function createZoneLookup(
  file: FileTimezones,
  calendarZone: string | undefined,
  startMs: number,
  warnings: string[],
): ZoneLookup {
  const found = new Map<string, Zone | null>();
  return {
    calendarZone,
    find(tzid) {
      const known = found.get(tzid);
      if (known !== undefined) return known;
      const resolved = isWithinLimit(tzid, file) ? (resolveZone(tzid) ?? compare(tzid, file, startMs)) : null;
      const zone = resolved === null ? null : loadZone(resolved.zone);
      const shown = tzid.slice(0, 100);
      if (zone === null) warnings.push(`time zone "${shown}" is unknown: read as local time of the calendar`);
      else if (resolved?.by === 'name' && contradicts(zone, tzid, file, startMs)) {
        warnings.push(`time zone "${shown}" has other offsets in the file than ${zone.id} has: ${zone.id} was used`);
      } else if (resolved?.by === 'observances' || resolved?.by === 'nearest')
        warnings.push(`time zone "${shown}" was taken for ${zone.id}`);
      else if (resolved?.by === 'offset') warnings.push(`time zone "${shown}" was taken for the fixed ${zone.id}`);
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

function compare(tzid: string, file: FileTimezones, startMs: number): ReturnType<typeof resolveZone> {
  if (file.comparisonsLeft === 0) return null;
  file.comparisonsLeft -= 1;
  const text = definitionOf(tzid, file);
  return text === null ? null : resolveZone(tzid, text, startMs);
}

/** Whether the file's own definition has another offset than the zone of its name, all the year. */
function contradicts(zone: Zone, tzid: string, file: FileTimezones, startMs: number): boolean {
  const known = file.contradicted.get(tzid);
  if (known !== undefined) return known;
  const text = file.contradicted.size < maxComparisons ? definitionOf(tzid, file) : null;
  const differs = text !== null && differsAllYear(zone, text, startMs);
  file.contradicted.set(tzid, differs);
  return differs;
}

function definitionOf(tzid: string, file: FileTimezones): string | null {
  const component = file.byTzid.get(tzid.trim());
  return component === undefined ? null : file.text.slice(component.start, component.end);
}
