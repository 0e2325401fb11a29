import { type Component, readProperty } from '#kernel/ical/content-lines.ts';
import { resolveZone } from '#kernel/ical/time-zone.ts';
import { loadZone, type Zone } from '#kernel/time/zones.ts';

/** The VTIMEZONEs of one file. */
export interface FileTimezones {
  text: string;
  byTzid: Map<string, Component>;
  /** How many more of them may be compared with the tz database: about 0.1 ms each, and a file may bring 20,000. */
  comparisonsLeft: number;
}

const maxComparisons = 50;

/** Indexes the VTIMEZONEs of a file; of two with one TZID the first counts. */
export function indexTimezones(text: string, components: Component[]): FileTimezones {
  const byTzid = new Map<string, Component>();
  for (const component of components) {
    const line = component.lines.find((one) => one.name === 'TZID');
    const tzid = line === undefined ? '' : readProperty(line).value.trim();
    if (tzid !== '' && !byTzid.has(tzid)) byTzid.set(tzid, component);
  }
  return { text, byTzid, comparisonsLeft: maxComparisons };
}

/** Finds the zone of a TZID for one object. */
export interface ZoneLookup {
  /** The zone, or null: then the time is read as floating, and a warning says so. */
  find(tzid: string): Zone | null;
  calendarZone: string | undefined;
}

/**
 * The zones of one object, each resolved once. `year` is about when it takes place: an unknown TZID is matched by its
 * VTIMEZONE in that year.
 */
export function createZoneLookup(
  file: FileTimezones,
  calendarZone: string | undefined,
  year: number,
  warnings: string[],
): ZoneLookup {
  const found = new Map<string, Zone | null>();
  return {
    calendarZone,
    find(tzid) {
      const known = found.get(tzid);
      if (known !== undefined) return known;
      const resolved = resolveZone(tzid) ?? compare(tzid, file, year);
      const zone = resolved === null ? null : loadZone(resolved.zone);
      const shown = tzid.slice(0, 100);
      if (zone === null) warnings.push(`time zone "${shown}" is unknown: read as local time of the calendar`);
      else if (resolved?.by === 'observances') warnings.push(`time zone "${shown}" was taken for ${zone.id}`);
      else if (resolved?.by === 'offset') warnings.push(`time zone "${shown}" was taken for the fixed ${zone.id}`);
      found.set(tzid, zone);
      return zone;
    },
  };
}

function compare(tzid: string, file: FileTimezones, year: number): ReturnType<typeof resolveZone> {
  const component = file.byTzid.get(tzid.trim());
  if (component === undefined || file.comparisonsLeft === 0) return null;
  file.comparisonsLeft -= 1;
  return resolveZone(tzid, file.text.slice(component.start, component.end), year);
}
