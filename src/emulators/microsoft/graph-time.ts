import { windowsZones } from '#kernel/ical/windows-zones.ts';
import { parseLocalDateTime, printLocalDateTime } from '#kernel/time/local.ts';
import { loadZone, type Zone } from '#kernel/time/zones.ts';

/** The names Outlook gives a zone that only an old client's rule describes. Nobody can send them. */
export const customZone = 'tzone://Microsoft/Custom';
/** Real zone of a custom name: an offset that no other zone of a test has, so that a guessing client fails. */
const behindCustomZone = 'Asia/Kathmandu';

/** The zone of a Windows or IANA name; null where Graph answers TimeZoneNotSupportedException. */
export function findZone(name: string): Zone | null {
  return loadZone(windowsZones[name] ?? name);
}

/** As `findZone`, for what is already stored: knows the custom zone too. */
export function zoneOf(name: string): Zone {
  const zone = findZone(name === customZone ? behindCustomZone : name);
  if (!zone) throw new Error(`the mailbox holds an event in the zone "${name}", which does not exist`);
  return zone;
}

const dateTimePattern = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::(\d{2})(?:\.\d{1,7})?)?)?(Z|[+-]\d{2}:\d{2})?$/;

/** Reads the dateTime of a dateTimeTimeZone: local ms, and its offset where it has one (`Z` or `+02:00`). */
export function parseDateTime(text: string): { localMs: number; offset: string | null } | null {
  const match = dateTimePattern.exec(text);
  if (!match) return null;
  const localMs = parseLocalDateTime(`${match[1]}T${match[2] ?? '00:00'}:${match[3] ?? '00'}`);
  return localMs === null ? null : { localMs, offset: match[4] ?? null };
}

/** Reads an instant of a query or of a DateTimeOffset; without an offset it is UTC. */
export function parseInstant(text: string): number | null {
  // A `+` of an offset that was not encoded arrives as a space.
  const parsed = parseDateTime(text.trim().replace(' ', '+'));
  if (!parsed) return null;
  const { localMs, offset } = parsed;
  if (offset === null || offset === 'Z') return localMs;
  const sign = offset.startsWith('-') ? 1 : -1;
  return localMs + sign * (Number(offset.slice(1, 3)) * 3_600_000 + Number(offset.slice(4)) * 60_000);
}

/** Seven fractional digits and no offset: `2026-09-23T12:00:00.0000000`. Source: dateTimeTimeZone resource type. */
export function printDateTime(localMs: number): string {
  return `${printLocalDateTime(localMs)}.0000000`;
}

/** `2026-09-23T12:00:00Z`, as originalStart and the time stamps are. */
export function printInstant(ms: number): string {
  return `${printLocalDateTime(ms)}Z`;
}

/** Time stamps carry their fraction: `2026-09-23T12:00:00.1234567Z`. */
export function printStamp(ms: number): string {
  const fraction = String(((ms % 1_000) + 1_000) % 1_000).padStart(3, '0');
  return `${printLocalDateTime(ms)}.${fraction}0000Z`;
}
