import type { RecId, Series, When } from '#kernel/event.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { usualMs } from '#kernel/time/duration.ts';
import { loadEventZone } from '#kernel/time/event-zone.ts';
import { parseLocal, printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
import { makeRecId, parseRecId } from '#kernel/time/rec-id.ts';
import { utc, type Zone } from '#kernel/time/zones.ts';

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

/** Where the rule of a series puts an instance: what an override of it differs from. */
export function slotOf(series: Series, recId: RecId): When | null {
  const localMs = localOfRecId(series.when, recId);
  if (localMs === null) return null;
  const slot = startingAt(series.when, localMs);
  if (slot.kind === 'all-day') return slot;
  const own = series.extraDates.find((date) => date.duration !== undefined && parseLocal(date.start) === localMs);
  return own?.duration === undefined ? slot : { ...slot, duration: own.duration };
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

export const isSameWhen = (one: When, other: When) => isSameStart(one, other) && lengthMsOf(one) === lengthMsOf(other);

/** A time with the length of another, where lengths of both are of one sort. */
export function withLength(when: When, other: When): When {
  if (when.kind === 'all-day') return other.kind === 'all-day' ? startingAt(other, startOf(when)) : when;
  return other.kind === 'all-day' ? when : { ...when, duration: other.duration };
}
