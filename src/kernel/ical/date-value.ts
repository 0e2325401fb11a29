import type { Duration } from '#kernel/event.ts';
import { type ContentLine, icalLimits, type Property, readProperty, upperCase } from '#kernel/ical/content-lines.ts';
import { Parameters } from '#kernel/ical/ical-text.ts';

import { dayMs, dayNumber, hourMs, minuteMs, secondMs } from '#kernel/time/civil.ts';
import { localMsOf, parseBasic } from '#kernel/time/local.ts';
import { loadZone, utc, type Zone } from '#kernel/time/zones.ts';

/** A DATE or DATE-TIME as it stands in a property. Source: RFC 5545 3.3.4, 3.3.5. */
export interface DateValue {
  form: 'date' | 'floating' | 'zoned' | 'utc';
  /** Local ms of the wall clock; for `utc` the epoch ms. */
  ms: number;
  /** Set for `zoned`, and for `utc` where a TZID contradicts the Z: the zone of the rule, then. */
  zone: Zone | null;
}

/** Forms of ISO 8601 that some exporters write in spite of the RFC: `2027-03-08T09:00Z`, `20270308T090000+0100`. */
const loosePattern =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?(?:(Z)|([+-])(\d{2}):?(\d{2}))?)?$/;

/*
 * Bounds for reading, a little wider than those for computing and writing. A time at the bound therefore survives the
 * way into another zone and back.
 */
const earliestReadMs = dayNumber(2, 1, 1) * dayMs;
const latestReadMs = dayNumber(9999, 6, 1) * dayMs;
const earliestMs = dayNumber(3, 1, 1) * dayMs;
const latestMs = dayNumber(9999, 1, 1) * dayMs;

/** Brings a computed time between the bounds of what we write. */
export function clampMs(ms: number): number {
  return Math.min(Math.max(ms, earliestMs), latestMs);
}

/** Reads one DATE or DATE-TIME; null when it names no time of the years 0002 to 9999. */
export function readDateValue(text: string, zone: Zone | null, dateOnly: boolean): DateValue | null {
  const basic = parseBasic(text) ?? parseLoose(text.trim().toUpperCase());
  if (basic === null || basic.ms < earliestReadMs) return null;
  // The last year stands for "no end", and is moved to where arithmetic is safe.
  basic.ms = Math.min(basic.ms, latestReadMs);
  if (basic.form === 'date') return { form: 'date', ms: basic.ms, zone: null };
  // `VALUE=DATE` in front of a time: midnight is how some write a day, any other time is meant
  if (dateOnly && basic.ms % dayMs === 0) return { form: 'date', ms: basic.ms, zone: null };
  if (basic.form === 'utc') return { form: 'utc', ms: basic.ms, zone };
  return { form: zone === null ? 'floating' : 'zoned', ms: basic.ms, zone };
}

function parseLoose(text: string): ReturnType<typeof parseBasic> {
  const basic = parseBasic(text);
  if (basic !== null) return basic;
  const match = loosePattern.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, z, sign, offsetHours, offsetMinutes] = match;
  // 24:00 is the end of a day
  const isEnd = hour === '24' && Number(minute) === 0 && Number(second ?? 0) === 0;
  const startMs = localMsOf(
    Number(year),
    Number(month),
    Number(day),
    isEnd ? 0 : Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
  );
  if (startMs === null) return null;
  const ms = isEnd ? startMs + dayMs : startMs;
  if (hour === undefined) return { form: 'date', ms };
  if (sign === undefined) return { form: z === undefined ? 'local' : 'utc', ms };
  const offsetMs = Number(offsetHours) * hourMs + Number(offsetMinutes) * minuteMs;
  return { form: 'utc', ms: sign === '-' ? ms + offsetMs : ms - offsetMs };
}

/**
 * Also `P3600S`, without the T: the calendar provider of Android stores lengths like that, and its apps write them. Java and
 * .NET write the parts that are zero: `P0Y0M1DT0H0M0S`.
 */
const durationPattern =
  /^([+-]?)P(?:0+Y)?(?:0+M)?(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,10})S)?|(\d{1,10})S)?$/;

/** A DURATION value in its two parts; null when it is none. Source: RFC 5545 3.3.6. */
export function readDurationValue(text: string): { days: number; seconds: number } | null {
  const match = durationPattern.exec(text.trim().toUpperCase());
  if (match === null || /^[+-]?PT?$/.test(match[0])) return null;
  const part = (index: number): number => Number(match[index] ?? 0);
  const sign = match[1] === '-' ? -1 : 1;
  return {
    days: sign * (part(2) * 7 + part(3)),
    seconds: sign * (part(4) * 3_600 + part(5) * 60 + part(6) + part(7)),
  };
}

/** A century: what is longer (`P10000Y`, an end in 9999) stands for "no end". */
export const maxDurationSeconds = 100 * 366 * 86_400;

/** A length of `days` and `seconds`, both positive, as short as it can be said. */
export function nominalDuration(days: number, seconds: number): Duration {
  if (days * 86_400 + seconds > maxDurationSeconds) return { seconds: maxDurationSeconds };
  if (days === 0) return { seconds };
  return seconds === 0 ? { days } : { days, seconds };
}

/** Exact seconds between two moments, never negative and never beyond `maxDurationSeconds`. */
export function exactDuration(fromMs: number, toMs: number): { seconds: number } {
  const seconds = Math.floor((toMs - fromMs) / secondMs);
  return { seconds: Math.min(Math.max(seconds, 0), maxDurationSeconds) };
}

/** The same between two times of the wall clock, whose zone is known when they are read. */
export function wallDuration(fromMs: number, toMs: number): Duration {
  const { seconds } = exactDuration(fromMs, toMs);
  return seconds === 0 ? { seconds } : { wallSeconds: seconds };
}

/** The instant of a value; a floating one is read in the given zone, failing that as UTC. */
export function instantOf(value: DateValue, zone: Zone | null): number {
  if (value.form === 'utc') return value.ms;
  return (value.zone ?? zone ?? utc).toInstant(value.ms);
}

/** Returns the wall-clock time of a floating event: UTC times are converted to the calendar's zone if it is known. */
export function wallMsOf(value: DateValue, calendarZone: string | undefined): number {
  if (value.form !== 'utc') return value.ms;
  const zone = calendarZone === undefined ? null : loadZone(calendarZone);
  return zone === null ? value.ms : zone.toLocal(value.ms);
}

/**
 * Parameters and raw value of a property of dates: exporters that leave out the quotes of a parameter with a colon
 * (`DTSTART;TZID=GMT+05:30:20261208T090000`) mean the colon before the date.
 */
export function readDateProperty(line: ContentLine): Property {
  const read = readProperty(line);
  const { text, nameEnd } = line;
  const colon = text.lastIndexOf(':');
  if (read.parameters === null || dateStart.test(read.value) || !dateStart.test(text.slice(colon + 1))) return read;
  const parameters = new Parameters(read.parameters);
  for (const part of text.slice(nameEnd + 1, colon).split(';', icalLimits.parameters)) {
    const equals = part.indexOf('=');
    if (equals > 0)
      parameters.set(
        upperCase(part.slice(0, equals)),
        part.slice(equals + 1, equals + 1 + mostQuoted).replaceAll('"', ''),
      );
  }
  return { parameters, value: text.slice(colon + 1) };
}

/** Units of a parameter with quotes in it. */
const mostQuoted = 2 * icalLimits.parameterChars;

const dateStart = /^\s*(?:\d{8}|\d{4}-)/;
