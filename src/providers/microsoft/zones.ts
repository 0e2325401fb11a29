import { resolveZone } from '#kernel/ical/time-zone.ts';
import { windowsNames } from './windows-names.ts';

/** Time zone names of Graph: Windows ids, about a hundred IANA names, and what old Outlooks made up. */

/**
 * The IANA zone behind a name, or null where nothing tells: `tzone://Microsoft/Custom` (rules only a desktop knows) and
 * whatever Windows does not call a zone. Source: dateTimeTimeZone resource type, CLDR windowsZones (territory 001).
 */
export function zoneNamed(name: string | null | undefined): string | null {
  if (name === null || name === undefined || name === '') return null;
  const found = resolveZone(name);
  return found?.by === 'name' ? found.zone : null;
}

/** The Windows name of an IANA zone, its aliases included, or null where Windows has none. */
export function windowsNameOf(zone: string): string | null {
  const known = namesFound.get(zone);
  if (known !== undefined) return known;
  const name = windowsNames[zone] ?? aliasName(zone);
  namesFound.set(zone, name);
  return name;
}

const namesFound = new Map<string, string | null>();

/** CLDR keeps the first name a zone ever had (`Europe/Kiev`); Temporal knows that the newer one is the same zone. */
function aliasName(zone: string): string | null {
  try {
    const at = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    for (const [known, name] of Object.entries(windowsNames)) if (at.equals(at.withTimeZone(known))) return name;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return null;
}
