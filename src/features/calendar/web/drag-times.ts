import { dayMs, hourMs, minuteMs } from '#kernel/time/civil.ts';
import { printLocalDateTime } from '#kernel/time/local.ts';
import type { Zone } from '#kernel/time/zones.ts';
import { dayNumberOf, dayOfNumber, type EventTimes, wallSpan } from './wall-clock.ts';

/**
 * Times that result from a drag, a click or an arrow key. Positions are wall-clock times. Temporal resolves them with
 * `disambiguation: 'compatible'`, so 2:30 in a night that skips it becomes 3:30. A moved event keeps its exact length.
 */

/** Times snap to quarters of an hour, and nothing gets shorter than one. */
export const snapMinutes = 15;
const snapMs = snapMinutes * minuteMs;

/** A new event as it was drawn: `2026-11-20T09:00`, or whole days `2026-11-20` with an exclusive end; the grid's zone. */
export interface NewRange {
  startWall: string;
  endWall: string;
  allDay: boolean;
}

/** A point of the wall: minutes may run on beyond their day. */
export interface WallPoint {
  dayNumber: number;
  minute: number;
}

/** How far something is dragged: whole days, and minutes of the clock. */
export interface WallShift {
  days: number;
  minutes: number;
}

/** A place of the grid: a point of its hours, or a day of the all-day row. */
export interface GridPlace extends WallPoint {
  inDays: boolean;
}

/** The part of the grid or event that a drag started on. */
export type Grab<Held extends EventTimes = EventTimes> =
  | { kind: 'create'; times?: undefined; from: GridPlace }
  | { kind: 'move' | 'resize'; times: Held; from: GridPlace };

/** The times that a grab has when it is let go of at a place. */
export function droppedTimes(zone: Zone, grab: Grab, to: GridPlace): EventTimes {
  const { from } = grab;
  if (grab.kind === 'create') {
    const [first, last] = [Math.min(from.dayNumber, to.dayNumber), Math.max(from.dayNumber, to.dayNumber)];
    return from.inDays ? daysTimes(zone, first, last + 1) : drawnTimes(zone, from, to);
  }
  const { times } = grab;
  const quarters = from.inDays ? 0 : Math.round((to.minute - from.minute) / snapMinutes);
  const shift = { days: to.dayNumber - from.dayNumber, minutes: quarters * snapMinutes };
  if (grab.kind === 'resize') return resizedBy(zone, times, shift);
  // Between the hours and the whole days: an hour from there on, or that day.
  if (times.allDay !== undefined && !to.inDays) return hourFrom(zone, to);
  if (!from.inDays && to.inDays) return daysTimes(zone, to.dayNumber, to.dayNumber + 1);
  return movedBy(zone, times, shift);
}

/** Times as a new event has them on the clock. */
export function rangeOf(zone: Zone, { startMs, endMs, allDay }: EventTimes): NewRange {
  if (allDay !== undefined) return { startWall: allDay.firstDay, endWall: allDay.endDay, allDay: true };
  const startWallMs = zone.toLocal(startMs);
  const endWallMs = zone.toLocal(endMs);
  return {
    startWall: printMinute(startWallMs),
    // Across the hour that is there twice the clock may end where it began; the event ends that much later by it.
    endWall: printMinute(endWallMs > startWallMs ? endWallMs : startWallMs + endMs - startMs),
    allDay: false,
  };
}

/** Whole days as a new event has them, both included. */
export function drawnDays(first: number, last: number): NewRange {
  return { startWall: dayOfNumber(first), endWall: dayOfNumber(last + 1), allDay: true };
}

/** From where the pointer was pressed to where it is, whichever is first; whole quarters, at least one. */
function drawnTimes(zone: Zone, from: WallPoint, to: WallPoint): EventTimes {
  const [a, b] = [wallMsOf(from), wallMsOf(to)];
  const startWallMs = Math.floor(Math.min(a, b) / snapMs) * snapMs;
  const endWallMs = Math.max(startWallMs + snapMs, Math.ceil(Math.max(a, b) / snapMs) * snapMs);
  const startMs = zone.toInstant(startWallMs);
  const endMs = zone.toInstant(endWallMs);
  // Both ends in an hour that the clocks skip, or the first one only: it keeps the length that was drawn.
  return { startMs, endMs: endMs > startMs ? endMs : startMs + endWallMs - startWallMs, allDay: undefined };
}

/** Whole days as an event has them. */
export function daysTimes(zone: Zone, firstDay: number, endDay: number): EventTimes {
  return {
    startMs: zone.toInstant(firstDay * dayMs),
    endMs: zone.toInstant(endDay * dayMs),
    allDay: { firstDay: dayOfNumber(firstDay), endDay: dayOfNumber(endDay) },
  };
}

/** A whole-day event that is dropped on the hours: one hour from that quarter on. */
function hourFrom(zone: Zone, { dayNumber, minute }: WallPoint): EventTimes {
  const startMs = zone.toInstant(dayNumber * dayMs + Math.floor(minute / snapMinutes) * snapMs);
  return { startMs, endMs: startMs + hourMs, allDay: undefined };
}

/** Dragged: a start within its day stays within one. */
export function movedBy(zone: Zone, times: EventTimes, { days, minutes }: WallShift): EventTimes {
  if (days === 0 && minutes === 0) return times;
  if (times.allDay !== undefined) return daysBy(zone, times.allDay, days, days);
  const wallMs = zone.toLocal(times.startMs);
  const dayWallMs = Math.floor(wallMs / dayMs) * dayMs;
  const inDayMs = wallMs - dayWallMs;
  const shiftedMs = minutes === 0 ? inDayMs : Math.min(dayMs - snapMs, Math.max(0, shiftClock(inDayMs, minutes)));
  return startingAt(times, zone.toInstant(dayWallMs + days * dayMs + shiftedMs));
}

/** The end dragged: never before a quarter after the start, or a day where whole days are meant. */
export function resizedBy(zone: Zone, times: EventTimes, { days, minutes }: WallShift): EventTimes {
  if (days === 0 && minutes === 0) return times;
  if (times.allDay !== undefined) return daysBy(zone, times.allDay, 0, days);
  const endWallMs = shiftClock(wallSpan(zone, times).endWallMs + days * dayMs, minutes);
  return endingAt(times, zone.toInstant(endWallMs));
}

/**
 * One key press on an event that has hours: a quarter earlier or later on the clock, over midnight too. An hour that the clocks skip or repeat is
 * stepped over until the time really passes, so that no press leads back.
 */
export function steppedBy(zone: Zone, times: EventTimes, direction: -1 | 1, kind: 'move' | 'resize'): EventTimes {
  const beforeMs = kind === 'move' ? times.startMs : times.endMs;
  let wallMs = zone.toLocal(beforeMs);
  let afterMs = beforeMs;
  do {
    wallMs = shiftClock(wallMs, direction * snapMinutes);
    afterMs = zone.toInstant(wallMs);
  } while ((afterMs - beforeMs) * direction <= 0);
  if (kind === 'resize') return endingAt(times, afterMs);
  return startingAt(times, afterMs);
}

export function sameTimes(a: EventTimes, b: EventTimes): boolean {
  return keyOf(a) === keyOf(b);
}

/** Whole days are what they are in any zone. */
function keyOf({ startMs, endMs, allDay }: EventTimes): string {
  return allDay === undefined ? `${startMs} ${endMs}` : `${allDay.firstDay} ${allDay.endDay}`;
}

/** To a quarter of the clock, the first or the last one on the way there; no way at all keeps odd minutes. */
function shiftClock(wallMs: number, minutes: number): number {
  if (minutes === 0) return wallMs;
  const to = (wallMs + minutes * minuteMs) / snapMs;
  return (minutes > 0 ? Math.floor(to) : Math.ceil(to)) * snapMs;
}

function daysBy(zone: Zone, allDay: NonNullable<EventTimes['allDay']>, first: number, end: number): EventTimes {
  const firstDay = dayNumberOf(allDay.firstDay) + first;
  return daysTimes(zone, firstDay, Math.max(firstDay + 1, dayNumberOf(allDay.endDay) + end));
}

function startingAt({ startMs, endMs }: EventTimes, atMs: number): EventTimes {
  return { startMs: atMs, endMs: atMs + endMs - startMs, allDay: undefined };
}

function endingAt({ startMs }: EventTimes, atMs: number): EventTimes {
  return { startMs, endMs: Math.max(startMs + snapMs, atMs), allDay: undefined };
}

function wallMsOf({ dayNumber, minute }: WallPoint): number {
  return dayNumber * dayMs + minute * minuteMs;
}

function printMinute(wallMs: number): string {
  return printLocalDateTime(wallMs).slice(0, 16);
}
