import { type Emission, endOfTimeMs, newEmission, type Walk } from '#kernel/recurrence/emission.ts';
import type { Rule } from '#kernel/recurrence/rule.ts';
import { walkRule } from '#kernel/recurrence/walk-rule.ts';
import { dayMs } from '#kernel/time/civil.ts';
import type { WorkBudget } from '#kernel/work-budget.ts';

/**
 * A rule tied to its DTSTART, with COUNT and UNTIL turned into a last moment, so that a window far from DTSTART needs
 * no walk from it. Where COUNT cannot be worked out by arithmetic, the instances are counted once and remembered.
 */
export class BoundRule {
  readonly rule: Rule;
  /** Instants after this do not count (UNTIL in UTC on a zoned series). */
  readonly untilMs: number;
  /** Wall-clock times after this do not count. */
  readonly #untilLocalMs: number;
  readonly #walk: Walk;
  readonly #floorMs: number;
  /** How many instances the rule makes from the floor on. */
  readonly #count: number;
  #countedToMs: number;
  #counted = 0;
  #lastByCountMs: number | null = null;

  constructor(rule: Rule, startMs: number, options: { startIsInstance: boolean; allDay: boolean; zoned: boolean }) {
    this.rule = rule;
    // DTSTART is the first instance and counts, whether the rule makes it or not: the rule continues after it.
    this.#floorMs = options.startIsInstance ? startMs + 1 : startMs;
    this.#count = (rule.count ?? Number.POSITIVE_INFINITY) - (options.startIsInstance ? 1 : 0);
    this.#countedToMs = this.#floorMs;
    this.#walk = walkRule(rule, startMs, this.#floorMs);
    this.untilMs = Number.POSITIVE_INFINITY;
    this.#untilLocalMs = Number.POSITIVE_INFINITY;
    if (rule.until === null) return;
    const { form, ms } = rule.until;
    if (options.allDay) this.#untilLocalMs = Math.floor(ms / dayMs) * dayMs;
    else if (form === 'date') this.#untilLocalMs = ms + dayMs - 1;
    else if (form === 'utc' && options.zoned) this.untilMs = ms;
    else this.#untilLocalMs = ms;
  }

  get endless(): boolean {
    return this.rule.count === null && this.rule.until === null;
  }

  /** Is there surely nothing at or after this time of the wall clock? */
  isOver(localMs: number): boolean {
    return (
      localMs > this.#untilLocalMs ||
      localMs > this.untilMs + 2 * dayMs ||
      localMs > (this.#lastByCountMs ?? endOfTimeMs)
    );
  }

  /** Appends the rule's instances in the window of the wall clock; UNTIL in UTC is left to the caller. */
  emit(fromMs: number, toMs: number, emission: Emission): void {
    const endMs = Math.min(toMs, this.#untilLocalMs + 1, endOfTimeMs);
    if (fromMs >= endMs) return;
    if (this.rule.count === null) {
      this.#walk.emit(fromMs, endMs, emission);
      return;
    }
    const lastMs = this.#lastByCount(endMs, emission);
    if (lastMs === undefined) {
      emission.cut = true;
      return;
    }
    this.#walk.emit(fromMs, Math.min(endMs, lastMs + 1), emission);
  }

  /**
   * The last instance on the wall clock, null where there is none, undefined where it is endless or would take more
   * than `maxSteps` to tell. *Errors*: WorkLimitError past the budget.
   */
  lastLocalMs(untilLocalMs: number, maxSteps: number, budget?: WorkBudget): number | null | undefined {
    if (this.endless) return undefined;
    const emission = newEmission(
      Number.POSITIVE_INFINITY,
      Math.min(maxSteps, budget === undefined ? maxSteps : budget.left('steps')),
    );
    const last = this.#findLast(untilLocalMs, emission);
    budget?.spend('steps', emission.steps);
    return last;
  }

  #findLast(untilLocalMs: number, emission: Emission): number | null | undefined {
    if (this.rule.count !== null) {
      const lastMs = this.#lastByCount(endOfTimeMs, emission);
      if (lastMs === undefined) return undefined;
      if (lastMs < this.#floorMs) return null;
      if (Number.isFinite(lastMs)) return lastMs;
    }
    const endMs = Math.min(this.#untilLocalMs, untilLocalMs, endOfTimeMs - 1) + 1;
    // Backwards in growing strides: dense rules answer from the first, sparse ones after a few.
    for (let spanMs = 3_600_000, toMs = endMs; toMs > this.#floorMs; spanMs *= 8) {
      const fromMs = Math.max(this.#floorMs, toMs - spanMs);
      emission.list.length = 0;
      this.#walk.emit(fromMs, toMs, emission);
      // cut short, the latest it found need not be the last there is
      if (emission.cut) return undefined;
      if (emission.list.length > 0) return emission.list.reduce((a, b) => Math.max(a, b));
      toMs = fromMs;
    }
    return null;
  }

  /**
   * The last instance that COUNT allows, Infinity while the count is not used up before `toMs`, undefined when the
   * steps run out first.
   */
  #lastByCount(toMs: number, emission: Emission): number | undefined {
    if (this.#lastByCountMs !== null) return this.#lastByCountMs;
    if (this.#count <= 0) {
      this.#lastByCountMs = Number.NEGATIVE_INFINITY;
      return this.#lastByCountMs;
    }
    const known = this.#walk.nthByArithmetic(this.#count);
    if (known !== null) {
      this.#lastByCountMs = known;
      return known;
    }
    if (toMs <= this.#countedToMs) return Number.POSITIVE_INFINITY;
    const wanted = this.#count - this.#counted;
    const counting = newEmission(wanted, emission.maxSteps - emission.steps);
    this.#walk.emit(this.#countedToMs, toMs, counting);
    emission.steps += counting.steps;
    const list = distinct(counting);
    if (list.length === wanted) {
      this.#lastByCountMs = list[wanted - 1] as number;
      return this.#lastByCountMs;
    }
    this.#counted += list.length;
    if (!counting.cut) {
      this.#countedToMs = toMs;
      return Number.POSITIVE_INFINITY;
    }
    const last = list.at(-1);
    if (last !== undefined) this.#countedToMs = last + 1;
    return undefined;
  }
}

/** The emission's instances in order and without doubles. */
export function distinct(emission: Emission): number[] {
  if (!emission.unordered) return emission.list;
  emission.list = sortedDistinct(emission.list);
  emission.unordered = false;
  return emission.list;
}

export function sortedDistinct(list: number[]): number[] {
  const sorted = list.sort((a, b) => a - b);
  return sorted.filter((value, index) => index === 0 || value !== sorted[index - 1]);
}
