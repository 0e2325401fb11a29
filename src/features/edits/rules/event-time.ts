import type * as z from 'zod/mini';
import type { Duration, RecId, Series, When } from '#kernel/event.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { durationFrom, endOf, hasEnd, lengthOf, usualMs } from '#kernel/time/duration.ts';
import { isNamedZone, loadEventZone } from '#kernel/time/event-zone.ts';
import { parseLocal, printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
import { makeRecId, parseRecId } from '#kernel/time/rec-id.ts';
import { loadZone, utc, type Zone } from '#kernel/time/zones.ts';
import type { whenShape } from '../contract.ts';
import { EditRefused } from './refusal.ts';

export type WhenInput = z.output<typeof whenShape>;

const longestMs = 366 * dayMs;
const firstMs = parseLocal('1970-01-01') ?? 0;
const lastMs = parseLocal('2101-01-01') ?? 0;

/** Start and end of an input as local ms. */
export function localSpanOf(input: WhenInput): { startMs: number; endMs: number } {
  const full = (text: string) => parseLocal(input.kind === 'timed' ? `${text}:00` : text) ?? Number.NaN;
  return { startMs: full(input.start), endMs: full(input.end) };
}

/**
 * A person's input, in the model. A floating time stays floating in its calendar's zone. *Errors*:
 * EditRefused BAD_TIME.
 */
export function whenOf(input: WhenInput, floatingIn: string | null): When {
  const { startMs, endMs } = localSpanOf(input);
  requirePossible(startMs, endMs);
  if (input.kind === 'all-day') {
    if (endMs <= startMs) throw new EditRefused('BAD_TIME', 'The event must end after it begins.');
    return { kind: 'all-day', start: input.start, end: input.end };
  }
  const zone = loadZone(input.zone);
  if (zone === null) throw new EditRefused('BAD_TIME', 'Time zone not found.');
  const lengthMs = zone.toInstant(endMs) - zone.toInstant(startMs);
  if (lengthMs <= 0) throw new EditRefused('BAD_TIME', 'The event must end after it begins.');
  const start = printLocalDateTime(startMs);
  if (zone.id === floatingIn) return { kind: 'floating', start, duration: { wallSeconds: (endMs - startMs) / 1_000 } };
  return { kind: 'zoned', start, zone: zone.id, duration: { seconds: lengthMs / 1_000 } };
}

/**
 * An event between two instants, by the clock of its calendar. An instant that this clock cannot name, the second of two
 * equal hours, is kept in UTC. *Errors*: EditRefused BAD_TIME.
 */
export function whenBetween(
  start: Temporal.Instant | undefined,
  end: Temporal.Instant | undefined,
  zoneId: string,
): When {
  const [startMs, endMs] = [secondsOf(start), secondsOf(end)];
  requirePossible(startMs, endMs);
  if (endMs <= startMs) throw new EditRefused('BAD_TIME', 'The event must end after it begins.');
  const own = loadZone(zoneId) ?? utc;
  const zone = own.toInstant(own.toLocal(startMs)) === startMs ? own : utc;
  const local = printLocalDateTime(zone.toLocal(startMs));
  return { kind: 'zoned', start: local, zone: zone.id, duration: { seconds: (endMs - startMs) / 1_000 } };
}

const secondsOf = (instant: Temporal.Instant | undefined) =>
  instant === undefined ? Number.NaN : Math.floor(instant.epochMilliseconds / 1_000) * 1_000;

function requirePossible(startMs: number, endMs: number): void {
  if (!(startMs >= firstMs && endMs < lastMs)) throw new EditRefused('BAD_TIME', 'Enter a time between 1970 and 2100.');
  if (!(endMs - startMs <= longestMs)) throw new EditRefused('BAD_TIME', 'An event can last up to a year.');
}

/** A time in a zone of the event's own, which people have no name of, on the clock of its calendar. */
export function inNamedZone(when: When, calendarZone: string): When {
  if (when.kind !== 'zoned' || isNamedZone(when.zone)) return when;
  const zone = loadZone(calendarZone) ?? utc;
  const start = printLocalDateTime(zone.toLocal(zoneOf(when).toInstant(startOf(when))));
  return { ...when, start, zone: zone.id };
}

/** As the editor shows it, to the minute. */
export function inputOf(given: When, calendarZone: string): WhenInput {
  const when = inNamedZone(given, calendarZone);
  if (when.kind === 'all-day') return { kind: 'all-day', start: when.start, end: when.end };
  const zone = when.kind === 'zoned' ? zoneOf(when) : (loadZone(calendarZone) ?? utc);
  const startMs = startOf(when);
  const endMs = zone.toLocal(endOf(lengthOf(when.duration), zone.toInstant(startMs), startMs, zone));
  return { kind: 'timed', start: minutes(startMs), end: minutes(endMs), zone: zone.id };
}

const minutes = (localMs: number) => printLocalDateTime(localMs).slice(0, 16);

/** Parts of a time that differ from the shown one: an editor sends the whole time. */
export function touchedOf(shown: WhenInput, input: WhenInput): { start: boolean; length: boolean } {
  if (shown.kind !== input.kind) return { start: true, length: true };
  const sameZone = shown.kind !== 'timed' || input.kind !== 'timed' || sameZoneOf(shown.zone, input.zone);
  const before = localSpanOf(shown);
  const after = localSpanOf(input);
  const exact = (span: { startMs: number; endMs: number }, kind: WhenInput) => {
    const zone = kind.kind === 'timed' ? (loadZone(kind.zone) ?? utc) : utc;
    return zone.toInstant(span.endMs) - zone.toInstant(span.startMs);
  };
  return {
    start: !sameZone || before.startMs !== after.startMs,
    length:
      after.endMs - after.startMs !== before.endMs - before.startMs && exact(after, input) !== exact(before, shown),
  };
}

const sameZoneOf = (one: string, other: string) => (loadZone(one) ?? utc).id === (loadZone(other) ?? utc).id;

/** Starts of events as local ms (kernel/time/local.ts), and the names of instances as the wall clock has them. */

/** UTC where an event has no zone: local ms then pass through. */
export function zoneOf(when: When): Zone {
  return when.kind === 'zoned' ? (loadEventZone(when.zone) ?? utc) : utc;
}

/** *Errors*: RangeError where the start is no date or time, which breaks the model. */
export function startOf(when: When): number {
  const ms = parseLocal(when.start);
  if (ms === null) throw new RangeError(`"${when.start}" is no local date or time.`);
  return ms;
}

export const dayOf = (localMs: number) => Math.floor(localMs / dayMs) * dayMs;
export const timeOfDay = (localMs: number) => localMs - dayOf(localMs);

/** The ms by which instances of this kind are named: epoch ms where it is zoned, else local ms. */
export function frameMsOf(when: When, localMs: number): number {
  return when.kind === 'zoned' ? zoneOf(when).toInstant(localMs) : localMs;
}

export function recIdAt(when: When, localMs: number): RecId {
  return makeRecId(when.kind, frameMsOf(when, when.kind === 'all-day' ? dayOf(localMs) : localMs));
}

/**
 * When an instance begins on the wall clock of its series. On a day whose clocks jump over it, it begins later; it is
 * given as on every other day, so that what is derived from it does not keep the hour of that day.
 */
export function localOfRecId(when: When, recId: RecId): number | null {
  const time = parseRecId(recId);
  if (time === null) return null;
  if (when.kind === 'all-day') return dayOf(time.ms);
  if (time.form === 'date') return time.ms + timeOfDay(startOf(when));
  if (when.kind === 'floating' || time.form === 'local') return time.ms;
  const zone = zoneOf(when);
  const localMs = zone.toLocal(time.ms);
  const usual = dayOf(localMs) + timeOfDay(startOf(when));
  return zone.toInstant(usual) === time.ms ? usual : localMs;
}

/** The same length from another start; `localMs` of a whole day where it is all-day. */
export function startingAt(when: When, localMs: number): When {
  if (when.kind !== 'all-day') return { ...when, start: printLocalDateTime(localMs) };
  const start = dayOf(localMs);
  const lengthMs = (parseLocal(when.end) ?? start) - startOf(when);
  return { kind: 'all-day', start: printLocalDate(start), end: printLocalDate(start + lengthMs) };
}

/**
 * Where the rule of a series puts an instance: what an override of it differs from. In the zone in which a series floats, an
 * instance is as long as the first one.
 */
export function slotOf(series: Series, recId: RecId, floatingIn: string | null = null): When | null {
  const localMs = localOfRecId(series.when, recId);
  if (localMs === null) return null;
  const slot = startingAt(series.when, localMs);
  if (slot.kind === 'all-day') return slot;
  const own = series.extraDates.find((date) => date.duration !== undefined && parseLocal(date.start) === localMs);
  if (own?.duration !== undefined) return { ...slot, duration: own.duration };
  return withLength(slot, series.when, floatingIn);
}

/** An elapsed time from a floating start. An end on the wall clock says it where the clocks do not change in between. */
export function floatingLength(seconds: number, localMs: number, floatingIn: string): Duration {
  const wall = { wallSeconds: seconds };
  return durationFrom(wall, localMs, loadZone(floatingIn) ?? utc).seconds === seconds ? wall : { seconds };
}

/** Length as one number: elapsed ms, or days of the wall clock as if none were longer than another. */
export function lengthMsOf(when: When): number {
  if (when.kind === 'all-day') return (parseLocal(when.end) ?? 0) - startOf(when);
  return usualMs(when.duration);
}

/** Same kind, zone and start: instances of both go by the same names. */
export function isSameStart(one: When, other: When): boolean {
  if (one.kind !== other.kind || one.start !== other.start) return false;
  return one.kind !== 'zoned' || zoneOf(one).id === zoneOf(other).id;
}

/** Elapsed time and that of the wall clock differ where the clocks change. */
export function isSameLength(one: When, other: When): boolean {
  const areFloating = one.kind === 'floating' && other.kind === 'floating';
  if ((one.kind === 'all-day') !== (other.kind === 'all-day')) return false;
  return lengthMsOf(one) === lengthMsOf(other) && (!areFloating || hasEnd(one) === hasEnd(other));
}

export const isSameWhen = (one: When, other: When) => isSameStart(one, other) && isSameLength(one, other);

/** A time with the length of another, where both are of one sort. In the zone of floating times, the elapsed length. */
export function withLength(when: When, other: When, floatingIn: string | null = null): When {
  if (when.kind === 'all-day') return other.kind === 'all-day' ? startingAt(other, startOf(when)) : when;
  if (other.kind === 'all-day') return when;
  if (floatingIn === null || other.duration.wallSeconds === undefined) return { ...when, duration: other.duration };
  const { seconds = 0 } = durationFrom(other.duration, startOf(other), loadZone(floatingIn) ?? utc);
  return {
    ...when,
    duration: when.kind === 'floating' ? floatingLength(seconds, startOf(when), floatingIn) : { seconds },
  };
}
