import type * as z from 'zod/mini';
import type { When } from '#kernel/event.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { endOf, lengthOf } from '#kernel/time/duration.ts';
import { isNamedZone } from '#kernel/time/event-zone.ts';
import { parseLocal, printLocalDateTime } from '#kernel/time/local.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import type { whenShape } from '../contract.ts';
import { EditRefused } from './refusal.ts';
import { startOf, zoneOf } from './wall-time.ts';

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
    if (endMs <= startMs) throw new EditRefused('BAD_TIME', 'The event ends before it begins.');
    return { kind: 'all-day', start: input.start, end: input.end };
  }
  const zone = loadZone(input.zone);
  if (zone === null) throw new EditRefused('BAD_TIME', 'There is no such time zone.');
  const lengthMs = zone.toInstant(endMs) - zone.toInstant(startMs);
  if (lengthMs <= 0) throw new EditRefused('BAD_TIME', 'The event ends before it begins.');
  const start = printLocalDateTime(startMs);
  if (zone.id === floatingIn) return { kind: 'floating', start, duration: { seconds: (endMs - startMs) / 1_000 } };
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
  if (endMs <= startMs) throw new EditRefused('BAD_TIME', 'The event ends before it begins.');
  const own = loadZone(zoneId) ?? utc;
  const zone = own.toInstant(own.toLocal(startMs)) === startMs ? own : utc;
  const local = printLocalDateTime(zone.toLocal(startMs));
  return { kind: 'zoned', start: local, zone: zone.id, duration: { seconds: (endMs - startMs) / 1_000 } };
}

const secondsOf = (instant: Temporal.Instant | undefined) =>
  instant === undefined ? Number.NaN : Math.floor(instant.epochMilliseconds / 1_000) * 1_000;

function requirePossible(startMs: number, endMs: number): void {
  if (!(startMs >= firstMs && endMs < lastMs))
    throw new EditRefused('BAD_TIME', 'Only times from 1970 to 2100 are accepted.');
  if (!(endMs - startMs <= longestMs)) throw new EditRefused('BAD_TIME', 'An event lasts a year at most.');
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
