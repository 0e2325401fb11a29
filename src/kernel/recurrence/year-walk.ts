import { CalendarWalk } from '#kernel/recurrence/calendar-walk.ts';
import { anchorOf, isWeekWithoutDay, pickYearDays, yearOfWeek } from '#kernel/recurrence/day-tables.ts';
import { type Emission, endOfTimeMs, spend } from '#kernel/recurrence/emission.ts';
import type { Rule } from '#kernel/recurrence/rule.ts';
import { isImpossible, tableOf, yearKey } from '#kernel/recurrence/rule-tables.ts';
import { pickPositions, timesOfDay } from '#kernel/recurrence/times-of-day.ts';
import { dayMs, packedDate, yearOfPacked, yearStart } from '#kernel/time/civil.ts';

export class YearWalk extends CalendarWalk {
  readonly #firstYear: number;
  readonly #startDay: number;
  readonly #folded: boolean;
  readonly #table: (readonly number[] | undefined)[];

  constructor(rule: Rule, startMs: number, startDay: number, floorMs: number) {
    const times = timesOfDay(rule, startMs);
    const folded = times.length === 1;
    super(rule, times, folded ? [] : rule.bySetPos, floorMs, false, false);
    this.#firstYear =
      rule.byWeekNo.length > 0 ? yearOfWeek(startDay, rule.weekStart) : yearOfPacked(packedDate(startDay));
    this.#startDay = startDay;
    this.#folded = folded;
    const anchor = anchorOf(startDay);
    const key = (anchor.month * 32 + anchor.monthDay) * 8 + (isWeekWithoutDay(rule) ? anchor.weekday : 0);
    this.#table = tableOf(rule, key * 2 + (folded ? 1 : 0));
  }

  emit(windowFromMs: number, windowToMs: number, emission: Emission): void {
    if (isImpossible(this.rule)) return;
    const fromMs = Math.max(windowFromMs, this.floorMs);
    const toMs = Math.min(windowToMs, endOfTimeMs);
    const interval = this.rule.interval;
    // Days may lie outside of their year: two that SKIP moved, four of a week that ends in January.
    const fromYear = yearOfPacked(packedDate(Math.floor(fromMs / dayMs) - 4));
    const first = Math.max(0, Math.ceil((fromYear - this.#firstYear) / interval));
    for (let year = this.#firstYear + first * interval; ; year += interval) {
      const day = yearStart(year);
      if ((day - 4) * dayMs >= toMs) return;
      if (!spend(emission)) return;
      if (!this.emitPeriod(day, this.#daysOf(year, day), fromMs, toMs, emission)) return;
    }
  }

  #daysOf(year: number, firstDay: number): readonly number[] {
    const key = yearKey(this.rule, year, firstDay);
    const known = this.#table[key];
    if (known !== undefined) return known;
    const days = pickYearDays(this.rule, anchorOf(this.#startDay), year);
    const picked = this.#folded ? pickPositions(days, this.rule.bySetPos) : days;
    this.#table[key] = picked;
    return picked;
  }
}
