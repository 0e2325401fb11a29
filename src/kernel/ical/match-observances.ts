import { type Component, type ContentLine, readProperty, scanComponents } from '#kernel/ical/content-lines.ts';
import { fixedOffsetZone } from '#kernel/ical/fixed-offset-zone.ts';
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
import { parseBasic } from '#kernel/time/local.ts';
import { loadZone, type Zone } from '#kernel/time/zones.ts';

export interface ResolvedZone {
  /** IANA name, or `UTC`. */
  zone: string;
  /**
   * - name: the TZID is, or holds, an IANA or Windows name
   * - offset: the TZID is a fixed offset, or the VTIMEZONE agrees with no zone and this is its offset at the event
   * - observances: an IANA zone that agrees with the VTIMEZONE in the years of the event
   */
  by: 'name' | 'offset' | 'observances';
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

interface Observance {
  fromMs: number;
  toMs: number;
  start: number;
  rule: Map<string, string> | null;
  untilMs: number;
  dates: number[];
}

const matches = new Map<string, ResolvedZone | null>();
const maxMatches = 500;

/**
 * An IANA zone whose clock changes are those of this VTIMEZONE in the given year and the next; failing that the fixed
 * offset it has at the start of that year; null where it cannot be understood. Bounded work: yearly rules only, and at
 * most one comparison with each zone there is.
 */
export function matchObservances(vtimezoneText: string, year: number): ResolvedZone | null {
  const key = `${year} ${vtimezoneText}`;
  const cached = matches.get(key);
  if (cached !== undefined) return cached;
  const match = computeMatch(vtimezoneText, year);
  if (matches.size >= maxMatches) matches.clear();
  matches.set(key, match);
  return match;
}

function computeMatch(vtimezoneText: string, year: number): ResolvedZone | null {
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
  const fromMs = dayNumber(year, 1, 1) * dayMs;
  const toMs = dayNumber(year + 2, 1, 1) * dayMs;
  const wanted = changesOf(observances, year, fromMs, toMs);
  if (wanted === null) return null;
  for (const zone of candidates()) {
    if (agrees(zone, wanted, fromMs, toMs)) return { zone: zone.id, by: 'observances' };
  }
  const fixed = fixedOffsetZone(wanted.baseMs);
  return fixed === null ? null : { zone: fixed, by: 'offset' };
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
  const fromMs = readOffset(values.get('TZOFFSETFROM'));
  const toMs = readOffset(values.get('TZOFFSETTO'));
  const start = parseBasic(values.get('DTSTART') ?? '');
  if (fromMs === null || toMs === null || start === null) return null;
  const ruleText = values.get('RRULE');
  const rule = ruleText === undefined ? null : readRule(ruleText);
  if (ruleText !== undefined && rule === null) return null;
  const until = rule?.get('UNTIL');
  const untilMs = until === undefined ? Number.POSITIVE_INFINITY : parseBasic(until)?.ms;
  if (untilMs === undefined) return null;
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
  const match = /^([+-])(\d{2}):?(\d{2})(\d{2})?$/.exec(text ?? '');
  if (match === null) return null;
  const ms = Number(match[2]) * hourMs + Number(match[3]) * minuteMs + Number(match[4] ?? 0) * secondMs;
  if (Number(match[3]) > 59 || ms > maxOffsetMs) return null;
  return match[1] === '-' ? -ms : ms;
}

const ruleParts = new Set(['FREQ', 'BYMONTH', 'BYDAY', 'BYMONTHDAY', 'UNTIL', 'INTERVAL', 'WKST']);

/** The parts of a yearly rule; null for any other, which no zone needs. */
function readRule(text: string): Map<string, string> | null {
  const parts = new Map<string, string>();
  for (const part of text.split(';')) {
    const [name = '', value = ''] = part.split('=');
    if (name === '') continue;
    if (!ruleParts.has(name)) return null;
    parts.set(name, value);
  }
  if (parts.get('FREQ') !== 'YEARLY' || (parts.get('INTERVAL') ?? '1') !== '1') return null;
  return parts;
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
function changesOf(
  observances: Observance[],
  year: number,
  fromMs: number,
  toMs: number,
): { baseMs: number; changes: Change[] } | null {
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

function agrees(zone: Zone, wanted: { baseMs: number; changes: Change[] }, fromMs: number, toMs: number): boolean {
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
