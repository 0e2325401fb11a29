import { CalendarWalk } from '#kernel/recurrence/calendar-walk.ts';
import { anchorOf, isWeekWithoutDay, pickMonthDays } from '#kernel/recurrence/day-tables.ts';
import { type Emission, endOfTimeMs, spend } from '#kernel/recurrence/emission.ts';
import type { Rule } from '#kernel/recurrence/rule.ts';
import { isImpossible, tableOf } from '#kernel/recurrence/rule-tables.ts';
import { pickPositions, timesOfDay } from '#kernel/recurrence/times-of-day.ts';
import {
  dayMs,
  dayNumber,
  dayOfPacked,
  daysInMonth,
  monthOfPacked,
  packedDate,
  weekdayOf,
  yearOfPacked,
} from '#kernel/time/civil.ts';

const monthBits = (months: number[]): number => months.reduce((bits, month) => bits | (1 << month), 0);

export class MonthWalk extends CalendarWalk {
  readonly #firstMonth: number;
  readonly #startDay: number;
  readonly #months: number;
  readonly #folded: boolean;
  readonly #table: (readonly number[] | undefined)[];

  constructor(rule: Rule, startMs: number, startDay: number, floorMs: number) {
    const filtered = rule.byYearDay.length > 0 || rule.byWeekNo.length > 0;
    const times = timesOfDay(rule, startMs);
    const folded = times.length === 1 && !filtered;
    super(rule, times, folded ? [] : rule.bySetPos, floorMs, filtered, false);
    const packed = packedDate(startDay);
    this.#firstMonth = yearOfPacked(packed) * 12 + monthOfPacked(packed) - 1;
    this.#startDay = startDay;
    this.#months = monthBits(rule.byMonth);
    this.#folded = folded;
    const own = rule.byMonthDay.length > 0 || rule.byDay.length > 0;
    const anchor = own ? 0 : isWeekWithoutDay(rule) ? 32 + weekdayOf(startDay) : dayOfPacked(packed);
    this.#table = tableOf(rule, anchor * 2 + (folded ? 1 : 0));
  }

  emit(windowFromMs: number, windowToMs: number, emission: Emission): void {
    if (isImpossible(this.rule)) return;
    const fromMs = Math.max(windowFromMs, this.floorMs);
    const toMs = Math.min(windowToMs, endOfTimeMs);
    const interval = this.rule.interval;
    // Two days back: SKIP=FORWARD and a time of 24:00 reach into the next month.
    const packed = packedDate(Math.floor(fromMs / dayMs) - 2);
    const fromMonth = yearOfPacked(packed) * 12 + monthOfPacked(packed) - 1;
    const first = Math.max(0, Math.ceil((fromMonth - this.#firstMonth) / interval));
    for (let month = this.#firstMonth + first * interval; ; month += interval) {
      const year = Math.floor(month / 12);
      const monthOfYear = month - year * 12 + 1;
      const day = dayNumber(year, monthOfYear, 1);
      // SKIP=BACKWARD reaches one day back.
      if ((day - 1) * dayMs >= toMs) return;
      if (!spend(emission)) return;
      if (this.#months !== 0 && (this.#months & (1 << monthOfYear)) === 0) continue;
      const offsets = this.#daysOf(daysInMonth(year, monthOfYear), weekdayOf(day));
      if (!this.emitPeriod(day, offsets, fromMs, toMs, emission)) return;
    }
  }

  #daysOf(length: number, firstWeekday: number): readonly number[] {
    const key = (length - 28) * 7 + firstWeekday;
    const known = this.#table[key];
    if (known !== undefined) return known;
    const days = pickMonthDays(this.rule, anchorOf(this.#startDay), length, firstWeekday);
    const picked = this.#folded ? pickPositions(days, this.rule.bySetPos) : days;
    this.#table[key] = picked;
    return picked;
  }
}
