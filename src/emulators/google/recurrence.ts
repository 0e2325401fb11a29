import type { LocalDate, LocalDateTime, RecId } from '#kernel/event.ts';
import { type OpenSeries, openSeries } from '#kernel/recurrence/open-series.ts';
import { parseRule } from '#kernel/recurrence/parse-rule.ts';
import {
  parseBasic,
  parseLocalDate,
  printBasicDate,
  printBasicDateTime,
  printLocalDate,
  printLocalDateTime,
} from '#kernel/time/local.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import { badRequest, invalid } from './errors.ts';
import type { EventTime } from './event-time.ts';
import type { OriginalStart, StoredEvent } from './stored-event.ts';

interface RecurrenceSet {
  rules: string[];
  exRules: string[];
  extraDates: { start: LocalDate | LocalDateTime }[];
  exdates: RecId[];
}

/**
 * Checks the lines of `recurrence`. DTSTART and DTEND are not allowed there.
 * Source: Google Calendar API, Events resource, "recurrence[]"; RFC 5545 section 3.8.5.
 */
export function checkRecurrence(lines: unknown): string[] {
  if (!Array.isArray(lines)) throw invalid('Invalid recurrence rule.');
  const checked: string[] = [];
  for (const line of lines as unknown[]) {
    if (typeof line !== 'string') throw invalid('Invalid recurrence rule.');
    readLine(line, emptySet(), 'UTC', false);
    checked.push(line);
  }
  if (checked.length > 0 && !checked.some((line) => /^(?:RRULE|RDATE)/i.test(line))) {
    throw badRequest('invalid', 'Invalid recurrence rule.');
  }
  return checked;
}

function emptySet(): RecurrenceSet {
  return { rules: [], exRules: [], extraDates: [], exdates: [] };
}

function readLine(line: string, set: RecurrenceSet, zoneId: string, allDay: boolean): void {
  const match = /^(RRULE|EXRULE|RDATE|EXDATE)((?:;[^:;]+)*):(.+)$/i.exec(line);
  if (!match) throw invalid('Invalid recurrence rule.');
  const [, name, parameters, value] = match as unknown as [string, string, string, string];
  if (/^(?:RRULE|EXRULE)$/i.test(name)) {
    if (!parseRule(value).ok) throw invalid('Invalid recurrence rule.');
    (name.toUpperCase() === 'RRULE' ? set.rules : set.exRules).push(value);
    return;
  }
  const named = /;TZID=([^;]+)/i.exec(parameters)?.[1];
  const zone = loadZone(named ?? zoneId);
  if (!zone) throw invalid('Invalid recurrence rule.');
  const own = loadZone(zoneId) ?? utc;
  for (const text of value.split(',')) {
    const time = parseBasic(text.split('/')[0]!);
    if (!time) throw invalid('Invalid recurrence rule.');
    const ms = time.form === 'local' ? zone.toInstant(time.ms) : time.ms;
    if (name.toUpperCase() === 'EXDATE') {
      // a time on the series' wall clock is an instant, and a date is the whole day
      set.exdates.push(time.form === 'date' || allDay ? printBasicDate(time.ms) : `${printBasicDateTime(ms)}Z`);
    } else {
      const isDay = allDay || time.form === 'date';
      set.extraDates.push({ start: isDay ? printLocalDate(time.ms) : printLocalDateTime(own.toLocal(ms)) });
    }
  }
}

/** The series of a master. Its moments are epoch ms, or local ms of midnights where it is all-day. */
export function openMaster({ time, recurrence }: { time: EventTime; recurrence: string[] }): OpenSeries {
  const zone = time.allDay ? 'UTC' : time.startZone;
  const set = emptySet();
  for (const line of recurrence) readLine(line, set, zone, time.allDay);
  const local = time.allDay ? time.start : printLocalDateTime((loadZone(zone) ?? utc).toLocal(time.startMs));
  return openSeries({ start: local, zone: time.allDay ? null : zone, ...set });
}

export function originalAt(allDay: boolean, startMs: number): OriginalStart {
  return allDay ? { allDay: true, day: printLocalDate(startMs) } : { allDay: false, ms: startMs };
}

export function momentOf(original: OriginalStart): number {
  return original.allDay ? (parseLocalDate(original.day) ?? 0) : original.ms;
}

/** `abc_20270308T080000Z`, or `abc_20270308` in an all-day series. */
export function instanceId(masterId: string, original: OriginalStart): string {
  const stamp = original.allDay ? original.day.replaceAll('-', '') : `${printBasicDateTime(original.ms)}Z`;
  return `${masterId}_${stamp}`;
}

/** The master and moment that an instance id speaks of, if the series has such an occurrence. */
export function findOccurrence(
  id: string,
  masterOf: (id: string) => StoredEvent | undefined,
): { master: StoredEvent; original: OriginalStart } | null {
  const cut = id.lastIndexOf('_');
  if (cut === -1) return null;
  const master = masterOf(id.slice(0, cut));
  const time = parseBasic(id.slice(cut + 1));
  if (!master || master.recurrence.length === 0 || !time) return null;
  const series = openMaster(master);
  if (series.allDay !== (time.form === 'date')) return null;
  if (!isOccurrence(series, time.ms)) return null;
  return { master, original: originalAt(series.allDay, time.ms) };
}

export function isOccurrence(series: OpenSeries, startMs: number): boolean {
  return series.between(startMs, startMs + 1).startsMs.length > 0;
}
