import { dayMs } from '#kernel/time/civil.ts';
import { type DaySums, sumOf } from './day-sums.ts';
import type { Granularity, TrendSeries } from './measures.ts';
import { bucketsOf, dateOf, dayOf, granularityOf, type Period } from './period.ts';

/** Figures that are made of sums by day. */

export interface Point {
  x: string;
  y: number | null;
}

export interface Trends {
  series: Record<TrendSeries, Point[]>;
  granularity: Granularity;
  total_events: number;
  previous_total_events: number;
  delta_pct: number | null;
}

/** To one digit; -0 is 0. */
export const tenth = (value: number) => Math.round(value * 10) / 10 + 0;

/** 100 (v - p) / p; null where there was nothing before. */
export const growth = (value: number, previous: number) =>
  previous === 0 ? null : tenth((100 * (value - previous)) / previous);

export const percent = (numerator: number, denominator: number) =>
  denominator === 0 ? null : tenth((100 * numerator) / denominator);

export const difference = (value: number | null, previous: number | null) =>
  value === null || previous === null ? null : tenth(value - previous);

export function trendsOf(sums: DaySums, period: Period, nowMs: number): Trends {
  const granularity = granularityOf(period);
  const starts = bucketsOf(period, granularity);
  const today = dayOf(period.zone, nowMs);
  const buckets = starts.map((firstDay, n) => ({
    x: dateOf(firstDay),
    // future days are unknown
    isKnown: firstDay <= today,
    sum: sumOf(sums, { firstDay, endDay: starts[n + 1] ?? period.endDay }),
  }));
  const line = (read: (sum: (typeof buckets)[number]['sum']) => number | null) =>
    buckets.map(({ x, isKnown, sum }) => ({ x, y: isKnown ? read(sum) : null }));
  const value = sumOf(sums, period).created;
  const previous = sumOf(sums, period.previous).created;
  return {
    series: {
      bookings_created: line(({ created }) => created),
      meetings_held: line(({ standing }) => standing),
      cancellations: line(({ cancelled }) => cancelled),
      no_shows: line(({ noShows }) => noShows),
      avg_lead_time_days: line(({ created, leadMs }) => (created === 0 ? null : tenth(leadMs / created / dayMs))),
    },
    granularity,
    total_events: value,
    previous_total_events: previous,
    delta_pct: growth(value, previous),
  };
}

/** `upcoming`: of the bookings that `value` counts, those that are confirmed and not over. */
export function totalOf(sums: DaySums, period: Period, upcoming: number) {
  const now = sumOf(sums, period);
  const previous = sumOf(sums, period.previous).created;
  return { value: now.created, delta_pct: growth(now.created, previous), previous, held: now.standing, upcoming };
}

export function noShowOf(sums: DaySums, period: Period) {
  const [now, before] = [sumOf(sums, period), sumOf(sums, period.previous)];
  return { ...rateOf([now.noShows, now.due], [before.noShows, before.due]), host_no_shows: now.hostNoShows };
}

export function bookingTimeOf(sums: DaySums, period: Period) {
  const [now, before] = [sumOf(sums, period), sumOf(sums, period.previous)];
  const mean = ({ kept, keptLeadMs }: typeof now) => (kept === 0 ? null : tenth(keptLeadMs / kept / dayMs));
  return {
    value_days: mean(now),
    previous_days: mean(before),
    delta_days: difference(mean(now), mean(before)),
    bookings: now.kept,
  };
}

export function rateOf([numerator, denominator]: [number, number], [num, den]: [number, number]) {
  const value = percent(numerator, denominator);
  const previous = percent(num, den);
  return {
    value_pct: value,
    numerator,
    denominator,
    previous_pct: previous,
    delta_pct: difference(value, previous),
  };
}
