import { dayMs } from '#kernel/time/civil.ts';
import { parseLocalDate, printLocalDate } from '#kernel/time/local.ts';
import type { Zone } from '#kernel/time/zones.ts';
import type { WallSpan } from './split-event.ts';

/** An event's times: instants, or whole dates where it is all-day. */
export interface EventTimes {
  startMs: number;
  endMs: number;
  allDay: { firstDay: string; endDay: string } | undefined;
}

/**
 * Where an event stands on the wall of a zone. A day of 23 or 25 hours is drawn on 24 rows: an hour that the clocks
 * skip stays empty, one that they repeat is drawn once. An event that ends at an earlier wall time than it began,
 * because the clocks went back during it, keeps its true length.
 */
export function wallSpan(zone: Zone, event: EventTimes): WallSpan {
  if (event.allDay !== undefined) {
    const { firstDay, endDay } = event.allDay;
    return { startWallMs: dayNumberOf(firstDay) * dayMs, endWallMs: dayNumberOf(endDay) * dayMs, allDay: true };
  }
  const startWallMs = zone.toLocal(event.startMs);
  const endWallMs = zone.toLocal(event.endMs);
  const wentBack = endWallMs <= startWallMs;
  return {
    startWallMs,
    endWallMs: wentBack ? startWallMs + Math.max(0, event.endMs - event.startMs) : endWallMs,
    allDay: false,
  };
}

/** The wall's day number and minute at an instant. */
export function wallTime(zone: Zone, instantMs: number): { dayNumber: number; minute: number } {
  const wallMs = zone.toLocal(instantMs);
  const dayNumber = Math.floor(wallMs / dayMs);
  return { dayNumber, minute: Math.floor((wallMs - dayNumber * dayMs) / 60_000) };
}

/** `2027-03-08` as days since 1970-01-01; a text that is no date is a bug of whoever gave it. */
export function dayNumberOf(day: string): number {
  const localMs = parseLocalDate(day);
  if (localMs === null) throw new RangeError(`Not a date: ${day}`);
  return localMs / dayMs;
}

/** Days since 1970-01-01 as `2027-03-08`. */
export function dayOfNumber(dayNumber: number): string {
  return printLocalDate(dayNumber * dayMs);
}
