import { CalendarWalk } from '#kernel/recurrence/calendar-walk.ts';
import { type Emission, emitTimes, endOfTimeMs, spend } from '#kernel/recurrence/emission.ts';
import type { Rule } from '#kernel/recurrence/rule.ts';
import { isImpossible } from '#kernel/recurrence/rule-tables.ts';
import { dayMs } from '#kernel/time/civil.ts';

/** DAILY with limits; also sub-daily rules with limits whose interval divides the day. */
export class DayWalk extends CalendarWalk {
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
    const toMs = Math.min(windowToMs, endOfTimeMs);
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
