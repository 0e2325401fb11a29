import { dayMs } from '#kernel/time/civil.ts';
import type { Zone } from '#kernel/time/zones.ts';
import type { BookingFact } from './count-booking.ts';
import { tenth } from './figures.ts';
import { dateOf, dayOf, startOf } from './period.ts';

export interface Forecast {
  forecast: { date: string; expected_meetings: number; scheduled: number; ratio: number; busy: boolean }[] | null;
  busy_days: number;
}

export const forecastDays = 14;
export const forecastWeeks = 8;
const leastWeeks = 2;
const busyRatio = 0.8;
const leastBusy = 2;

/**
 * The forecast for each of the next 14 days, by pick-up: its meetings, and the mean of bookings that came later than as
 * many days before, over the last eight same weekdays. `facts`: bookings of these weeks; `meetings`: all that start in the
 * 14 days, booked here or not; `sinceMs`: when the first of all bookings was made, null: none was.
 */
export function forecastOf(
  facts: readonly BookingFact[],
  meetings: readonly { startMs: number }[],
  { zone, nowMs, sinceMs }: { zone: Zone; nowMs: number; sinceMs: number | null },
): Forecast {
  const today = dayOf(zone, nowMs);
  const timeOfDayMs = zone.toLocal(nowMs) - today * dayMs;
  const byDay = Map.groupBy(facts, ({ startMs }) => dayOf(zone, startMs));
  const meetingsByDay = Map.groupBy(meetings, ({ startMs }) => dayOf(zone, startMs));
  const final = (day: number) => (byDay.get(day) ?? []).filter(({ state }) => state === 'confirmed').length;
  const knownAt = (day: number, atMs: number) => (byDay.get(day) ?? []).filter((fact) => wasBooked(fact, atMs)).length;
  const sinceDay = sinceMs === null ? today : dayOf(zone, sinceMs);
  const isNew = today - sinceDay < leastWeeks * 7;
  const days = Array.from({ length: forecastDays }, (_, ahead) => {
    const day = today + ahead;
    const later: number[] = [];
    // the last of these weekdays that are over, and no day before there was anything to be booked
    for (let past = day - 7 * Math.ceil((ahead + 1) / 7); later.length < forecastWeeks && past >= sinceDay; past -= 7)
      later.push(final(past) - knownAt(past, zone.toInstant((past - ahead) * dayMs + timeOfDayMs)));
    const scheduled = meetingsByDay.get(day)?.length ?? 0;
    const mean = later.length === 0 ? 0 : later.reduce((sum, one) => sum + one, 0) / later.length;
    return { day, scheduled, expected: Math.max(0, tenth(scheduled + (mean * later.length) / forecastWeeks)) };
  });
  if (isNew && days.every(({ scheduled }) => scheduled === 0)) return { forecast: null, busy_days: 0 };
  const most = Math.max(...days.map(({ expected }) => expected));
  const forecast = days.map(({ day, scheduled, expected }) => ({
    date: dateOf(day),
    expected_meetings: expected,
    scheduled,
    ratio: most === 0 ? 0 : expected / most,
    busy: most >= leastBusy && expected >= busyRatio * most,
  }));
  return { forecast, busy_days: forecast.filter(({ busy }) => busy).length };
}

/** Confirmed by then, and not cancelled before. */
function wasBooked({ confirmedMs, endedMs }: BookingFact, atMs: number): boolean {
  return confirmedMs !== null && confirmedMs <= atMs && (endedMs === null || endedMs > atMs);
}

/** The bookings of the past that it is made of. */
export function forecastSpan(zone: Zone, nowMs: number) {
  const today = dayOf(zone, nowMs);
  return { startMs: startOf(zone, today - 7 * (forecastWeeks + 1)), endMs: startOf(zone, today) };
}

/** The meetings to come that it is made of. */
export function scheduledSpan(zone: Zone, nowMs: number) {
  const today = dayOf(zone, nowMs);
  return { startMs: startOf(zone, today), endMs: startOf(zone, today + forecastDays) };
}
