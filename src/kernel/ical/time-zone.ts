import {
  agreesAt,
  endsWithin,
  isMisprinted,
  isOutdated,
  matchTimezone,
  type ResolvedZone,
  readTimezone,
} from '#kernel/ical/match-observances.ts';
import { windowsZones } from '#kernel/ical/windows-zones.ts';
import { hourMs, minuteMs } from '#kernel/time/civil.ts';
import { type EventTimes, timesAt } from '#kernel/time/event-times.ts';
import { fixedOffsetZone } from '#kernel/time/fixed-offset-zone.ts';
import { zoneOfPlace } from '#kernel/time/place-zones.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';

export type { ResolvedZone };

const byWindowsName = new Map(Object.entries(windowsZones).map(([name, zone]) => [name.toLowerCase(), zone]));

/** Names of UTC, all one to us, so that the same event is never written in two ways. */
const utcNames = new Set(
  ['utc', 'gmt', 'z', 'zulu', 'uct', 'universal', 'greenwich', 'gmt0', 'gmt+0', 'gmt-0'].flatMap((name) => [
    name,
    `etc/${name}`,
  ]),
);

/** Names without a city that would tell the zone: those that Outlook displays, and others. */
const byDisplayName = new Map(
  Object.entries({
    'eastern time (us & canada)': 'America/New_York',
    'central time (us & canada)': 'America/Chicago',
    'mountain time (us & canada)': 'America/Denver',
    'pacific time (us & canada)': 'America/Los_Angeles',
    'pacific time (us & canada); tijuana': 'America/Los_Angeles',
    'pacific time (us & canada), tijuana': 'America/Los_Angeles',
    'eastern time': 'America/New_York',
    'central time': 'America/Chicago',
    'mountain time': 'America/Denver',
    'pacific time': 'America/Los_Angeles',
    'atlantic time (canada)': 'America/Halifax',
    'indiana (east)': 'America/Indianapolis',
    'baja california': 'America/Tijuana',
    'coordinated universal time': 'UTC',
    'universal coordinated time': 'UTC',
    'greenwich mean time': 'Europe/London',
    'greenwich mean time : dublin, edinburgh, lisbon, london': 'Europe/London',
    'central america': 'America/Guatemala',
    'west central africa': 'Africa/Lagos',
    'eastern europe': 'Europe/Bucharest',
    'abu dhabi, muscat': 'Asia/Dubai',
    'islamabad, karachi': 'Asia/Karachi',
    'chennai, kolkata, mumbai, new delhi': 'Asia/Kolkata',
    'osaka, sapporo, tokyo': 'Asia/Tokyo',
    alaska: 'America/Anchorage',
    arizona: 'America/Phoenix',
    hawaii: 'Pacific/Honolulu',
    newfoundland: 'America/St_Johns',
    saskatchewan: 'America/Regina',
    greenland: 'America/Godthab',
    brasilia: 'America/Sao_Paulo',
    'mid-atlantic': 'Atlantic/South_Georgia',
    'cape verde is.': 'Atlantic/Cape_Verde',
    fiji: 'Pacific/Fiji',
    "nuku'alofa": 'Pacific/Tongatapu',
    'midway island, samoa': 'Pacific/Midway',
    // earlier names of Windows
    'kamchatka standard time': 'Asia/Kamchatka',
    'mid-atlantic standard time': 'Atlantic/South_Georgia',
    'mexico standard time': 'America/Mexico_City',
    'mexico standard time 2': 'America/Chihuahua',
    'armenian standard time': 'Asia/Yerevan',
    // a link of the tz database until 2020
    'us/pacific-new': 'America/Los_Angeles',
    // as Java and the standards have them
    'central european time': 'Europe/Berlin',
    'eastern european time': 'Europe/Athens',
    'western european time': 'Europe/Lisbon',
    'mitteleuropäische zeit': 'Europe/Berlin',
    'mitteleuropäische sommerzeit': 'Europe/Berlin',
    cdt: 'America/Chicago',
    mdt: 'America/Denver',
    aedt: 'Australia/Sydney',
    nzst: 'Pacific/Auckland',
    nzdt: 'Pacific/Auckland',
  }),
);

const resolvedNames = new Map<string, ResolvedZone | null>();
const maxResolvedNames = 2_000;

/**
 * The zone that a TZID means, or null where nothing tells.
 *
 * The VTIMEZONE counts where it gives the event other times than the zone that the TZID or X-LIC-LOCATION names. Two exceptions:
 * earlier rules of the zone of an IANA name, and offsets of the zone that lost their minutes. Then the name counts. Names are
 * looked up in tables and never used as a path. `times` are those of the event.
 *
 * Source: RFC 5545 3.2.19, 3.6.5; CLDR windowsZones; TZIDs as seen from Outlook, Exchange, Apple, Mozilla, Evolution and Citadel.
 */
export function resolveZone(tzid: string, vtimezoneText?: string, times?: EventTimes): ResolvedZone | null {
  const named = zoneNamed(tzid);
  if (vtimezoneText === undefined) return named;
  const hint = named ?? zoneNamed(locationIn(vtimezoneText));
  const timezone = readTimezone(vtimezoneText);
  const isIana = isIanaName(tzid);
  if (timezone === null || (timezone.isPart && hint !== null)) {
    return hint === null || isIana || isIanaName(locationIn(vtimezoneText)) ? hint : { ...hint, isPart: true };
  }
  const at = times ?? timesAt(january2026Ms);
  const zone = hint === null ? null : (loadZone(hint.zone) ?? utc);
  if (hint !== null && zone !== null) {
    if (agreesAt(timezone, zone, at)) return { zone: hint.zone, by: 'name' };
    if (isIana && isOutdated(timezone, zone, at.startMs)) return { ...hint, by: 'outdated' };
    if ((isIana || isWindowsName(tzid)) && isMisprinted(timezone, zone, at.startMs)) {
      return { ...hint, by: 'misprinted' };
    }
  }
  const found = matchTimezone(timezone, at);
  if (found === null) return hint === null ? null : { ...hint, isPart: true };
  if (hint !== null) return { ...found, instead: hint.zone };
  return endsWithin(timezone, at) ? { ...found, isGuess: true } : found;
}

function zoneNamed(name: string): ResolvedZone | null {
  let named = resolvedNames.get(name);
  if (named === undefined) {
    named = name.length > 200 ? null : resolveName(unquoted(name));
    if (resolvedNames.size >= maxResolvedNames) resolvedNames.clear();
    resolvedNames.set(name, named);
  }
  return named;
}

const unquoted = (name: string) => name.trim().replace(/^"(.*)"$/, '$1');

const locationIn = (vtimezoneText: string) =>
  /(?:^|[\r\n])X-(?:LIC-LOCATION|TZINFO)(?:;[^:\r\n]*)?:([^\r\n[]+)/i.exec(vtimezoneText)?.[1]?.trim() ?? '';

/** Whether a name is `Region/City`, or ends so in the registry of a program. */
function isIanaName(tzid: string): boolean {
  const name = unquoted(tzid);
  if (!name.includes('/') || name.length > 200) return false;
  return loadZone(name) !== null || (name.startsWith('/') && resolvePath(name) !== null);
}

const isWindowsName = (tzid: string): boolean => byWindowsName.has(unquoted(tzid).toLowerCase());

function resolveName(name: string): ResolvedZone | null {
  if (name === '') return null;
  const lower = name.toLowerCase();
  if (utcNames.has(lower) || lower === 'tzone://microsoft/utc') return { zone: 'UTC', by: 'name' };
  const windows =
    byWindowsName.get(lower) ?? byWindowsName.get(lower.replace(/ (?:daylight|summer) time$/, ' standard time'));
  if (windows !== undefined) return { zone: windows, by: 'name' };
  const iana = loadZone(name)?.id;
  if (iana !== undefined) return { zone: iana, by: 'name' };
  // Lotus writes Windows names without their end
  const lotus = byWindowsName.get(`${lower} standard time`);
  if (lotus !== undefined) return { zone: lotus, by: 'name' };
  return resolvePath(name) ?? resolveOffset(name) ?? resolveDisplayName(lower) ?? resolvePart(name);
}

const regions = '(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Canada|Etc|Europe|Indian|Pacific|US)';
const embeddedPattern = new RegExp(`(?:^|[^\\w/])(${regions}/[\\w+-]+(?:/[\\w+-]+)?)`, 'i');

/** `W. Europe Standard Time 1`, `Europe/Berlin (CET)`, `Asia/Beijing`. */
function resolvePart(name: string): ResolvedZone | null {
  const numbered = /^((?!etc\/).{6,}(?:time|[a-z]\/\w+))[ _-]\d{1,2}$/i.exec(name)?.[1];
  if (numbered !== undefined) return resolveName(numbered);
  const embedded = embeddedPattern.exec(name)?.[1];
  if (embedded === undefined) return null;
  const zone = loadZone(embedded)?.id ?? zoneInRegion(embedded);
  return zone === undefined ? null : { zone, by: 'name' };
}

/** The zone of a place that the zone database does not name, in the region that is named with it. */
function zoneInRegion(name: string): string | undefined {
  const [region = '', place = ''] = name.split('/');
  const zone = zoneOfPlace(place.replaceAll('_', ' '));
  return zone?.toLowerCase().startsWith(`${region.toLowerCase()}/`) ? zone : undefined;
}

/** `/mozilla.org/20050126_1/Europe/Berlin`, `/freeassociation.sourceforge.net/America/Argentina/Salta`. */
function resolvePath(name: string): ResolvedZone | null {
  const segments = name.split('/');
  for (const count of name.startsWith('/') ? [3, 2, 1] : [3, 2]) {
    if (segments.length <= count) continue;
    const zone = loadZone(segments.slice(-count).join('/'))?.id;
    if (zone !== undefined) return { zone, by: 'name' };
  }
  return null;
}

const offsetPattern = /^(?:GMT|UTC)?\s*([+-])(\d{1,2})(?::?(\d{2}))?(?:\s*\([^)]*\))?$/i;

/** `GMT+0530`, `UTC-5`, `+01:00`, `GMT+0200 (CEST)`. */
function resolveOffset(name: string): ResolvedZone | null {
  const match = offsetPattern.exec(name);
  if (match === null) return null;
  const ms = Number(match[2]) * hourMs + Number(match[3] ?? 0) * minuteMs;
  const zone = fixedOffsetZone(match[1] === '-' ? -ms : ms);
  return zone === null ? null : { zone, by: 'offset' };
}

const displayPattern =
  /^(?:\((?:utc|gmt)?\s*(?:([+-])(\d{1,2})(?:[:.]?(\d{2}))?(?:\/[+-]\d{1,2}(?:[:.]?\d{2})?)?)?\)|(?:utc|gmt)\s?([+-])(\d{1,2})(?:[:.]?(\d{2}))?)\s*(\S.*)$/s;

/** The offset in a name that says nothing else that is known, as a zone without summer time. */
export function offsetInName(tzid: string): ResolvedZone | null {
  const match = tzid.length > 200 ? null : displayPattern.exec(tzid.trim().toLowerCase());
  const standardMs = match === null ? undefined : offsetOf(match);
  const zone = standardMs === undefined ? null : fixedOffsetZone(standardMs);
  return zone === null ? null : { zone, by: 'offset' };
}

/** The offset of a match of `displayPattern`, where it has one. */
function offsetOf(match: RegExpExecArray): number | undefined {
  const [, sign = match[4], hours = match[5], minutes = match[6]] = match;
  if (hours === undefined) return undefined;
  const absMs = Number(hours) * hourMs + Number(minutes ?? 0) * minuteMs;
  return sign === '-' ? -absMs : absMs;
}

/** `(UTC-05:00) Eastern Time (US & Canada)`, `(GMT+01.00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna`, `Berlin`. */
function resolveDisplayName(lower: string): ResolvedZone | null {
  const match = displayPattern.exec(lower);
  const text = (match === null ? lower : (match[7] as string)).replaceAll(' and ', ' & ');
  const known = byDisplayName.get(text) ?? byWindowsName.get(text);
  if (known !== undefined) return { zone: known, by: 'name' };
  const standardMs = match === null ? undefined : offsetOf(match);
  if (standardMs === undefined) return resolveCities(text);
  for (const city of text.split(/[,;/]/)) {
    const zone = zoneOfPlace(city);
    if (zone !== undefined && standardOffsetMs(zone) === standardMs) return { zone, by: 'name' };
  }
  return null;
}

/** A list of cities without an offset: their zone, where all that are known have the same clock this year. */
function resolveCities(text: string): ResolvedZone | null {
  const found = text
    .split(/[,;&/]/)
    .map(zoneOfPlace)
    .filter((zone) => zone !== undefined);
  const [first] = found;
  if (first === undefined || found.some((zone) => !isSameClock(zone, first))) return null;
  return { zone: first, by: 'name' };
}

function isSameClock(a: string, b: string): boolean {
  const [one, other] = [loadZone(a), loadZone(b)];
  return [january2026Ms, july2026Ms].every((ms) => one?.offsetAt(ms) === other?.offsetAt(ms));
}

const january2026Ms = 1_768_435_200_000;
const july2026Ms = 1_784_073_600_000;

function standardOffsetMs(name: string): number | undefined {
  const zone = loadZone(name);
  return zone === null ? undefined : Math.min(zone.offsetAt(january2026Ms), zone.offsetAt(july2026Ms));
}
