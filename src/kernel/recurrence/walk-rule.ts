import {
  anchorOf,
  filterYearDays,
  isWeekWithoutDay,
  pickMonthDays,
  pickYearDays,
} from '#kernel/recurrence/day-tables.ts';
import type { Rule } from '#kernel/recurrence/rule.ts';
import {
  dayMs,
  dayNumber,
  dayOfPacked,
  daysInMonth,
  isLeapYear,
  monthOfPacked,
  packedDate,
  secondMs,
  weekdayOf,
  yearOfPacked,
  yearStart,
} from '#kernel/time/civil.ts';
import { maxLocalMs } from '#kernel/time/local.ts';

/**
 * The instances of one rule on the wall clock (local ms), from any moment on: nothing is walked from DTSTART.
 *
 * Three shapes cover every rule. *Uniform*: each period looks like the last (DAILY and WEEKLY without limits, and
 * sub-daily rules whose interval divides the day: those are DAILY with a list of times). *Calendar*: days looked up
 * per month, year, week or day, times the times of day. *Steps*: sub-daily rules whose interval does not divide the
 * day, which go from step to step but jump over the days that do not count.
 */

/** Collects instances, and stops the walk when it would take too long. */
export interface Emission {
  /** Local ms, ascending unless `unordered`. */
  list: number[];
  maxInstances: number;
  steps: number;
  maxSteps: number;
  /** The walk ended early: there may be more. */
  cut: boolean;
  unordered: boolean;
}

export function newEmission(maxInstances: number, maxSteps: number): Emission {
  return { list: [], maxInstances, steps: 0, maxSteps, cut: false, unordered: false };
}

export interface Walk {
  /** Appends every instance with fromMs <= local ms < toMs. */
  emit(fromMs: number, toMs: number, emission: Emission): void;
  /**
   * The n-th instance by arithmetic alone, where all periods are alike; else null. Counts from 1; Infinity when the
   * calendar ends before it.
   */
  nthByArithmetic(nth: number): number | null;
}

/** Leaves out everything before `floorMs`; `startMs` (DTSTART) gives the phase and what the rule does not say. */
export function walkRule(rule: Rule, startMs: number, floorMs: number): Walk {
  const startDay = Math.floor(startMs / dayMs);
  switch (rule.freq) {
    case 'SECONDLY':
      return subDailyWalk(rule, startMs, floorMs, 1);
    case 'MINUTELY':
      return subDailyWalk(rule, startMs, floorMs, 60);
    case 'HOURLY':
      return subDailyWalk(rule, startMs, floorMs, 3600);
    case 'DAILY': {
      const times = pickPositions(timesOfDay(rule, startMs), rule.bySetPos);
      if (!limitsDays(rule)) return new UniformWalk(startDay * dayMs, rule.interval * dayMs, times, floorMs);
      return new DayWalk(rule, startDay, rule.interval, times, floorMs);
    }
    case 'WEEKLY':
      return weeklyWalk(rule, startMs, startDay, floorMs);
    case 'MONTHLY':
      return new MonthWalk(rule, startMs, startDay, floorMs);
    case 'YEARLY':
      return new YearWalk(rule, startMs, startDay, floorMs);
  }
}

function limitsDays(rule: Rule): boolean {
  return (
    rule.byMonth.length > 0 ||
    rule.byMonthDay.length > 0 ||
    rule.byYearDay.length > 0 ||
    rule.byWeekNo.length > 0 ||
    rule.byDay.length > 0
  );
}

/** Times of day in ms, ascending. A 60th second is the next second, so 86,400,000 is possible. */
function timesOfDay(rule: Rule, startMs: number): number[] {
  const second = Math.floor(startMs / secondMs) - Math.floor(startMs / dayMs) * 86_400;
  const hours = rule.byHour.length > 0 ? rule.byHour : [Math.floor(second / 3600)];
  const minutes = rule.byMinute.length > 0 ? rule.byMinute : [Math.floor(second / 60) % 60];
  const seconds = rule.bySecond.length > 0 ? rule.bySecond : [second % 60];
  const times: number[] = [];
  let last = -1;
  for (const h of hours) {
    for (const m of minutes) {
      for (const s of seconds) {
        const time = (h * 3600 + m * 60 + s) * secondMs;
        // 09:00:60 and 09:01:00 are one time.
        if (time !== last) times.push(time);
        last = time;
      }
    }
  }
  return times;
}

/** BYSETPOS on a list that is the whole period. */
function pickPositions<T>(list: T[], positions: number[]): T[] {
  if (positions.length === 0) return list;
  const picked = new Set<number>();
  for (const position of positions) {
    const index = position > 0 ? position - 1 : list.length + position;
    if (index >= 0 && index < list.length) picked.add(index);
  }
  return list.filter((_, index) => picked.has(index));
}

function firstNotBefore(sorted: number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Appends `baseMs + each of times` within the window; false when the walk is over. */
function emitTimes(baseMs: number, times: number[], fromMs: number, toMs: number, emission: Emission): boolean {
  const list = emission.list;
  for (
    let i = baseMs + (times[0] ?? 0) >= fromMs ? 0 : firstNotBefore(times, fromMs - baseMs);
    i < times.length;
    i += 1
  ) {
    const atMs = baseMs + (times[i] as number);
    if (atMs >= toMs) return true;
    const last = list[list.length - 1];
    if (last !== undefined && atMs <= last) {
      if (atMs === last) continue;
      emission.unordered = true;
    }
    if (list.length >= emission.maxInstances || ++emission.steps > emission.maxSteps) {
      emission.cut = true;
      return false;
    }
    list.push(atMs);
  }
  return true;
}

function spend(emission: Emission): boolean {
  emission.steps += 1;
  if (emission.steps <= emission.maxSteps) return true;
  emission.cut = true;
  return false;
}

const beyondMs = maxLocalMs + secondMs;

class UniformWalk implements Walk {
  readonly #baseMs: number;
  readonly #periodMs: number;
  readonly #times: number[];
  readonly #floorMs: number;

  constructor(baseMs: number, periodMs: number, times: number[], floorMs: number) {
    this.#baseMs = baseMs;
    this.#periodMs = periodMs;
    this.#times = times;
    this.#floorMs = floorMs;
  }

  emit(windowFromMs: number, windowToMs: number, emission: Emission): void {
    const times = this.#times;
    const last = times[times.length - 1];
    if (last === undefined) return;
    const fromMs = Math.max(windowFromMs, this.#floorMs);
    const toMs = Math.min(windowToMs, beyondMs);
    const first = Math.max(0, Math.ceil((fromMs - this.#baseMs - last) / this.#periodMs));
    const list = emission.list;
    if (times.length === 1) {
      for (let atMs = this.#baseMs + first * this.#periodMs + last; atMs < toMs; atMs += this.#periodMs) {
        if (list.length >= emission.maxInstances || ++emission.steps > emission.maxSteps) {
          emission.cut = true;
          return;
        }
        list.push(atMs);
      }
      return;
    }
    const firstTime = times[0] as number;
    // A 60th second may reach into the next period.
    const apart = last - firstTime < this.#periodMs;
    for (let baseMs = this.#baseMs + first * this.#periodMs; baseMs < toMs; baseMs += this.#periodMs) {
      const inside = apart && baseMs + firstTime >= fromMs && baseMs + last < toMs;
      if (
        inside &&
        list.length + times.length <= emission.maxInstances &&
        emission.steps + times.length <= emission.maxSteps
      ) {
        for (let i = 0; i < times.length; i += 1) list.push(baseMs + (times[i] as number));
        emission.steps += times.length;
      } else if (!emitTimes(baseMs, times, fromMs, toMs, emission)) return;
    }
  }

  nthByArithmetic(nth: number): number | null {
    const size = this.#times.length;
    if (size === 0) return null;
    const skipped = firstNotBefore(this.#times, this.#floorMs - this.#baseMs);
    const index = nth - 1 + skipped;
    const atMs = this.#baseMs + Math.floor(index / size) * this.#periodMs + (this.#times[index % size] as number);
    return atMs < beyondMs ? atMs : Number.POSITIVE_INFINITY;
  }
}

/** Years with one key have the same days; with week numbers those of the neighbours count too, so it repeats in 400. */
function yearKey(rule: Rule, year: number, firstDay: number): number {
  if (rule.byWeekNo.length > 0) return 14 + (((year % 400) + 400) % 400);
  return weekdayOf(firstDay) * 2 + (isLeapYear(year) ? 1 : 0);
}

/** What the calendar walks share: the times of a period, BYSETPOS over days and times, the look-up of limited days. */
abstract class CalendarWalk implements Walk {
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

/** DAILY with limits; also sub-daily rules with limits whose interval divides the day. */
class DayWalk extends CalendarWalk {
  readonly #startDay: number;
  readonly #interval: number;

  constructor(rule: Rule, startDay: number, interval: number, times: number[], floorMs: number) {
    super(rule, times, [], floorMs, true, true);
    this.#startDay = startDay;
    this.#interval = interval;
  }

  emit(windowFromMs: number, windowToMs: number, emission: Emission): void {
    const last = this.times[this.times.length - 1];
    if (last === undefined || isImpossible(this.rule)) return;
    const fromMs = Math.max(windowFromMs, this.floorMs);
    const toMs = Math.min(windowToMs, beyondMs);
    const first = Math.max(0, Math.ceil(((fromMs - last) / dayMs - this.#startDay) / this.#interval));
    let day = this.#startDay + first * this.#interval;
    while (day * dayMs < toMs) {
      const passing = this.nextPassing(day);
      if (passing === day) {
        if (!emitTimes(day * dayMs, this.times, fromMs, toMs, emission)) return;
        day += this.#interval;
      } else {
        if (!spend(emission)) return;
        day += Math.ceil((passing - day) / this.#interval) * this.#interval;
      }
    }
  }
}

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
    const toMs = Math.min(windowToMs, beyondMs);
    const step = 7 * this.rule.interval;
    // Two days back: a time of 24:00 belongs to the day before.
    const first = Math.max(0, Math.floor((Math.floor(fromMs / dayMs) - 2 - this.#firstDay) / step));
    for (let day = this.#firstDay + first * step; day * dayMs < toMs; day += step) {
      if (!spend(emission) || !this.emitPeriod(day, this.#offsets, fromMs, toMs, emission)) return;
    }
  }
}

function weeklyWalk(rule: Rule, startMs: number, startDay: number, floorMs: number): Walk {
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

const monthBits = (months: number[]): number => months.reduce((bits, month) => bits | (1 << month), 0);

class MonthWalk extends CalendarWalk {
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
    const toMs = Math.min(windowToMs, beyondMs);
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

class YearWalk extends CalendarWalk {
  readonly #firstYear: number;
  readonly #startDay: number;
  readonly #folded: boolean;
  readonly #table: (readonly number[] | undefined)[];

  constructor(rule: Rule, startMs: number, startDay: number, floorMs: number) {
    const times = timesOfDay(rule, startMs);
    const folded = times.length === 1;
    super(rule, times, folded ? [] : rule.bySetPos, floorMs, false, false);
    this.#firstYear = yearOfPacked(packedDate(startDay));
    this.#startDay = startDay;
    this.#folded = folded;
    const anchor = anchorOf(startDay);
    const key = (anchor.month * 32 + anchor.monthDay) * 8 + (isWeekWithoutDay(rule) ? anchor.weekday : 0);
    this.#table = tableOf(rule, key * 2 + (folded ? 1 : 0));
  }

  emit(windowFromMs: number, windowToMs: number, emission: Emission): void {
    if (isImpossible(this.rule)) return;
    const fromMs = Math.max(windowFromMs, this.floorMs);
    const toMs = Math.min(windowToMs, beyondMs);
    const interval = this.rule.interval;
    // Two days back, as for months.
    const fromYear = yearOfPacked(packedDate(Math.floor(fromMs / dayMs) - 2));
    const first = Math.max(0, Math.ceil((fromYear - this.#firstYear) / interval));
    for (let year = this.#firstYear + first * interval; ; year += interval) {
      const day = yearStart(year);
      if ((day - 1) * dayMs >= toMs) return;
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

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** HOURLY, MINUTELY, SECONDLY. *Units*: unit in seconds. */
function subDailyWalk(rule: Rule, startMs: number, floorMs: number, unit: number): Walk {
  const perDay = 86_400 / unit;
  const startDay = Math.floor(startMs / dayMs);
  const startSecond = Math.floor((startMs - startDay * dayMs) / secondMs);
  const startUnit = Math.floor(startSecond / unit);
  const within = pickPositions(timesInUnit(rule, startSecond, unit), rule.bySetPos);
  const limited = limitsDays(rule);
  const timed =
    rule.byHour.length > 0 || (unit < 3600 && rule.byMinute.length > 0) || (unit < 60 && rule.bySecond.length > 0);
  if (!limited && !timed) {
    const baseMs = startDay * dayMs + startUnit * unit * secondMs;
    return new UniformWalk(baseMs, rule.interval * unit * secondMs, within, floorMs);
  }
  const stride = greatestCommonDivisor(rule.interval, perDay);
  const units = timed ? unitsOfDay(rule, startUnit, unit, stride) : null;
  if (stride === rule.interval && units !== null) {
    const times: number[] = [];
    for (const u of units) for (const time of within) times.push(u * unit * secondMs + time);
    if (!limited) return new UniformWalk(startDay * dayMs, dayMs, times, floorMs);
    return new DayWalk(rule, startDay, 1, times, floorMs);
  }
  return new StepWalk(rule, startDay * perDay + startUnit, unit, units, within, floorMs);
}

const zeroTo = (end: number): number[] => Array.from({ length: end }, (_, n) => n);
const allHours = zeroTo(24);
const allMinutes = zeroTo(60);
const onlyZero = [0];

/** The units of a day that the interval can ever reach and that BYHOUR, BYMINUTE and BYSECOND allow. */
function unitsOfDay(rule: Rule, startUnit: number, unit: number, stride: number): number[] {
  const orAll = (given: number[], all: number[]): number[] => (given.length > 0 ? given : all);
  const minutes = unit === 3600 ? onlyZero : orAll(rule.byMinute, allMinutes);
  const seconds = unit === 1 ? orAll(rule.bySecond, allMinutes) : onlyZero;
  const units: number[] = [];
  for (const h of orAll(rule.byHour, allHours)) {
    for (const m of minutes) {
      for (const s of seconds) {
        const u = (h * 3600 + m * 60 + s) / unit;
        // SECONDLY never meets a 60th second.
        if (s < 60 && (u - startUnit) % stride === 0) units.push(u);
      }
    }
  }
  return units;
}

/** What an hour or minute expands to, in ms from its beginning. */
function timesInUnit(rule: Rule, startSecond: number, unit: number): number[] {
  if (unit === 1) return [0];
  const seconds = rule.bySecond.length > 0 ? rule.bySecond : [startSecond % 60];
  if (unit === 60) return seconds.map((s) => s * secondMs);
  const minutes = rule.byMinute.length > 0 ? rule.byMinute : [Math.floor(startSecond / 60) % 60];
  return minutes.flatMap((m) => seconds.map((s) => (m * 60 + s) * secondMs));
}

class StepWalk extends CalendarWalk {
  readonly #start: number;
  readonly #unit: number;
  /** Units of a day that may match, null for all of them. */
  readonly #units: number[] | null;

  constructor(rule: Rule, start: number, unit: number, units: number[] | null, within: number[], floorMs: number) {
    super(rule, within, [], floorMs, limitsDays(rule), true);
    this.#start = start;
    this.#unit = unit;
    this.#units = units;
  }

  emit(windowFromMs: number, windowToMs: number, emission: Emission): void {
    const units = this.#units;
    if (units?.length === 0 || this.times.length === 0 || isImpossible(this.rule)) return;
    const fromMs = Math.max(windowFromMs, this.floorMs);
    const toMs = Math.min(windowToMs, beyondMs);
    const unitMs = this.#unit * secondMs;
    const perDay = 86_400 / this.#unit;
    const interval = this.rule.interval;
    let at = this.#stepFrom(Math.floor(fromMs / unitMs) - 1);
    while (at * unitMs < toMs) {
      const day = Math.floor(at / perDay);
      const nextDay = (day + 1) * perDay;
      const passing = this.nextPassing(day);
      if (!spend(emission)) return;
      if (passing !== day) {
        at = this.#stepFrom(passing * perDay);
        continue;
      }
      if (units === null) {
        for (; at < nextDay; at += interval) {
          if (at * unitMs >= toMs) return;
          if (!emitTimes(at * unitMs, this.times, fromMs, toMs, emission)) return;
        }
        continue;
      }
      // From each step to the first allowed unit, and from there to the first step: both only go forward.
      let index = firstNotBefore(units, at - day * perDay);
      while (index < units.length) {
        const allowed = day * perDay + (units[index] as number);
        at = this.#stepFrom(allowed);
        if (at >= nextDay || at * unitMs >= toMs) break;
        if (at === allowed) {
          if (!emitTimes(at * unitMs, this.times, fromMs, toMs, emission)) return;
          index += 1;
        } else {
          if (!spend(emission)) return;
          index = firstNotBefore(units, at - day * perDay);
        }
      }
      at = this.#stepFrom(nextDay);
    }
  }

  /** The first step at or after a unit. */
  #stepFrom(unit: number): number {
    return this.#start + Math.max(0, Math.ceil((unit - this.#start) / this.rule.interval)) * this.rule.interval;
  }
}

const longestMonth = [0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** 30 February and the like: no month of the rule ever has one of its days. */
function isImpossible(rule: Rule): boolean {
  if (rule.byMonth.length === 0 || rule.byMonthDay.length === 0) return false;
  if (rule.skip === 'FORWARD' || rule.skip === 'BACKWARD') return false;
  return !rule.byMonth.some((month) => rule.byMonthDay.some((day) => Math.abs(day) <= (longestMonth[month] as number)));
}

// Tables belong to the rule object, so that series that share a parsed rule share its tables.
const filters = new WeakMap<Rule, Map<number, Uint8Array>>();
const tables = new WeakMap<Rule, Map<number, (readonly number[] | undefined)[]>>();

function filtersOf(rule: Rule): Map<number, Uint8Array> {
  let found = filters.get(rule);
  if (found === undefined) {
    found = new Map();
    filters.set(rule, found);
  }
  return found;
}

function tableOf(rule: Rule, key: number): (readonly number[] | undefined)[] {
  let found = tables.get(rule);
  if (found === undefined) {
    found = new Map();
    tables.set(rule, found);
  }
  let table = found.get(key);
  if (table === undefined) {
    table = [];
    found.set(key, table);
  }
  return table;
}
