import { type Component, type ContentLine, readProperty, scanComponents } from '#kernel/ical/content-lines.ts';
import { windowsZones } from '#kernel/ical/windows-zones.ts';
import {
  dayMs,
  dayNumber,
  dayOfPacked,
  hourMs,
  minuteMs,
  monthOfPacked,
  packedDate,
  secondMs,
} from '#kernel/time/civil.ts';
import { type EventTimes, isWithin } from '#kernel/time/event-times.ts';
import { fixedZone, ownZone } from '#kernel/time/event-zone.ts';
import { fixedOffsetZone } from '#kernel/time/fixed-offset-zone.ts';
import { parseBasic } from '#kernel/time/local.ts';
import {
  type Change,
  type Clock,
  clockOf,
  type Observance,
  type YearlyRule,
  yearOf,
} from '#kernel/time/observances.ts';
import { loadZone, type Zone } from '#kernel/time/zones.ts';

export interface ResolvedZone {
  /** IANA name, `UTC`, or the id of a zone of the event's own (kernel/time/event-zone.ts). */
  zone: string;
  /**
   * - name: the TZID is, or holds, an IANA or Windows name
   * - offset: the TZID is a fixed offset
   * - observances: an IANA zone that agrees with the VTIMEZONE in the years of the event
   * - nearest: an IANA zone with its offsets, whose clocks change within days of it, and that has its instants in this event
   * - definition: the VTIMEZONE itself, or the offset that it has at a single event
   */
  by: 'name' | 'offset' | 'observances' | 'nearest' | 'definition';
}

/** A VTIMEZONE of a real zone with all its history has about 20,000 characters. */
export const maxVtimezoneChars = 64 * 1024;
const maxObservances = 100;
const maxDates = 500;
/** The largest offsets in use are +14:00 and -12:00. */
const maxOffsetMs = 15 * hourMs;

/** A zone that is like a VTIMEZONE in a year and the next, and when it is unlike it later. */
interface Likeness {
  zone: Zone;
  isExact: boolean;
  /** Wall-clock times that may be other instants. *Units*: local ms, half-open. */
  differences: { fromMs: number; toMs: number }[];
}

/** What a VTIMEZONE says of a year and the next, and the zones that say the same or nearly so, best first. */
interface Match extends Clock {
  zones: Likeness[];
  /** The VTIMEZONE itself; null where it has too many changes. */
  own: Zone | null;
}

const matches = new Map<string, Match | null>();
const maxMatches = 500;
/** Zones of one kind that are compared for all years: some 0.2 ms each. */
const mostCompared = 4;

/**
 * The zone of a VTIMEZONE for one event. An IANA zone is taken if it gives every time of the event the instant that the
 * VTIMEZONE gives it: one that is equal in these years first, then the nearest. Failing that the VTIMEZONE itself is the zone.
 * Null where it cannot be understood. Bounded work: yearly rules only, and a few comparisons with each zone there is.
 */
export function matchObservances(vtimezoneText: string, times: EventTimes): ResolvedZone | null {
  const match = matchOf(vtimezoneText, yearOf(times.startMs));
  if (match === null) return null;
  const own = match.own ?? fixedZone(offsetIn(match, times.startMs - match.baseMs));
  const isSame = (zone: Zone) => times.walls.every((ms) => zone.toInstant(ms) === own.toInstant(ms));
  const found = match.zones.find(
    ({ zone, differences }) => isSame(zone) && !differences.some((one) => isWithin(times, one)),
  );
  if (found !== undefined) return { zone: found.zone.id, by: found.isExact ? 'observances' : 'nearest' };
  if (times.again.length > 0) return { zone: own.id, by: 'definition' };
  const offsetMs = times.startMs - own.toInstant(times.startMs);
  const fixed = loadZone(fixedOffsetZone(offsetMs) ?? '') ?? fixedZone(offsetMs);
  return { zone: [fixed, fixedZone(offsetMs)].find(isSame)?.id ?? own.id, by: 'definition' };
}

/** Whether a VTIMEZONE never has the offset that the zone has, in the year of the event and the next. */
export function differsAllYear(zone: Zone, vtimezoneText: string, startMs: number): boolean {
  if (vtimezoneText.length > maxVtimezoneChars) return false;
  const match = matchOf(vtimezoneText, yearOf(startMs));
  if (match === null) return false;
  const { fromMs, toMs } = yearsFrom(yearOf(startMs));
  for (let at = fromMs; at < toMs; at += sampleMs) if (zone.offsetAt(at) === offsetIn(match, at)) return false;
  return true;
}

const yearsFrom = (year: number) => ({
  fromMs: dayNumber(year, 1, 1) * dayMs,
  toMs: dayNumber(year + 2, 1, 1) * dayMs,
});

/** A series without an end is compared up to here. */
const horizonOf = (year: number) => dayNumber(Math.max(year + 10, 2040), 1, 1) * dayMs;

function offsetIn({ baseMs, changes }: Clock, atMs: number): number {
  return changes.findLast((change) => change.atMs <= atMs)?.offsetMs ?? baseMs;
}

function matchOf(vtimezoneText: string, year: number): Match | null {
  const key = `${year} ${vtimezoneText}`;
  const cached = matches.get(key);
  if (cached !== undefined) return cached;
  const match = computeMatch(vtimezoneText, year);
  if (matches.size >= maxMatches) matches.clear();
  matches.set(key, match);
  return match;
}

function computeMatch(vtimezoneText: string, year: number): Match | null {
  const scan = scanComponents(vtimezoneText, new Set());
  if (!scan.ok) return null;
  const components = scan.roots.flatMap((root) => [root, ...root.components]).filter(isObservance);
  if (components.length === 0 || components.length > maxObservances) return null;
  const observances: Observance[] = [];
  for (const component of components) {
    const observance = readObservance(component);
    if (observance === null) return null;
    observances.push(observance);
  }
  const { fromMs, toMs } = yearsFrom(year);
  const clock = clockOf(observances, fromMs, toMs);
  const saysToMs = endOfKnowledge(observances, fromMs);
  const horizonMs = Math.min(horizonOf(year), saysToMs);
  const later = clockOf(observances, fromMs, horizonMs);
  const likeness = (zone: Zone, isExact: boolean): Likeness => ({
    zone,
    isExact,
    differences: differencesOf(zone, later, fromMs, horizonMs),
  });
  const own = ownZone(observances, year - 1);
  const zones: Likeness[] = [];
  for (const zone of candidates()) {
    if (!agrees(zone, clock, fromMs, toMs)) continue;
    const like = likeness(zone, true);
    if (like.differences.length === 0) return { ...clock, zones: [like], own };
    zones.push(like);
    if (zones.length === mostCompared) break;
  }
  const near = nearestTo(clock, fromMs, Math.min(toMs, saysToMs)).slice(0, mostCompared);
  return { ...clock, zones: [...zones, ...near.map((zone) => likeness(zone, false))], own };
}

/** A definition without a rule that goes on says nothing of the time after its last change, unless that is long past. */
function endOfKnowledge(observances: Observance[], fromMs: number): number {
  if (observances.some(({ rule }) => rule !== null && !Number.isFinite(rule.untilMs))) return Number.POSITIVE_INFINITY;
  const lasts = observances.flatMap(({ dates, fromMs: beforeMs, rule }) => [
    ...dates.map((local) => local - beforeMs),
    ...(rule === null ? [] : [rule.untilMs]),
  ]);
  const lastMs = Math.max(...lasts);
  return lastMs > fromMs ? lastMs + dayMs : Number.POSITIVE_INFINITY;
}

/** When a zone and a clock show different times, on the wall clocks of both. */
function differencesOf(zone: Zone, clock: Clock, fromMs: number, toMs: number): Likeness['differences'] {
  const bounds = [...clock.changes, ...changesBetween(zone, fromMs, toMs)].map(({ atMs }) => atMs);
  const ascending = [fromMs, ...new Set(bounds), toMs].sort((a, b) => a - b);
  const differences: Likeness['differences'] = [];
  for (const [at, startMs] of ascending.entries()) {
    const endMs = ascending[at + 1];
    const [one, other] = [zone.offsetAt(startMs), offsetIn(clock, startMs)];
    if (endMs === undefined || one === other) continue;
    differences.push({ fromMs: startMs + Math.min(one, other), toMs: endMs + Math.max(one, other) });
  }
  return differences;
}

/** So far from each other clock changes may lie that are meant to be the same. */
const nearMs = 8 * dayMs;

/** Zones with the same offsets in the same order, whose clocks change within days, the nearest first. */
function nearestTo(wanted: Clock, fromMs: number, toMs: number): Zone[] {
  const near: { zone: Zone; distanceMs: number }[] = [];
  const changes = wanted.changes.filter(({ atMs }) => atMs < toMs);
  if (changes.length === 0) return [];
  for (const zone of candidates()) {
    if (zone.offsetAt(fromMs) !== wanted.baseMs) continue;
    const own = changesBetween(zone, fromMs, toMs);
    if (own.length !== changes.length) continue;
    const distances = own.map(({ atMs, offsetMs }, at) => {
      const change = changes[at];
      return change?.offsetMs === offsetMs ? Math.abs(change.atMs - atMs) : Number.POSITIVE_INFINITY;
    });
    if (Math.max(...distances) > nearMs) continue;
    near.push({ zone, distanceMs: distances.reduce((sum, one) => sum + one, 0) });
  }
  return near.toSorted((a, b) => a.distanceMs - b.distanceMs).map(({ zone }) => zone);
}

/** The clock changes of a zone. */
function changesBetween(zone: Zone, fromMs: number, toMs: number): Change[] {
  const changes: Change[] = [];
  for (let at = fromMs, offsetMs = zone.offsetAt(fromMs); at < toMs; at += sampleMs) {
    const next = Math.min(at + sampleMs, toMs);
    if (zone.offsetAt(next) === offsetMs) continue;
    let [before, after] = [at, next];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (zone.offsetAt(middle) === offsetMs) before = middle;
      else after = middle;
    }
    offsetMs = zone.offsetAt(next);
    changes.push({ atMs: after, offsetMs });
  }
  return changes;
}

function isObservance(component: Component): boolean {
  return component.name === 'STANDARD' || component.name === 'DAYLIGHT';
}

function readObservance(component: Component): Observance | null {
  const values = new Map<string, string>();
  const dates: number[] = [];
  for (const line of component.lines) {
    const value = readProperty(line).value.trim().toUpperCase();
    if (line.name === 'RDATE') {
      if (!readDates(line, dates)) return null;
    } else if (!values.has(line.name)) values.set(line.name, value);
  }
  const toMs = readOffset(values.get('TZOFFSETTO'));
  const fromMs = values.has('TZOFFSETFROM') ? readOffset(values.get('TZOFFSETFROM')) : toMs;
  const start = parseBasic(values.get('DTSTART') ?? '19700101T000000');
  if (fromMs === null || toMs === null || start === null) return null;
  const ruleText = values.get('RRULE');
  const rule = ruleText === undefined ? null : readRule(ruleText, start.ms);
  if (ruleText !== undefined && rule === null) return null;
  return { fromMs, toMs, dates: [start.ms, ...dates], rule };
}

function readDates(line: ContentLine, dates: number[]): boolean {
  for (const text of readProperty(line).value.split(',', maxDates + 1)) {
    const date = parseBasic(text.trim());
    if (date === null || dates.length >= maxDates) return false;
    dates.push(date.ms);
  }
  return true;
}

function readOffset(text: string | undefined): number | null {
  const match = /^([+-]?)(\d{1,2})(?::?(\d{2}):?(\d{2})?)?$/.exec(text ?? '');
  if (match === null) return null;
  const ms = Number(match[2]) * hourMs + Number(match[3] ?? 0) * minuteMs + Number(match[4] ?? 0) * secondMs;
  if (Number(match[3] ?? 0) > 59 || ms > maxOffsetMs) return null;
  return match[1] === '-' ? -ms : ms;
}

const ruleParts = new Set(['FREQ', 'BYMONTH', 'BYDAY', 'BYMONTHDAY', 'UNTIL', 'COUNT', 'INTERVAL']);

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** The day of the year that a rule names, as of a yearly one; null where it names none. */
function readRule(text: string, startMs: number): YearlyRule | null {
  const parts = new Map<string, string>();
  for (const part of text.split(';')) {
    const [name = '', value = ''] = part.split('=');
    if (ruleParts.has(name)) parts.set(name, value);
  }
  const isYearly = parts.get('FREQ') === 'YEARLY' && (parts.get('INTERVAL') ?? '1') === '1';
  if (!isYearly && !parts.has('BYMONTH') && !parts.has('BYDAY')) return null;
  const started = packedDate(Math.floor(startMs / dayMs));
  const month = Number(parts.get('BYMONTH') ?? monthOfPacked(started));
  const byDay = /^([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU)$/.exec(parts.get('BYDAY') ?? '');
  const days = parts.get('BYMONTHDAY')?.split(',', 32).map(Number) ?? null;
  const monthDays = days === null && byDay === null ? [dayOfPacked(started)] : days;
  const isDay = (day: number) => Number.isInteger(day) && day !== 0 && Math.abs(day) <= 31;
  if (!(month >= 1 && month <= 12) || (parts.has('BYDAY') && byDay === null)) return null;
  if (monthDays !== null && (!monthDays.every(isDay) || monthDays.length > 31)) return null;
  const until = parts.get('UNTIL');
  const count = Number(parts.get('COUNT') ?? Number.POSITIVE_INFINITY);
  const countedMs = Number.isFinite(count) ? dayNumber(yearOf(startMs) + count, 1, 1) * dayMs - 1 : count;
  const endMs = until === undefined ? Number.POSITIVE_INFINITY : parseBasic(until)?.ms;
  if (endMs === undefined || Number.isNaN(countedMs)) return null;
  const weekday = byDay === null ? null : weekdays.indexOf(byDay[2] as string);
  return { startMs, month, weekday, nth: Number(byDay?.[1] ?? 1), monthDays, untilMs: Math.min(endMs, countedMs) };
}

let zoneList: Zone[] | undefined;

/** The zones that stand for a Windows zone first: they are the ones that people mean. */
function candidates(): Zone[] {
  if (zoneList === undefined) {
    const names = new Set([...preferred, ...Object.values(windowsZones), ...Intl.supportedValuesOf('timeZone')]);
    zoneList = [...names].map(loadZone).filter((zone) => zone !== null);
  }
  return zoneList;
}

const preferred = [
  'UTC',
  'Europe/London',
  'Europe/Berlin',
  'Europe/Paris',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'Asia/Kolkata',
  'Asia/Shanghai',
  'Asia/Tokyo',
  'Australia/Sydney',
];

const sampleMs = 14 * dayMs;

function agrees(zone: Zone, wanted: Clock, fromMs: number, toMs: number): boolean {
  if (zone.offsetAt(fromMs) !== wanted.baseMs) return false;
  let offsetMs = wanted.baseMs;
  let at = fromMs;
  for (const change of [...wanted.changes, { atMs: toMs, offsetMs: Number.NaN }]) {
    // No change that the VTIMEZONE does not have: the shortest summer time (Ramadan breaks) lasts over four weeks.
    for (; at < change.atMs; at += sampleMs) if (zone.offsetAt(at) !== offsetMs) return false;
    if (zone.offsetAt(change.atMs - 1) !== offsetMs) return false;
    if (Number.isNaN(change.offsetMs)) break;
    if (zone.offsetAt(change.atMs) !== change.offsetMs) return false;
    offsetMs = change.offsetMs;
    at = change.atMs;
  }
  return true;
}
