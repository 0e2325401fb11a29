import { foldLine } from '#kernel/ical/ical-text.ts';
import { formatRule } from '#kernel/recurrence/format-rule.ts';
import { weekdays } from '#kernel/recurrence/rule.ts';
import {
  dayMs,
  dayNumber,
  dayOfPacked,
  daysInMonth,
  monthOfPacked,
  packedDate,
  weekdayOf,
  yearOfPacked,
} from '#kernel/time/civil.ts';
import { type Definition, definitionOf, loadEventZone } from '#kernel/time/event-zone.ts';
import { printBasicDateTime } from '#kernel/time/local.ts';

/** Years of clock changes from the tz database; rules still in force at their end are written as endless. */
const firstYear = 1970;
const lastYear = 2099;
/** Fewer equal years are written as single dates. */
const shortestRun = 3;

/** One change of the clock, on the wall clock before it. */
interface Onset {
  localMs: number;
  fromMs: number;
  toMs: number;
  year: number;
  month: number;
  day: number;
  weekday: number;
}

/** Changes of one kind in consecutive years which one yearly rule can say. */
interface Run {
  onsets: Onset[];
  minDay: number;
  maxDay: number;
  sameDay: boolean;
  sameWeekday: boolean;
}

const written = new Map<string, string>();
const maxWritten = 2_000;
const runsOfZones = new Map<string, Run[]>();

/**
 * The VTIMEZONE of a zone, right from the start of the given year on: yearly rules where the zone has them, dates
 * where it has not (Ramadan, abolished summer time). The offsets equal those of the tz database until 2099.
 * Cached by zone and year. *Errors*: RangeError for an unknown zone. *Source*: RFC 5545 3.6.5.
 */
export function writeVtimezone(zoneId: string, fromYear: number): string {
  const year = Math.min(Math.max(fromYear, firstYear), lastYear);
  const key = `${zoneId} ${year}`;
  let text = written.get(key);
  if (text === undefined) {
    text = compose(zoneId, year);
    if (written.size >= maxWritten) written.clear();
    written.set(key, text);
  }
  return text;
}

function compose(zoneId: string, fromYear: number): string {
  const zone = loadEventZone(zoneId);
  if (zone === null) throw new RangeError(`There is no time zone "${zoneId}".`);
  const own = definitionOf(zone.id);
  if (own !== null) return vtimezone(zone.id, observancesOf(own));
  const runs = runsOf(zone.id);
  const fromMs = dayNumber(fromYear, 1, 1) * dayMs;
  const kept = runs.filter((run) => (run.onsets.at(-1) as Onset).localMs >= fromMs);
  // A rule that began before sets the clock at the start of the year. Otherwise the last change is a separate onset.
  const before = runs.flatMap((run) => run.onsets).filter((onset) => onset.localMs < fromMs);
  const last = before.reduce<Onset | null>(
    (best, one) => (best === null || one.localMs > best.localMs ? one : best),
    null,
  );
  const final = runs.reduce(
    (best, run) => Math.max(best, (run.onsets.at(-1) as Onset).localMs),
    Number.NEGATIVE_INFINITY,
  );

  const parts: string[] = [];
  if (last === null) {
    const offsetMs = zone.offsetAt(Math.min(fromMs, dayNumber(firstYear, 1, 1) * dayMs));
    parts.push(observance('STANDARD', '16010101T000000', offsetMs, offsetMs, ''));
  } else if (!kept.some((run) => run.onsets.length >= shortestRun && run.onsets.includes(last))) {
    parts.push(observance(nameOf(last, final), printBasicDateTime(last.localMs), last.fromMs, last.toMs, ''));
  }

  const loose = new Map<string, Onset[]>();
  for (const run of kept) {
    const first = run.onsets[0] as Onset;
    if (run.onsets.length >= shortestRun) {
      parts.push(
        observance(nameOf(first, final), printBasicDateTime(first.localMs), first.fromMs, first.toMs, ruleOf(run)),
      );
      continue;
    }
    for (const onset of run.onsets) {
      if (onset.localMs < fromMs) continue;
      const key = `${nameOf(onset, final)} ${onset.fromMs} ${onset.toMs}`;
      const group = loose.get(key);
      if (group === undefined) loose.set(key, [onset]);
      else group.push(onset);
    }
  }
  for (const onsets of loose.values()) {
    const first = onsets[0] as Onset;
    // DTSTART is one of them; it is said again because ical.js forgets it where there is an RDATE.
    const dates = (onsets.length === 1 ? [] : onsets).map((onset) => `RDATE:${printBasicDateTime(onset.localMs)}\r\n`);
    parts.push(
      observance(nameOf(first, final), printBasicDateTime(first.localMs), first.fromMs, first.toMs, dates.join('')),
    );
  }
  return vtimezone(zone.id, parts);
}

const vtimezone = (tzid: string, parts: string[]) =>
  `BEGIN:VTIMEZONE\r\n${foldLine(`TZID:${tzid}`)}${parts.join('')}END:VTIMEZONE\r\n`;

/** A definition that an event brought, as it was understood. */
function observancesOf({ baseMs, observances }: Definition): string[] {
  const changes = observances.map(({ fromMs, toMs, dates, rule }) => {
    const name = toMs > fromMs ? 'DAYLIGHT' : 'STANDARD';
    const start = printBasicDateTime(rule?.startMs ?? (dates[0] as number));
    const lines = dates.map((localMs) => `RDATE:${printBasicDateTime(localMs)}\r\n`);
    if (rule !== null) lines.unshift(foldLine(`RRULE:${formatRule(rule.rule)}`));
    return observance(name, start, fromMs, toMs, lines.join(''));
  });
  return [observance('STANDARD', '16010101T000000', baseMs, baseMs, ''), ...changes];
}

/** The last change there will be begins what is standard from then on, whichever way it went. */
function nameOf(onset: Onset, finalMs: number): 'STANDARD' | 'DAYLIGHT' {
  return onset.toMs > onset.fromMs && onset.localMs !== finalMs ? 'DAYLIGHT' : 'STANDARD';
}

function observance(name: string, start: string, fromMs: number, toMs: number, more: string): string {
  return (
    `BEGIN:${name}\r\nDTSTART:${start}\r\nTZOFFSETFROM:${printOffset(fromMs)}\r\nTZOFFSETTO:${printOffset(toMs)}\r\n` +
    `${more}END:${name}\r\n`
  );
}

function printOffset(offsetMs: number): string {
  const total = Math.abs(offsetMs) / 1_000;
  const two = (n: number): string => String(Math.floor(n)).padStart(2, '0');
  const seconds = total % 60 === 0 ? '' : two(total % 60);
  return `${offsetMs < 0 ? '-' : '+'}${two(total / 3_600)}${two((total / 60) % 60)}${seconds}`;
}

function ruleOf(run: Run): string {
  const first = run.onsets[0] as Onset;
  const last = run.onsets.at(-1) as Onset;
  const until = last.year === lastYear ? '' : `;UNTIL=${printBasicDateTime(last.localMs - last.fromMs)}Z`;
  return foldLine(`RRULE:FREQ=YEARLY;BYMONTH=${first.month};${daysOf(run)}${until}`);
}

function daysOf(run: Run): string {
  const first = run.onsets[0] as Onset;
  if (!run.sameWeekday) return `BYMONTHDAY=${first.day}`;
  const weekday = weekdays[first.weekday];
  const nths = new Set(run.onsets.map((onset) => Math.ceil(onset.day / 7)));
  const allLast = run.onsets.every((onset) => onset.day + 7 > daysInMonth(onset.year, onset.month));
  if (allLast) return `BYDAY=-1${weekday}`;
  if (nths.size === 1) return `BYDAY=${[...nths][0]}${weekday}`;
  // "Friday before the last Sunday" and the like: the one such weekday among seven days.
  const from = Math.max(1, run.maxDay - 6);
  return `BYDAY=${weekday};BYMONTHDAY=${Array.from({ length: 7 }, (_, i) => from + i).join(',')}`;
}

function runsOf(zoneId: string): Run[] {
  let runs = runsOfZones.get(zoneId);
  if (runs === undefined) {
    runs = groupOnsets(onsetsOf(zoneId));
    runsOfZones.set(zoneId, runs);
  }
  return runs;
}

function onsetsOf(zoneId: string): Onset[] {
  const onsets: Onset[] = [];
  const endMs = dayNumber(lastYear + 1, 1, 1) * dayMs;
  let at = Temporal.Instant.fromEpochMilliseconds(dayNumber(firstYear, 1, 1) * dayMs - 1).toZonedDateTimeISO(zoneId);
  for (;;) {
    const fromMs = at.offsetNanoseconds / 1_000_000;
    const next = at.getTimeZoneTransition('next');
    if (next === null || next.epochMilliseconds >= endMs) return onsets;
    const localMs = next.epochMilliseconds + fromMs;
    const day = Math.floor(localMs / dayMs);
    const packed = packedDate(day);
    onsets.push({
      localMs,
      fromMs,
      toMs: next.offsetNanoseconds / 1_000_000,
      year: yearOfPacked(packed),
      month: monthOfPacked(packed),
      day: dayOfPacked(packed),
      weekday: weekdayOf(day),
    });
    at = next;
  }
}

function groupOnsets(onsets: Onset[]): Run[] {
  const runs: Run[] = [];
  for (const onset of onsets) {
    const run = runs.findLast((one) => continues(one, onset));
    if (run === undefined) {
      runs.push({ onsets: [onset], minDay: onset.day, maxDay: onset.day, sameDay: true, sameWeekday: true });
      continue;
    }
    const last = run.onsets.at(-1) as Onset;
    run.sameDay &&= last.day === onset.day;
    run.sameWeekday &&= last.weekday === onset.weekday && fitsInWeek(run, onset);
    run.minDay = Math.min(run.minDay, onset.day);
    run.maxDay = Math.max(run.maxDay, onset.day);
    run.onsets.push(onset);
  }
  return runs;
}

function continues(run: Run, onset: Onset): boolean {
  const last = run.onsets.at(-1) as Onset;
  return (
    last.year === onset.year - 1 &&
    last.month === onset.month &&
    last.fromMs === onset.fromMs &&
    last.toMs === onset.toMs &&
    last.localMs % dayMs === onset.localMs % dayMs &&
    ((run.sameDay && last.day === onset.day) ||
      (run.sameWeekday && last.weekday === onset.weekday && fitsInWeek(run, onset)))
  );
}

function fitsInWeek(run: Run, onset: Onset): boolean {
  return Math.max(run.maxDay, onset.day) - Math.min(run.minDay, onset.day) <= 6;
}
