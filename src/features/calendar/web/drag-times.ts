import { dayMs, hourMs, minuteMs } from '#kernel/time/civil.ts';
import { printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
import type { Zone } from '#kernel/time/zones.ts';
import { dayNumberOf, dayOfNumber, type EventTimes, wallSpan } from './wall-clock.ts';

/**
 * What a drag, a click or an arrow key makes of times. A person points at the clock on the wall; the instant is the one
 * that Temporal finds with `disambiguation: 'compatible'`, so 2:30 in a night that skips it becomes 3:30. An event that
 * is moved keeps its length in exact time.
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

/** The hour that a click on a cell asks for, `column` being a day. */
export function hourAt(zone: Zone, dayNumber: number, hour: number): NewRange {
  return drawnRange(zone, { dayNumber, minute: hour * 60 }, { dayNumber, minute: hour * 60 + 60 });
}

/** From where the pointer was pressed to where it is, whichever is first; whole quarters, at least one. */
export function drawnRange(zone: Zone, from: WallPoint, to: WallPoint): NewRange {
  const times = drawnTimes(zone, from, to);
  const startWallMs = zone.toLocal(times.startMs);
  const endWallMs = zone.toLocal(times.endMs);
  return {
    startWall: printMinute(startWallMs),
    // Across the hour that is there twice the clock may end where it began; the event ends that much later by it.
    endWall: printMinute(endWallMs > startWallMs ? endWallMs : startWallMs + times.endMs - times.startMs),
    allDay: false,
  };
}

/** The same as instants, for whoever draws or compares it. */
export function drawnTimes(zone: Zone, from: WallPoint, to: WallPoint): EventTimes {
  const [a, b] = [wallMsOf(from), wallMsOf(to)];
  const startWallMs = Math.floor(Math.min(a, b) / snapMs) * snapMs;
  const endWallMs = Math.max(startWallMs + snapMs, Math.ceil(Math.max(a, b) / snapMs) * snapMs);
  const startMs = zone.toInstant(startWallMs);
  const endMs = zone.toInstant(endWallMs);
  // Both ends in an hour that the clocks skip, or the first one only: it keeps the length that was drawn.
  return { startMs, endMs: endMs > startMs ? endMs : startMs + endWallMs - startWallMs, allDay: undefined };
}

/** Whole days from one to another, both included, whichever is first. */
export function drawnDays(from: number, to: number): NewRange {
  const [first, last] = [Math.min(from, to), Math.max(from, to)];
  return { startWall: printLocalDate(first * dayMs), endWall: printLocalDate((last + 1) * dayMs), allDay: true };
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
export function hourFrom(zone: Zone, { dayNumber, minute }: WallPoint): EventTimes {
  const startMs = zone.toInstant(dayNumber * dayMs + Math.floor(minute / snapMinutes) * snapMs);
  return { startMs, endMs: startMs + hourMs, allDay: undefined };
}

/** Dragged: a start within its day stays within one. */
export function movedBy(zone: Zone, times: EventTimes, { days, minutes }: WallShift): EventTimes {
  if (days === 0 && minutes === 0) return timesOf(times);
  if (times.allDay !== undefined) return daysBy(zone, times.allDay, days, days);
  const wallMs = zone.toLocal(times.startMs);
  const dayWallMs = Math.floor(wallMs / dayMs) * dayMs;
  const inDayMs = wallMs - dayWallMs;
  const shiftedMs = minutes === 0 ? inDayMs : Math.min(dayMs - snapMs, Math.max(0, shiftClock(inDayMs, minutes)));
  const startMs = zone.toInstant(dayWallMs + days * dayMs + shiftedMs);
  return { startMs, endMs: startMs + times.endMs - times.startMs, allDay: undefined };
}

/** The end dragged: never before a quarter after the start, or a day where whole days are meant. */
export function resizedBy(zone: Zone, times: EventTimes, { days, minutes }: WallShift): EventTimes {
  if (days === 0 && minutes === 0) return timesOf(times);
  if (times.allDay !== undefined) return daysBy(zone, times.allDay, 0, days);
  const endWallMs = shiftClock(wallSpan(zone, times).endWallMs + days * dayMs, minutes);
  return {
    startMs: times.startMs,
    endMs: Math.max(times.startMs + snapMs, zone.toInstant(endWallMs)),
    allDay: undefined,
  };
}

/**
 * One key press: a quarter earlier or later on the clock, over midnight too. An hour that the clocks skip or repeat is
 * stepped over until the time really passes, so that no press leads back.
 */
export function steppedBy(zone: Zone, times: EventTimes, direction: -1 | 1, end: 'both' | 'last'): EventTimes {
  if (times.allDay !== undefined) return timesOf(times);
  const beforeMs = end === 'both' ? times.startMs : times.endMs;
  let wallMs = zone.toLocal(beforeMs);
  let afterMs = beforeMs;
  do {
    wallMs = shiftClock(wallMs, direction * snapMinutes);
    afterMs = zone.toInstant(wallMs);
  } while ((afterMs - beforeMs) * direction <= 0);
  if (end === 'last') return { ...timesOf(times), endMs: Math.max(times.startMs + snapMs, afterMs) };
  return { startMs: afterMs, endMs: afterMs + times.endMs - times.startMs, allDay: undefined };
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

/** Only the times of what may be a whole event. */
function timesOf({ startMs, endMs, allDay }: EventTimes): EventTimes {
  return { startMs, endMs, allDay };
}

function wallMsOf({ dayNumber, minute }: WallPoint): number {
  return dayNumber * dayMs + minute * minuteMs;
}

function printMinute(wallMs: number): string {
  return printLocalDateTime(wallMs).slice(0, 16);
}
