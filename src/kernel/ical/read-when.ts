import type { Duration, When } from '#kernel/event.ts';
import type { ContentLine } from '#kernel/ical/content-lines.ts';
import {
  clampMs,
  type DateValue,
  exactDuration,
  instantOf,
  maxDurationSeconds,
  nominalDuration,
  readDateProperty,
  readDateValue,
  readDurationValue,
  wallDuration,
  wallMsOf,
} from '#kernel/ical/date-value.ts';
import { isCut, keyword, type RawEvent, rawValue } from '#kernel/ical/read-event.ts';
import { warning } from '#kernel/ical/reading-warning.ts';
import type { ZoneLookup } from '#kernel/ical/zone-lookup.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { endOf, lengthOf as lengthOfParts } from '#kernel/time/duration.ts';
import { printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
import { utc, type Zone } from '#kernel/time/zones.ts';

/** Reads one property that holds one DATE or DATE-TIME; null when it is none. */
export function readDateLine(line: ContentLine, zones: ZoneLookup): DateValue | null {
  const { parameters, value } = readDateProperty(line);
  const tzid = parameters?.get('TZID');
  const zone = tzid === undefined ? null : zones.find(tzid);
  return readDateValue(value, zone, parameters?.get('VALUE')?.toUpperCase() === 'DATE');
}

/** The first date of a list, which only RDATE and EXDATE may have. */
function readFirstDate(line: ContentLine, zones: ZoneLookup): DateValue | null {
  const { value } = readDateProperty(line);
  const comma = line.text.lastIndexOf(value) + value.indexOf(',');
  return value.includes(',') ? readDateLine({ ...line, text: line.text.slice(0, comma) }, zones) : null;
}

/** An event with an end that makes no sense is not one without an end: it takes time, and nobody knows how much. */
export const unknownLength: Duration = { seconds: 3_600 };

/**
 * When a VEVENT takes place. A missing or unreadable DTSTART is a reason to withhold; a missing, contradicting or
 * negative end is mended; where it cannot be known, the event takes an hour. Source: RFC 5545 3.6.1, 3.8.2.2, 3.8.2.4, 3.8.2.5.
 */
export function readWhen(
  raw: RawEvent,
  zones: ZoneLookup,
  warnings: string[],
  fallbackStart?: DateValue,
): When | { reason: string } {
  const startLine = raw.one.get('DTSTART');
  const read = startLine === undefined ? undefined : readDateLine(startLine, zones);
  const start = startLine === undefined || read !== null ? read : readFirstDate(startLine, zones);
  if (read === null && start !== null)
    warnings.push(warning('start-unreadable', { source: rawValue(raw, 'DTSTART') ?? '' }));
  if (start === null) return { reason: warning('start-unreadable', { source: rawValue(raw, 'DTSTART') ?? '' }) };
  const from = start ?? fallbackStart;
  if (from === undefined) return { reason: warning('start-missing', {}) };

  const endLine = raw.one.get('DTEND');
  let end = endLine === undefined ? null : readDateLine(endLine, zones);
  if (endLine !== undefined && end === null) {
    warnings.push(warning('end-unreadable', { source: rawValue(raw, 'DTEND') ?? '' }));
  }
  const durationText = end === null ? rawValue(raw, 'DURATION') : undefined;
  const duration = durationText === undefined ? null : readDurationValue(durationText);
  if (durationText !== undefined && duration === null) {
    warnings.push(warning('length-unreadable', { source: durationText }));
  }
  const isUnknown = endLine !== undefined || durationText !== undefined || isCut(raw);
  const hasUnreadableEnd = end === null && duration === null && isUnknown;

  if (from.form === 'date' || isAllDayInDisguise(raw, from, end)) {
    return readAllDay(from, end, duration, zones, warnings);
  }
  if (end?.form === 'date') end = { form: from.form === 'utc' ? 'utc' : from.form, ms: end.ms, zone: from.zone };

  const zone = from.form === 'floating' ? null : (from.zone ?? utc);
  const startMs = from.form === 'floating' ? from.ms : instantOf(from, zone);
  let length: Duration;
  if (end !== null) {
    length = lengthTo(end, from, zone, zones, warnings);
  } else if (duration !== null) {
    length = lengthOf(duration, warnings);
  } else {
    length = hasUnreadableEnd ? unknownLength : { seconds: 0 };
  }
  if (zone === null) return { kind: 'floating', start: printLocalDateTime(startMs), duration: length };
  const localMs = from.form === 'utc' ? zone.toLocal(startMs) : from.ms;
  return { kind: 'zoned', start: printLocalDateTime(localMs), zone: zone.id, duration: length };
}

/** The length of a timed event with an end; `zone` is null for floating times. */
function lengthTo(
  end: DateValue,
  start: DateValue,
  zone: Zone | null,
  { calendarZone }: ZoneLookup,
  warnings: string[],
): Duration {
  const isOnClock = start.form !== 'utc' && end.form !== 'utc' && (zone === null || (end.zone ?? zone) === zone);
  const read = (value: DateValue) =>
    isOnClock ? value.ms : zone === null ? wallMsOf(value, calendarZone) : instantOf(value, zone);
  const [startMs, endMs] = [read(start), read(end)];
  if (endMs < startMs) {
    warnings.push(warning('end-before-start', {}));
    return unknownLength;
  }
  if (zone === null) return wallDuration(startMs, endMs);
  if (!isOnClock) return exactDuration(startMs, endMs);
  const fromMs = zone.toInstant(startMs);
  return exactDuration(fromMs, endOf(lengthOfParts(wallDuration(startMs, endMs)), fromMs, startMs, zone));
}

/** Outlook writes all-day events as midnight to midnight and says so in a property of its own. */
function isAllDayInDisguise(raw: RawEvent, start: DateValue, end: DateValue | null): boolean {
  if (start.form === 'utc' || start.ms % dayMs !== 0) return false;
  const flagged =
    keyword(raw, 'X-MICROSOFT-CDO-ALLDAYEVENT') === 'TRUE' ||
    keyword(raw, 'X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT') === 'TRUE' ||
    keyword(raw, 'X-FUNAMBOL-ALLDAY') === 'TRUE';
  return flagged && (end === null || (end.form !== 'utc' && end.ms % dayMs === 0 && end.ms > start.ms));
}

function readAllDay(
  start: DateValue,
  end: DateValue | null,
  duration: { days: number; seconds: number } | null,
  zones: ZoneLookup,
  warnings: string[],
): When {
  let endMs = start.ms + dayMs;
  if (end !== null) {
    // A time of day in the end covers that day.
    endMs = Math.ceil((end.form === 'utc' ? wallMsOf(end, zones.calendarZone) : end.ms) / dayMs) * dayMs;
    if (endMs < start.ms) warnings.push(warning('end-before-start', {}));
  } else if (duration !== null) {
    endMs = start.ms + (duration.days + Math.ceil(duration.seconds / 86_400)) * dayMs;
  }
  // An end equal to the start is how many exporters write one day.
  if (endMs <= start.ms) endMs = start.ms + dayMs;
  const latestMs = Math.min(endMs, start.ms + maxDurationSeconds * 1_000);
  return { kind: 'all-day', start: printLocalDate(start.ms), end: printLocalDate(clampMs(latestMs)) };
}

function lengthOf({ days, seconds }: { days: number; seconds: number }, warnings: string[]): Duration {
  if (days < 0 || seconds < 0) {
    warnings.push(warning('length-negative', {}));
    return unknownLength;
  }
  return nominalDuration(days, seconds);
}
