import { parameterValue } from '#kernel/ical/event-draft.ts';
import { writeVtimezone } from '#kernel/ical/write-vtimezone.ts';
import type { FileTimezones, ZoneLookup } from '#kernel/ical/zone-lookup.ts';
import { loadEventZone } from '#kernel/time/event-zone.ts';
import { utc, type Zone } from '#kernel/time/zones.ts';

/** How a file names the zones of what is written into it. */
export interface FileNames {
  zones: ZoneLookup;
  /** *Errors*: RangeError where there is no such zone. */
  zone(id: string): Zone;
  /** The TZID, as a parameter value: the file's own name of the zone if it has one. */
  tzid(zone: Zone): string;
  /** The VTIMEZONEs that the names given out need and the file does not have. */
  missing(fromYear: number): string;
}

export function nameZones(file: FileTimezones, zones: ZoneLookup): FileNames {
  const given = new Map<Zone, string>();
  for (const tzid of file.byTzid.keys()) {
    const zone = zones.find(tzid);
    if (zone !== null && !given.has(zone)) given.set(zone, parameterValue(tzid));
  }
  const added = new Set<string>();
  return {
    zones,
    zone(id) {
      const zone = loadEventZone(id);
      if (zone === null) throw new RangeError(`There is no time zone "${id.slice(0, 64)}".`);
      return zone;
    },
    tzid(zone) {
      const known = given.get(zone);
      if (known !== undefined || zone === utc) return known ?? zone.id;
      given.set(zone, zone.id);
      added.add(zone.id);
      return zone.id;
    },
    missing: (fromYear) => [...added].map((id) => writeVtimezone(id, fromYear)).join(''),
  };
}
