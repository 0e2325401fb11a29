import type { Component } from '#kernel/ical/content-lines.ts';
import { readProperty } from '#kernel/ical/content-lines.ts';
import { resolveZone } from '#kernel/ical/time-zone.ts';
import { loadZone, type Zone } from '#kernel/time/zones.ts';

/** Finds the zone of a TZID inside one file. */
export interface ZoneLookup {
  /** The zone, or null: then the time is read as floating, and a warning says so. */
  find(tzid: string): Zone | null;
  calendarZone: string | undefined;
}

/**
 * The zones of one file, each resolved once. `year` is about when the events take place: an unknown TZID is matched by
 * its VTIMEZONE in that year.
 */
export function createZoneLookup(
  text: string,
  timezones: Component[],
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
      const resolved = resolveZone(tzid) ?? resolveZone(tzid, vtimezoneText(text, timezones, tzid), year);
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

function vtimezoneText(text: string, timezones: Component[], tzid: string): string | undefined {
  const wanted = tzid.trim();
  const component = timezones.find((one) =>
    one.lines.some((line) => line.name === 'TZID' && readProperty(line).value.trim() === wanted),
  );
  return component === undefined ? undefined : text.slice(component.start, component.end);
}
