import type { Duration, ExtraDate, RecId, Series, When } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import { canonicalRule } from '#kernel/ical/canonical-rule.ts';
import { type ContentLine, pauseChars, readProperty } from '#kernel/ical/content-lines.ts';
import {
  type DateValue,
  exactDuration,
  instantOf,
  nominalDuration,
  readDateProperty,
  readDateValue,
  readDurationValue,
  wallDuration,
  wallMsOf,
} from '#kernel/ical/date-value.ts';
import { warning } from '#kernel/ical/reading-warning.ts';
import { extraDateAt, type Frame, frameMs } from '#kernel/ical/series-frame.ts';
import { createZoneLookup, indexTimezones, type ZoneLookup } from '#kernel/ical/zone-lookup.ts';
import { isRepaired } from '#kernel/recurrence/parse-rule.ts';
import { timesAt } from '#kernel/time/event-times.ts';
import { parseLocal, printBasicDate, printBasicDateTime } from '#kernel/time/local.ts';
import { makeRecId } from '#kernel/time/rec-id.ts';
import type { Zone } from '#kernel/time/zones.ts';
import { type Sliced, type WorkBudget, withoutPause } from '#kernel/work-budget.ts';

/** The lines of a recurrence set. Source: RFC 5545 3.8.5. */
export interface RecurrenceLines {
  rules: readonly ContentLine[];
  exRules: readonly ContentLine[];
  extraDates: readonly ContentLine[];
  exdates: readonly ContentLine[];
}

export type Recurrence = Pick<Series, 'rules' | 'exRules' | 'extraDates' | 'exdates'>;

interface Reader {
  zones: ZoneLookup;
  warnings: string[];
  budget?: WorkBudget | undefined;
}

/**
 * The recurrence set of a series that stands at `when`; what cannot be read is left out and told in `warnings`.
 * *Errors*: WorkLimitError past the budget.
 */
export function* readRecurrence(lines: RecurrenceLines, when: When, frame: Frame, reader: Reader): Sliced<Recurrence> {
  const rules = yield* readRules(lines.rules, when, reader);
  const exRules = yield* readRules(lines.exRules, when, reader);
  const extraDates = yield* readExtraDates(lines.extraDates, when, frame, reader);
  yield;
  const exdates = [...(yield* readExdates(lines.exdates, frame, reader))];
  yield;
  return { rules, exRules, extraDates, exdates };
}

/** The same from bare lines (`RRULE:FREQ=DAILY`), as Google has them. Lines of other names are left out and told. */
export function parseRecurrence(texts: readonly string[], when: When, frame: Frame, warnings: string[]): Recurrence {
  const lines = { RRULE: [], EXRULE: [], RDATE: [], EXDATE: [] } as Record<string, ContentLine[]>;
  for (const text of texts) {
    const nameEnd = text.search(/[;:]/);
    const name = text.slice(0, Math.max(0, nameEnd)).trim().toUpperCase();
    const ofName = Object.hasOwn(lines, name) ? lines[name] : undefined;
    if (ofName === undefined) warnings.push(warning('rule-skipped', { source: text }));
    else ofName.push({ name, text, nameEnd });
  }
  const { RRULE: rules = [], EXRULE: exRules = [], RDATE: extraDates = [], EXDATE: exdates = [] } = lines;
  const zones = createZoneLookup(
    indexTimezones('', []),
    frame.calendarZone,
    () => timesAt(parseLocal(when.start) ?? 0),
    warnings,
  );
  return withoutPause(readRecurrence({ rules, exRules, extraDates, exdates }, when, frame, { zones, warnings }));
}

/** Dates of one kind that a series looks at, and of which it keeps the earliest. Later ones in the file are left out. */
const mostDates = 2 * eventLimits.exdates;

/** The name of an instance of the series of a frame; without one, in the form in which it is written. */
export function recIdOf(value: DateValue, frame: Frame | null): RecId {
  if (frame !== null) return makeRecId(frame.kind, frameMs(value, frame));
  if (value.form === 'date') return printBasicDate(value.ms);
  if (value.form === 'floating') return printBasicDateTime(value.ms);
  return `${printBasicDateTime(instantOf(value, null))}Z`;
}

function* readRules(lines: readonly ContentLine[], when: When, reader: Reader): Sliced<string[]> {
  const rules = new Set<string>();
  for (const line of lines.slice(0, eventLimits.rules)) {
    const { value } = readProperty(line);
    const rule = canonicalRule(value, when, reader.zones.calendarZone, reader.budget);
    if (rule !== null && isRepaired(value)) reader.warnings.push(warning('rule-repaired', { source: line.text }));
    if (rule === null) reader.warnings.push(warning('rule-skipped', { source: line.text }));
    else rules.add(rule);
    yield;
  }
  const skipped = lines.length - eventLimits.rules;
  if (skipped > 0) reader.warnings.push(warning('rules-skipped', { number: skipped }));
  return [...rules];
}

function* readExdates(lines: readonly ContentLine[], frame: Frame, reader: Reader): Sliced<Set<RecId>> {
  const exdates = new Set<RecId>();
  let left = mostDates;
  let chars = 0;
  for (const line of lines) {
    chars += line.text.length;
    if (chars > pauseChars) {
      yield;
      chars = 0;
    }
    left -= forEachDate(line, reader, left, (text, zone, dateOnly) => {
      const value = readDateValue(text.split('/', 1)[0] ?? '', zone, dateOnly);
      if (value === null) return false;
      exdates.add(recIdOf(value, frame));
      return true;
    });
  }
  return exdates;
}

function* readExtraDates(lines: readonly ContentLine[], when: When, frame: Frame, reader: Reader): Sliced<ExtraDate[]> {
  const byStart = new Map<string, ExtraDate>();
  let left = mostDates;
  let chars = 0;
  for (const line of lines) {
    chars += line.text.length;
    if (chars > pauseChars) {
      yield;
      chars = 0;
    }
    left -= forEachDate(line, reader, left, (text, zone, dateOnly) => {
      const date = readExtraDate(text, zone, dateOnly, frame);
      if (date === null) return false;
      if (date.start !== when.start || date.duration !== undefined) byStart.set(date.start, date);
      return true;
    });
  }
  const dates = [...byStart.values()].sort((a, b) => (a.start < b.start ? -1 : 1));
  if (dates.length > eventLimits.extraDates) {
    reader.warnings.push(warning('dates-skipped', { property: 'RDATE' }));
    dates.length = eventLimits.extraDates;
  }
  return dates;
}

/** One item of an RDATE in the frame of its series; null when it is none. */
export function readExtraDate(text: string, zone: Zone | null, dateOnly: boolean, frame: Frame): ExtraDate | null {
  const slash = text.indexOf('/');
  const value = readDateValue(slash === -1 ? text : text.slice(0, slash), zone, dateOnly);
  if (value === null) return null;
  const date = extraDateAt(frameMs(value, frame), frame);
  if (slash === -1 || frame.kind === 'all-day') return date;
  const duration = readPeriodEnd(text.slice(slash + 1), value, zone, frame);
  return duration === null ? null : { ...date, duration };
}

/** The second half of a PERIOD: a duration, or the end. Source: RFC 5545 3.3.9. */
function readPeriodEnd(text: string, start: DateValue, zone: Zone | null, frame: Frame): Duration | null {
  const duration = readDurationValue(text);
  if (duration !== null) return nominalDuration(Math.max(0, duration.days), Math.max(0, duration.seconds));
  const end = readDateValue(text, zone, false);
  if (end === null) return null;
  if (frame.kind === 'floating' && start.form === 'floating')
    return wallDuration(start.ms, wallMsOf(end, frame.calendarZone));
  return exactDuration(instantOf(start, frame.zone), instantOf(end, frame.zone));
}

/**
 * Calls `take` for the first `most` dates of a list, and returns their number. Dates that `take` refuses are counted in
 * one warning.
 */
export function forEachDate(
  line: ContentLine,
  reader: Reader,
  most: number,
  take: (text: string, zone: Zone | null, dateOnly: boolean) => boolean,
): number {
  if (most === 0) {
    reader.warnings.push(warning('dates-skipped', { property: line.name }));
    return 0;
  }
  const { parameters, value } = readDateProperty(line);
  const tzid = parameters?.get('TZID');
  const zone = tzid === undefined ? null : reader.zones.find(tzid);
  const dateOnly = parameters?.get('VALUE')?.toUpperCase() === 'DATE';
  // vCalendar 1.0 has semicolons, and servers escape what they do not know
  const items = value.split(/\\?[,;]/, most);
  let bad = 0;
  for (const item of items) {
    const text = item.trim();
    if (text !== '' && !take(text, zone, dateOnly)) bad += 1;
  }
  if (bad > 0) reader.warnings.push(warning('dates-unreadable', { property: line.name, number: bad }));
  return items.length;
}
