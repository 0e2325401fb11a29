import { type Component, type ContentLine, readProperty, scanComponents } from '#kernel/ical/content-lines.ts';
import { windowsZones } from '#kernel/ical/windows-zones.ts';
import {
  dayMs,
  dayNumber,
  daysInMonth,
  hourMs,
  minuteMs,
  packedDate,
  secondMs,
  weekdayOf,
  yearOfPacked,
} from '#kernel/time/civil.ts';
import { fixedOffsetZone } from '#kernel/time/fixed-offset-zone.ts';
import { parseBasic } from '#kernel/time/local.ts';
import { loadZone, type Zone } from '#kernel/time/zones.ts';

export interface ResolvedZone {
  /** IANA name, or `UTC`. */
  zone: string;
  /**
   * - name: the TZID is, or holds, an IANA or Windows name
   * - offset: the TZID is a fixed offset, or the VTIMEZONE agrees with no zone and this is its offset at the event
   * - observances: an IANA zone that agrees with the VTIMEZONE in the years of the event
   * - nearest: an IANA zone with its offsets, whose clocks change within days of it
   */
  by: 'name' | 'offset' | 'observances' | 'nearest';
}

/** A VTIMEZONE of a real zone with all its history has about 20,000 characters. */
export const maxVtimezoneChars = 64 * 1024;
const maxObservances = 100;
const maxDates = 500;
/** The largest offsets in use are +14:00 and -12:00. */
const maxOffsetMs = 15 * hourMs;

interface Change {
  atMs: number;
  offsetMs: number;
}

/** The offset at the start of a stretch of time, and its changes, ascending. */
interface Clock {
  baseMs: number;
  changes: Change[];
}

interface Observance {
  fromMs: number;
  toMs: number;
  start: number;
  rule: Map<string, string> | null;
  untilMs: number;
  dates: number[];
}

/** What a VTIMEZONE says of a year and the next, and the zones that say the same or nearly so, best first. */
interface Match extends Clock {
  zones: Zone[];
  isExact: boolean;
}

const matches = new Map<string, Match | null>();
const maxMatches = 500;

/**
 * An IANA zone whose clock changes are those of this VTIMEZONE in the year of the event and the next; failing that the
 * nearest one that has the same offset at the event; failing that the fixed offset that the VTIMEZONE has there. Null where
 * it cannot be understood. Bounded work: yearly rules only, and at most two comparisons with each zone there is.
 * *Units*: `startMs` is the event's start on the wall clock, local ms.
 */
export function matchObservances(vtimezoneText: string, startMs: number): ResolvedZone | null {
  const match = matchOf(vtimezoneText, yearOf(startMs));
  if (match === null) return null;
  const atMs = instantIn(match, startMs);
  const offsetMs = offsetIn(match, atMs);
  const found = match.isExact ? match.zones[0] : match.zones.find((zone) => zone.offsetAt(atMs) === offsetMs);
  if (found !== undefined) return { zone: found.id, by: match.isExact ? 'observances' : 'nearest' };
  const fixed = fixedOffsetZone(offsetMs);
  if (fixed !== null) return { zone: fixed, by: 'offset' };
  // half an hour that no zone keeps all the year (Newfoundland): one that has it then
  const then = candidates().find((zone) => zone.offsetAt(atMs) === offsetMs);
  return then === undefined ? null : { zone: then.id, by: 'nearest' };
}

/** Whether a VTIMEZONE never has the offset that the zone has, in the year of the event and the next. */
export function differsAllYear(zone: Zone, vtimezoneText: string, startMs: number): boolean {
  if (vtimezoneText.length > maxVtimezoneChars) return false;
  const match = matchOf(vtimezoneText, yearOf(startMs));
  if (match === null || match.zones.includes(zone)) return false;
  const { fromMs, toMs } = yearsFrom(yearOf(startMs));
  for (let at = fromMs; at < toMs; at += sampleMs) if (zone.offsetAt(at) === offsetIn(match, at)) return false;
  return true;
}

const yearOf = (localMs: number) => yearOfPacked(packedDate(Math.floor(localMs / dayMs)));

const yearsFrom = (year: number) => ({
  fromMs: dayNumber(year, 1, 1) * dayMs,
  toMs: dayNumber(year + 2, 1, 1) * dayMs,
});

function offsetIn({ baseMs, changes }: Clock, atMs: number): number {
  return changes.findLast((change) => change.atMs <= atMs)?.offsetMs ?? baseMs;
}

/** As RFC 5545 3.3.5: a time in a gap is read with the offset before it, a doubled time is the first. */
function instantIn(clock: Clock, localMs: number): number {
  const offsets = new Set([clock.baseMs, ...clock.changes.map(({ offsetMs }) => offsetMs)]);
  const fitting = [...offsets]
    .map((offsetMs) => localMs - offsetMs)
    .filter((ms) => localMs - ms === offsetIn(clock, ms));
  return fitting.length > 0 ? Math.min(...fitting) : localMs - Math.min(...offsets);
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
  const wanted = changesOf(observances, year, fromMs, toMs);
  if (wanted === null) return null;
  const exact = candidates().find((zone) => agrees(zone, wanted, fromMs, toMs));
  if (exact !== undefined) return { ...wanted, zones: [exact], isExact: true };
  // a definition without rules says nothing of the time after its last change
  const saysToMs = observances.some(({ rule }) => rule !== null) ? toMs : (wanted.changes.at(-1)?.atMs ?? toMs) + dayMs;
  return { ...wanted, zones: nearestTo(wanted, fromMs, Math.min(toMs, saysToMs)), isExact: false };
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

/** The clock changes of a zone, to the minute. */
function changesBetween(zone: Zone, fromMs: number, toMs: number): Change[] {
  const changes: Change[] = [];
  for (let at = fromMs, offsetMs = zone.offsetAt(fromMs); at < toMs; at += sampleMs) {
    const next = Math.min(at + sampleMs, toMs);
    if (zone.offsetAt(next) === offsetMs) continue;
    let [before, after] = [at, next];
    while (after - before > minuteMs) {
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
  const rule = ruleText === undefined ? null : readRule(ruleText);
  if (ruleText !== undefined && rule === null) return null;
  const until = rule?.get('UNTIL');
  const count = Number(rule?.get('COUNT') ?? Number.POSITIVE_INFINITY);
  const countedMs = Number.isFinite(count) ? dayNumber(yearOf(start.ms) + count, 1, 1) * dayMs - 1 : count;
  const endMs = until === undefined ? Number.POSITIVE_INFINITY : parseBasic(until)?.ms;
  if (endMs === undefined || Number.isNaN(countedMs)) return null;
  const untilMs = Math.min(endMs, countedMs);
  return { fromMs, toMs, start: start.ms, rule, untilMs, dates };
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

/** The parts that tell a day of the year, as of a yearly rule; null where another rule has none. */
function readRule(text: string): Map<string, string> | null {
  const parts = new Map<string, string>();
  for (const part of text.split(';')) {
    const [name = '', value = ''] = part.split('=');
    if (ruleParts.has(name)) parts.set(name, value);
  }
  const isYearly = parts.get('FREQ') === 'YEARLY' && (parts.get('INTERVAL') ?? '1') === '1';
  return isYearly || parts.has('BYMONTH') || parts.has('BYDAY') ? parts : null;
}

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** The local ms of an observance's onset in a year by its rule; null where the rule is beyond us. */
function onsetInYear(observance: Observance, rule: Map<string, string>, year: number): number | null {
  const started = packedDate(Math.floor(observance.start / dayMs));
  const timeMs = ((observance.start % dayMs) + dayMs) % dayMs;
  const month = Number(rule.get('BYMONTH') ?? (started & 511) >> 5);
  if (!(month >= 1 && month <= 12)) return null;
  const days = daysInMonth(year, month);
  const byDay = /^([+-]?\d)?(MO|TU|WE|TH|FR|SA|SU)$/.exec(rule.get('BYDAY') ?? '');
  if (rule.has('BYDAY') && byDay === null) return null;
  const monthDays = rule.get('BYMONTHDAY')?.split(',').map(Number) ?? null;
  let day: number | undefined;
  if (byDay === null) {
    day = monthDays === null ? started & 31 : monthDays[0];
  } else {
    const weekday = weekdays.indexOf(byDay[2] as string);
    const firstOfMonth = dayNumber(year, month, 1);
    const first = 1 + ((weekday - weekdayOf(firstOfMonth) + 7) % 7);
    const all = [first, first + 7, first + 14, first + 21, first + 28].filter((one) => one <= days);
    const allowed = monthDays === null ? all : all.filter((one) => monthDays.includes(one));
    const nth = Number(byDay[1] ?? 1);
    day = nth < 0 ? allowed.at(nth) : allowed[nth - 1];
  }
  if (day === undefined || !(day >= 1 && day <= days)) return null;
  return dayNumber(year, month, day) * dayMs + timeMs;
}

/** Offset at the start of the window and the changes inside it; null where it cannot be told. */
function changesOf(observances: Observance[], year: number, fromMs: number, toMs: number): Clock | null {
  const onsets: { atMs: number; beforeMs: number; offsetMs: number }[] = [];
  for (const observance of observances) {
    const locals = [observance.start, ...observance.dates];
    const { rule } = observance;
    if (rule !== null) {
      const firstYear = yearOfPacked(packedDate(Math.floor(observance.start / dayMs)));
      // The year before the window tells the offset it begins with; of an ended rule, its last year does.
      const lastYear = Number.isFinite(observance.untilMs)
        ? Math.min(year + 1, yearOfPacked(packedDate(Math.floor(observance.untilMs / dayMs))))
        : year + 1;
      for (let y = Math.max(firstYear, Math.min(year - 1, lastYear - 1)); y <= lastYear; y += 1) {
        const local = onsetInYear(observance, rule, y);
        if (local === null) return null;
        if (local > observance.start && local - observance.fromMs <= observance.untilMs) locals.push(local);
      }
    }
    for (const local of locals) {
      onsets.push({ atMs: local - observance.fromMs, beforeMs: observance.fromMs, offsetMs: observance.toMs });
    }
  }
  onsets.sort((a, b) => a.atMs - b.atMs);
  let baseMs = (onsets[0] as { beforeMs: number }).beforeMs;
  const changes: Change[] = [];
  for (const onset of onsets) {
    if (onset.atMs <= fromMs) baseMs = onset.offsetMs;
    else if (onset.atMs < toMs && onset.offsetMs !== (changes.at(-1)?.offsetMs ?? baseMs)) {
      changes.push({ atMs: onset.atMs, offsetMs: onset.offsetMs });
    }
  }
  return { baseMs, changes };
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
