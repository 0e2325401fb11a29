import { CalendarWalk } from '#kernel/recurrence/calendar-walk.ts';
import { type Emission, endOfTimeMs, spend, type Walk } from '#kernel/recurrence/emission.ts';
import type { Rule } from '#kernel/recurrence/rule.ts';
import { isImpossible } from '#kernel/recurrence/rule-tables.ts';
import { pickPositions, timesOfDay } from '#kernel/recurrence/times-of-day.ts';
import { UniformWalk } from '#kernel/recurrence/uniform-walk.ts';
import { dayMs, weekdayOf } from '#kernel/time/civil.ts';

class WeekWalk extends CalendarWalk {
  readonly #firstDay: number;
  readonly #offsets: number[];

  constructor(rule: Rule, times: number[], firstDay: number, offsets: number[], floorMs: number, filtered: boolean) {
    super(rule, times, rule.bySetPos, floorMs, filtered, false);
    this.#firstDay = firstDay;
    this.#offsets = offsets;
  }

  emit(windowFromMs: number, windowToMs: number, emission: Emission): void {
    if (isImpossible(this.rule)) return;
    const fromMs = Math.max(windowFromMs, this.floorMs);
    const toMs = Math.min(windowToMs, endOfTimeMs);
    const step = 7 * this.rule.interval;
    // Two days back: a time of 24:00 belongs to the day before.
    const first = Math.max(0, Math.floor((Math.floor(fromMs / dayMs) - 2 - this.#firstDay) / step));
    for (let day = this.#firstDay + first * step; day * dayMs < toMs; day += step) {
      if (!spend(emission) || !this.emitPeriod(day, this.#offsets, fromMs, toMs, emission)) return;
    }
  }
}

export function weeklyWalk(rule: Rule, startMs: number, startDay: number, floorMs: number): Walk {
  const firstDay = startDay - ((weekdayOf(startDay) - rule.weekStart + 7) % 7);
  const filtered =
    rule.byMonth.length > 0 || rule.byMonthDay.length > 0 || rule.byYearDay.length > 0 || rule.byWeekNo.length > 0;
  let weekdays = [...new Set(rule.byDay.map((day) => day.weekday))];
  if (weekdays.length === 0) {
    const days = rule.byMonthDay.length > 0 || rule.byYearDay.length > 0;
    weekdays = days ? [0, 1, 2, 3, 4, 5, 6] : [weekdayOf(startDay)];
  }
  const offsets = weekdays.map((weekday) => (weekday - rule.weekStart + 7) % 7).sort((a, b) => a - b);
  const times = timesOfDay(rule, startMs);
  if (filtered) return new WeekWalk(rule, times, firstDay, offsets, floorMs, true);
  if (times.length * offsets.length > 1_000) return new WeekWalk(rule, times, firstDay, offsets, floorMs, false);
  const all = pickPositions(
    offsets.flatMap((offset) => times.map((time) => offset * dayMs + time)),
    rule.bySetPos,
  );
  return new UniformWalk(firstDay * dayMs, 7 * rule.interval * dayMs, all, floorMs);
}
