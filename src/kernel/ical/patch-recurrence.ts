import type { ExtraDate, RecId, Series } from '#kernel/event.ts';
import { equalJson } from '#kernel/event-hash.ts';
import { canonicalRule } from '#kernel/ical/canonical-rule.ts';
import { icalLimits, type PlacedLine, readProperty } from '#kernel/ical/content-lines.ts';
import { readDateValue } from '#kernel/ical/date-value.ts';
import { type EventDraft, parametersBut } from '#kernel/ical/event-draft.ts';
import type { FileNames } from '#kernel/ical/file-names.ts';
import { forEachDate, readExtraDate, recIdOf } from '#kernel/ical/read-recurrence.ts';
import type { Frame } from '#kernel/ical/series-frame.ts';
import { extraDateValue, instanceValue } from '#kernel/ical/write-recurrence.ts';

export interface RecurrenceChange {
  before: Series;
  after: Series;
  /** Frame of `after`. */
  frame: Frame;
  /** Whether the start changed or the event was a single one: every date is read again in the frame. */
  moved: boolean;
  /** Excluded already, by overrides that say CANCELLED. */
  excluded: ReadonlySet<RecId>;
}

/** Writes the recurrence set of a master: a rule or a date that stays is left as it is spelled. */
export function patchRecurrence(event: EventDraft, change: RecurrenceChange, names: FileNames): void {
  const { before, after, moved } = change;
  const { raw } = event;
  patchRules(event, 'RRULE', raw.rules, before.rules, after.rules, change, names);
  patchRules(event, 'EXRULE', raw.exRules, before.exRules, after.exRules, change, names);
  if (moved || !equalJson(before.extraDates, after.extraDates)) patchExtraDates(event, change, names);
  if (moved || !equalJson(before.exdates, after.exdates) || !equalJson(before.overrides, after.overrides)) {
    patchExdates(event, change, names);
  }
}

/** Takes the recurrence set away, as an instance of a series has none of its own. */
export function dropRecurrence(event: EventDraft): void {
  const { rules, exRules, extraDates, exdates } = event.raw;
  for (const line of [...rules, ...exRules, ...extraDates, ...exdates]) event.put(line, null);
}

function patchRules(
  event: EventDraft,
  name: 'RRULE' | 'EXRULE',
  lines: PlacedLine[],
  before: string[],
  after: string[],
  { after: series, moved }: RecurrenceChange,
  { zones }: FileNames,
): void {
  const changed = !equalJson(before, after);
  if (!changed && !moved) return;
  const missing = new Set(after.flatMap((rule) => canonicalRule(rule, series.when, zones.calendarZone) ?? []));
  const obsolete = lines.filter((line) => {
    const rule = canonicalRule(readProperty(line).value, series.when, zones.calendarZone);
    // an unreadable rule stays until somebody sets another repetition
    if (rule === null) return changed;
    return !missing.delete(rule);
  });
  const wanted = [...missing];
  for (const line of obsolete) {
    const rule = wanted.shift();
    event.put(line, rule === undefined ? null : `${name}${parametersBut(line, [])}:${rule}`);
  }
  for (const rule of wanted) event.add(`${name}:${rule}`, lastOf(event, lines));
}

function patchExdates(event: EventDraft, change: RecurrenceChange, names: FileNames): void {
  const { before, after, frame, moved } = change;
  const wanted = new Set(after.exdates);
  const known = new Set([...before.exdates, ...Object.keys(before.overrides)]);
  const standing = new Set(change.excluded);
  const { exdates } = event.raw;
  keepDates(event, exdates, names, (text, zone, dateOnly) => {
    const value = readDateValue(text, zone, dateOnly);
    if (value === null) return true;
    const recId = recIdOf(value, frame);
    if (!wanted.has(recId)) return !moved && !known.has(recId);
    standing.add(recId);
    return true;
  });
  for (const recId of after.exdates) {
    if (standing.has(recId)) continue;
    const value = instanceValue(recId, frame.kind, frame.zone, tzidOf(frame, names));
    event.add(`EXDATE${value}`, lastOf(event, exdates));
  }
}

function patchExtraDates(event: EventDraft, { before, after, frame, moved }: RecurrenceChange, names: FileNames): void {
  const print = (date: ExtraDate) => JSON.stringify([date.start, date.duration]);
  const missing = new Map(after.extraDates.map((date) => [print(date), date]));
  const known = new Set(before.extraDates.map(({ start }) => start));
  const { extraDates } = event.raw;
  keepDates(event, extraDates, names, (text, zone, dateOnly) => {
    const date = readExtraDate(text, zone, dateOnly, frame);
    if (date === null) return true;
    if (missing.delete(print(date))) return true;
    return !moved && !known.has(date.start);
  });
  for (const date of missing.values()) {
    const value = extraDateValue(date, frame.kind, frame.zone, tzidOf(frame, names));
    event.add(`RDATE${value}`, lastOf(event, extraDates));
  }
}

function tzidOf(frame: Frame, names: FileNames): string {
  return frame.kind === 'zoned' ? names.tzid(frame.zone) : frame.zone.id;
}

/** Takes the dates that are not kept out of their lists, and a list that is left empty with them. */
function keepDates(
  event: EventDraft,
  lines: PlacedLine[],
  { zones }: FileNames,
  keeps: Parameters<typeof forEachDate>[3],
): void {
  for (const line of lines) {
    const kept: string[] = [];
    let dropped = 0;
    forEachDate(line, { zones, warnings: [] }, icalLimits.chars, (text, zone, dateOnly) => {
      if (keeps(text, zone, dateOnly)) kept.push(text);
      else dropped += 1;
      return true;
    });
    if (dropped === 0) continue;
    event.put(line, kept.length === 0 ? null : `${line.name}${parametersBut(line, [])}:${kept.join(',')}`);
  }
}

/** Where a line of a recurrence set goes: after its like, else after the times. */
function lastOf({ raw }: EventDraft, lines: PlacedLine[]): PlacedLine | undefined {
  return lines.at(-1) ?? raw.rules.at(-1) ?? raw.one.get('DTEND') ?? raw.one.get('DURATION') ?? raw.one.get('DTSTART');
}
