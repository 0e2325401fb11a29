import { CalendarWalk } from '#kernel/recurrence/calendar-walk.ts';
import { DayWalk } from '#kernel/recurrence/day-walk.ts';
import {
  type Emission,
  emitTimes,
  endOfTimeMs,
  firstNotBefore,
  spend,
  type Walk,
} from '#kernel/recurrence/emission.ts';
import type { Rule } from '#kernel/recurrence/rule.ts';
import { isImpossible } from '#kernel/recurrence/rule-tables.ts';
import { limitsDays, pickPositions } from '#kernel/recurrence/times-of-day.ts';
import { UniformWalk } from '#kernel/recurrence/uniform-walk.ts';
import { dayMs, secondMs } from '#kernel/time/civil.ts';

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** HOURLY, MINUTELY, SECONDLY. *Units*: unit in seconds. */
export function subDailyWalk(rule: Rule, startMs: number, floorMs: number, unit: number): Walk {
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

/** The times of an hour or minute, in ms from its beginning. */
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
    const toMs = Math.min(windowToMs, endOfTimeMs);
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
