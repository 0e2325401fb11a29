import { filterYearDays } from '#kernel/recurrence/day-tables.ts';
import { type Emission, emitTimes, type Walk } from '#kernel/recurrence/emission.ts';
import type { Rule } from '#kernel/recurrence/rule.ts';
import { filtersOf, yearKey } from '#kernel/recurrence/rule-tables.ts';
import { dayMs, packedDate, yearOfPacked, yearStart } from '#kernel/time/civil.ts';

/**
 * Shared parts of the calendar walks: the times of a period, BYSETPOS over days and times, the lookup of limited days.
 */
export abstract class CalendarWalk implements Walk {
  protected readonly rule: Rule;
  protected readonly times: number[];
  protected readonly floorMs: number;
  readonly #positions: number[];
  /** Limits that the period's own table does not hold. */
  readonly #filtered: boolean;
  readonly #withWeekdays: boolean;
  readonly #filters: Map<number, Uint8Array>;
  #filter: Uint8Array | undefined;
  #filterFrom = 0;
  #filterTo = 0;
  #days: number[] = [];

  constructor(rule: Rule, times: number[], positions: number[], floorMs: number, filtered: boolean, weekdays: boolean) {
    this.rule = rule;
    this.times = times;
    this.floorMs = floorMs;
    this.#positions = positions;
    this.#filtered = filtered;
    this.#withWeekdays = weekdays;
    this.#filters = filtersOf(rule);
  }

  abstract emit(fromMs: number, toMs: number, emission: Emission): void;

  nthByArithmetic(): null {
    return null;
  }

  protected passes(day: number): boolean {
    if (!this.#filtered) return true;
    if (this.#filter === undefined || day < this.#filterFrom || day >= this.#filterTo) this.#lookUp(day);
    return (this.#filter as Uint8Array)[day - this.#filterFrom] === 1;
  }

  /** The first day from this one on that passes, or at least no later than that: the first day of the next year. */
  protected nextPassing(day: number): number {
    if (this.passes(day)) return day;
    const offset = (this.#filter as Uint8Array).indexOf(1, day - this.#filterFrom);
    return offset < 0 ? this.#filterTo : this.#filterFrom + offset;
  }

  #lookUp(day: number): void {
    const year = yearOfPacked(packedDate(day));
    this.#filterFrom = yearStart(year);
    this.#filterTo = yearStart(year + 1);
    const key = yearKey(this.rule, year, this.#filterFrom);
    this.#filter = this.#filters.get(key);
    if (this.#filter === undefined) {
      this.#filter = filterYearDays(this.rule, year, this.#withWeekdays);
      this.#filters.set(key, this.#filter);
    }
  }

  /** Emits one period: the days at these offsets from `baseDay`, each with all times, thinned by BYSETPOS. */
  protected emitPeriod(
    baseDay: number,
    offsets: readonly number[],
    fromMs: number,
    toMs: number,
    emission: Emission,
  ): boolean {
    let days = offsets;
    if (this.#filtered) {
      this.#days.length = 0;
      for (const offset of offsets) if (this.passes(baseDay + offset)) this.#days.push(offset);
      days = this.#days;
    }
    if (this.#positions.length === 0) {
      for (const offset of days) {
        if (!emitTimes((baseDay + offset) * dayMs, this.times, fromMs, toMs, emission)) return false;
      }
      return true;
    }
    const size = this.times.length;
    const total = days.length * size;
    const indexes: number[] = [];
    for (const position of this.#positions) {
      const index = position > 0 ? position - 1 : total + position;
      if (index >= 0 && index < total) indexes.push(index);
    }
    indexes.sort((a, b) => a - b);
    for (const index of indexes) {
      const day = baseDay + (days[Math.floor(index / size)] as number);
      if (!emitTimes(day * dayMs, [this.times[index % size] as number], fromMs, toMs, emission)) return false;
    }
    return true;
  }
}
