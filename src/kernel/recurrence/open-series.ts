import { eventLimits, type LocalDate, type LocalDateTime, type RecId } from '#kernel/event.ts';
import { BoundRule, distinct, sortedDistinct } from '#kernel/recurrence/bound-rule.ts';
import { isWeekWithoutDay } from '#kernel/recurrence/day-tables.ts';
import { endOfTimeMs, newEmission } from '#kernel/recurrence/emission.ts';
import { parseRule } from '#kernel/recurrence/parse-rule.ts';
import { type ParsedRule, type Rule, weekdays } from '#kernel/recurrence/rule.ts';
import { dayMs, hourMs } from '#kernel/time/civil.ts';
import { loadEventZone } from '#kernel/time/event-zone.ts';
import { parseLocal } from '#kernel/time/local.ts';
import { parseRecId } from '#kernel/time/rec-id.ts';
import { utc, type Zone } from '#kernel/time/zones.ts';
import type { WorkBudget } from '#kernel/work-budget.ts';

export interface SeriesSpec {
  start: LocalDate | LocalDateTime;
  /** IANA zone of `start` and of everything derived from it; null for all-day and floating series. */
  zone: string | null;
  rules: readonly string[];
  exRules: readonly string[];
  extraDates: readonly { start: LocalDate | LocalDateTime }[];
  exdates: readonly RecId[];
}

export interface SeriesOptions {
  /**
   * `always` (RFC 5545 section 3.8.5.3): DTSTART is the first instance and counts, even where the rule would not make
   * it. `when-matching`: only what the rules make, as dateutil, rrule and other plain rule iterators have it.
   */
  dtstart?: 'always' | 'when-matching';
  /**
   * The reading of a YEARLY rule without all parts. `calendars` (RFC 5545 section 3.3.10: missing parts come from
   * DTSTART): BYWEEKNO without a day is DTSTART's weekday, BYMONTHDAY without a month DTSTART's month. `dateutil` (and
   * rrule): all seven days, and all months.
   */
  reading?: 'calendars' | 'dateutil';
}

export interface ExpansionLimits {
  instances: number;
  steps: number;
}

export interface Starts {
  /** Ascending, without doubles. Epoch ms, or local ms for a series without zone. */
  startsMs: number[];
  /** Whether there are more than the limits allow; the list holds the first of them, or none. */
  tooDense: boolean;
  /** Candidate steps taken. */
  steps: number;
}

/** A series opened for questions about its instances. Times are epoch ms, or local ms where it has no zone. */
export interface OpenSeries {
  readonly allDay: boolean;
  readonly zone: Zone | null;
  /** DTSTART. */
  readonly startMs: number;
  /** Faults of the input. A rule named here is left out, so a series of only bad rules is a single event. */
  readonly problems: readonly string[];
  /** Starts with fromMs <= start < toMs, at a cost that does not depend on the age of the series. */
  between(fromMs: number, toMs: number, limits?: ExpansionLimits): Starts;
  /** Starts from a moment on, one by one, lazily; ends without a word when 50,000 steps bring no further one. */
  startsFrom(fromMs: number): Generator<number, void, undefined>;
  /** The first start, or null when every one is excluded. */
  first(): number | null;
  /** A moment that no start comes before: DTSTART or an extra date before it. Costs nothing. */
  firstMs(): number;
  /**
   * The last start, exclusions not looked at; null where it is endless or cannot be told within bounds.
   * *Errors*: WorkLimitError past the budget.
   */
  lastMs(budget?: WorkBudget): number | null;
}

/**
 * Opens a series: reads its rules, ties them to DTSTART.
 *
 * Decided, where RFC 5545 leaves room:
 * - Rules expand on the wall clock, sub-daily ones too (section 3.3.10). A time in a gap is read with the offset
 *   before it, a doubled one is the first (3.3.5); two that fall on one instant are one instance.
 * - UNTIL as a date bounds the wall clock and takes the whole day in; local UNTIL bounds the wall clock; UTC UNTIL on
 *   a series without zone is read as if local. UNTIL before DTSTART leaves DTSTART alone.
 * - EXRULE excludes what its rule makes; DTSTART is not excluded just for being its start.
 * - EXDATE as a date on a timed series excludes that day of the wall clock.
 * - COUNT counts DTSTART and what EXDATE excludes; several rules count each for itself.
 *
 * *Errors*: none; bad parts are named in `problems`. A start that is no time throws RangeError.
 * *Source*: RFC 5545 sections 3.3.5, 3.3.10, 3.8.5.
 */
export function openSeries(spec: SeriesSpec, options: SeriesOptions = {}): OpenSeries {
  return new RuleSeries(spec, options);
}

/** No clock was set by more at once, but for days that were left out. */
const longestChangeMs = 3 * hourMs;

const defaultLimits: ExpansionLimits = { instances: eventLimits.instances, steps: eventLimits.steps };

class RuleSeries implements OpenSeries {
  readonly allDay: boolean;
  readonly zone: Zone | null;
  readonly startMs: number;
  readonly problems: string[] = [];
  readonly #clock: Zone;
  readonly #startStands: boolean;
  readonly #rules: BoundRule[];
  readonly #exRules: BoundRule[];
  readonly #extrasMs: number[];
  readonly #excludedMs: Set<number>;
  readonly #excludedDays: Set<number>;

  constructor(spec: SeriesSpec, options: SeriesOptions) {
    const startIsInstance = options.dtstart !== 'when-matching';
    const startLocalMs = parseLocal(spec.start);
    if (startLocalMs === null) throw new RangeError(`Not a local date or time: ${spec.start}`);
    this.allDay = spec.start.length === 10;
    this.zone = spec.zone === null || this.allDay ? null : loadEventZone(spec.zone);
    if (this.zone === null && spec.zone !== null && !this.allDay)
      this.problems.push(`There is no time zone "${spec.zone}".`);
    this.#clock = this.zone ?? utc;
    this.startMs = this.#clock.toInstant(startLocalMs);
    const bind = (text: string, counted: boolean): BoundRule | null => {
      let rule = this.#read(text);
      if (rule === null) return null;
      if (options.reading === 'dateutil') rule = asDateutil(rule);
      return new BoundRule(rule, startLocalMs, {
        startIsInstance: counted,
        allDay: this.allDay,
        zoned: this.zone !== null,
      });
    };
    this.#rules = spec.rules.map((text) => bind(text, startIsInstance)).filter((rule) => rule !== null);
    this.#exRules = spec.exRules.map((text) => bind(text, false)).filter((rule) => rule !== null);
    this.#startStands = startIsInstance || this.#rules.length === 0;
    this.#extrasMs = this.#readExtras(spec.extraDates);
    this.#excludedMs = new Set();
    this.#excludedDays = new Set();
    for (const recId of spec.exdates) this.#exclude(recId);
  }

  between(fromMs: number, toMs: number, limits: ExpansionLimits = defaultLimits): Starts {
    if (!(fromMs < toMs)) return { startsMs: [], tooDense: false, steps: 0 };
    const emission = newEmission(
      this.#exRules.length > 0 ? limits.steps : limits.instances + 1 + this.#excludedMs.size,
      limits.steps,
    );
    if (this.#excludedDays.size > 0) emission.maxInstances = limits.steps;
    let startsMs: number[] = [];
    let ordered = true;
    if (this.#startStands && this.startMs >= fromMs && this.startMs < toMs) startsMs.push(this.startMs);
    for (const rule of this.#rules) {
      ordered = this.#append(rule, fromMs, toMs, emission, startsMs) && ordered;
    }
    for (const extraMs of this.#extrasMs) {
      if (extraMs < fromMs || extraMs >= toMs) continue;
      startsMs.push(extraMs);
      ordered = false;
    }
    if (!ordered) startsMs = sortedDistinct(startsMs);
    let tooDense = emission.cut;
    if (this.#excludedMs.size > 0) startsMs = startsMs.filter((atMs) => !this.#excludedMs.has(atMs));
    if (this.#excludedDays.size > 0) {
      startsMs = startsMs.filter((atMs) => !this.#excludedDays.has(Math.floor(this.#clock.toLocal(atMs) / dayMs)));
    }
    if (this.#exRules.length > 0 && startsMs.length > 0) {
      const removed: number[] = [];
      emission.cut = false;
      for (const rule of this.#exRules) this.#append(rule, fromMs, toMs, emission, removed);
      tooDense ||= emission.cut;
      const gone = new Set(removed);
      startsMs = startsMs.filter((atMs) => !gone.has(atMs));
    }
    if (startsMs.length > limits.instances) {
      startsMs.length = limits.instances;
      tooDense = true;
    }
    return { startsMs, tooDense, steps: emission.steps };
  }

  *startsFrom(fromMs: number): Generator<number, void, undefined> {
    const limits = { instances: 1_000, steps: eventLimits.steps };
    let budget = limits.steps;
    let spanMs = 64 * dayMs;
    let atMs = Math.max(fromMs, this.firstMs() - 2 * dayMs);
    while (atMs < endOfTimeMs) {
      const untilMs = Math.min(atMs + spanMs, endOfTimeMs + dayMs);
      const found = this.between(atMs, untilMs, limits);
      for (const startMs of found.startsMs) yield startMs;
      const lastMs = found.startsMs.at(-1);
      if (lastMs !== undefined) budget = limits.steps;
      else budget -= found.steps;
      if (found.tooDense) {
        if (lastMs === undefined) return;
        atMs = lastMs + 1;
      } else {
        if (budget <= 0 || this.#isOver(untilMs)) return;
        atMs = untilMs;
        if (found.startsMs.length < 100) spanMs *= 2;
      }
    }
  }

  first(): number | null {
    for (const startMs of this.startsFrom(Number.NEGATIVE_INFINITY)) return startMs;
    return null;
  }

  firstMs(): number {
    return Math.min(this.startMs, this.#extrasMs[0] ?? this.startMs);
  }

  lastMs(budget?: WorkBudget): number | null {
    let lastMs = this.#startStands ? this.startMs : Number.NEGATIVE_INFINITY;
    for (const rule of this.#rules) {
      for (const boundMs of this.#boundsOf(rule)) {
        const last = rule.lastLocalMs(boundMs, eventLimits.steps, budget);
        if (last === undefined) return null;
        const atMs = last === null ? Number.NEGATIVE_INFINITY : this.#clock.toInstant(last);
        if (atMs <= rule.untilMs) lastMs = Math.max(lastMs, atMs);
      }
    }
    lastMs = Math.max(lastMs, this.#extrasMs.at(-1) ?? Number.NEGATIVE_INFINITY);
    return Number.isFinite(lastMs) ? lastMs : null;
  }

  /**
   * The wall clock of UNTIL in UTC, and the latest one before a change that comes just before: a time in a gap is read with
   * the offset before it, and one of an hour that comes twice is the first, so that later on the wall can be earlier.
   */
  #boundsOf({ untilMs }: BoundRule): Iterable<number> {
    if (!Number.isFinite(untilMs)) return [Number.POSITIVE_INFINITY];
    const clock = this.#clock;
    let known = clock.toLocal(untilMs);
    let beyond = clock.toLocal(untilMs - longestChangeMs) + longestChangeMs;
    if (clock.toInstant(beyond) <= untilMs) return new Set([known, beyond]);
    const bound = known;
    while (beyond - known > 1) {
      const middle = Math.floor((known + beyond) / 2);
      if (clock.toInstant(middle) <= untilMs) known = middle;
      else beyond = middle;
    }
    return new Set([bound, known]);
  }

  /** Appends a rule's instants in the window; false when they are not ascending. */
  #append(
    rule: BoundRule,
    fromMs: number,
    toMs: number,
    emission: ReturnType<typeof newEmission>,
    out: number[],
  ): boolean {
    const clock = this.#clock;
    emission.list.length = 0;
    emission.unordered = false;
    if (this.zone === null) {
      rule.emit(fromMs, toMs, emission);
      if (out.length === 0) {
        for (const atMs of distinct(emission)) out.push(atMs);
        return true;
      }
      let last = out[out.length - 1] as number;
      let ordered = true;
      for (const atMs of distinct(emission)) {
        if (atMs <= last) ordered = false;
        out.push(atMs);
        last = atMs;
      }
      return ordered;
    }
    const endMs = Math.min(toMs, rule.untilMs + 1);
    // Both offsets around a change within the last day: a time in a gap has the one before it.
    const fromLocalMs = Number.isFinite(fromMs)
      ? fromMs + Math.min(clock.offsetAt(fromMs), clock.offsetAt(fromMs - 25 * hourMs))
      : fromMs;
    const toLocalMs = Number.isFinite(endMs)
      ? endMs + Math.max(clock.offsetAt(endMs), clock.offsetAt(endMs - 25 * hourMs))
      : endMs;
    rule.emit(fromLocalMs, toLocalMs, emission);
    let last = out.length > 0 ? (out[out.length - 1] as number) : Number.NEGATIVE_INFINITY;
    let ordered = true;
    const list = distinct(emission);
    for (let i = 0; i < list.length; i += 1) {
      const atMs = clock.toInstant(list[i] as number);
      if (atMs < fromMs || atMs >= endMs) continue;
      if (atMs <= last) {
        if (atMs === last) continue;
        ordered = false;
      }
      out.push(atMs);
      last = atMs;
    }
    return ordered;
  }

  /** Is there surely nothing at or after this moment? */
  #isOver(atMs: number): boolean {
    return (
      (this.#extrasMs.at(-1) ?? Number.NEGATIVE_INFINITY) < atMs &&
      this.startMs < atMs &&
      this.#rules.every((rule) => rule.isOver(this.#clock.toLocal(Math.min(atMs, endOfTimeMs)) - dayMs))
    );
  }

  #read(text: string): Rule | null {
    const parsed = parseRuleOnce(text);
    if (!parsed.ok) {
      this.problems.push(parsed.reason);
      return null;
    }
    const rule = parsed.rule;
    if (!this.allDay) return rule;
    if (rule.freq === 'HOURLY' || rule.freq === 'MINUTELY' || rule.freq === 'SECONDLY') {
      this.problems.push(`${rule.freq} needs a start with a time of day.`);
      return null;
    }
    // "MUST be ignored" under a DATE start (RFC 5545 section 3.3.10).
    if (rule.byHour.length + rule.byMinute.length + rule.bySecond.length === 0) return rule;
    return { ...rule, byHour: [], byMinute: [], bySecond: [] };
  }

  #readExtras(extraDates: readonly { start: string }[]): number[] {
    if (extraDates.length === 0) return [];
    const extrasMs: number[] = [];
    for (const { start } of extraDates) {
      const localMs = parseLocal(start);
      if (localMs === null) this.problems.push(`The extra date "${start.slice(0, 40)}" is no date or time.`);
      else extrasMs.push(this.#clock.toInstant(this.allDay ? Math.floor(localMs / dayMs) * dayMs : localMs));
    }
    return sortedDistinct(extrasMs);
  }

  #exclude(recId: RecId): void {
    const time = parseRecId(recId);
    if (time === null) this.problems.push(`The excluded date "${recId.slice(0, 40)}" is no date or time.`);
    else if (this.allDay) this.#excludedMs.add(Math.floor(time.ms / dayMs) * dayMs);
    else if (time.form === 'date') this.#excludedDays.add(time.ms / dayMs);
    else this.#excludedMs.add(time.form === 'utc' ? time.ms : this.#clock.toInstant(time.ms));
  }
}

const everyDay = weekdays.map((_, weekday) => ({ weekday, nth: 0 }));

/** Many series of a calendar share a rule's text; its day tables hang on the parsed rule. */
const parsedRules = new Map<string, ParsedRule>();
const maxParsedRules = 1_000;

function parseRuleOnce(text: string): ParsedRule {
  const known = parsedRules.get(text);
  if (known !== undefined) return known;
  const parsed = parseRule(text);
  if (text.length > 200) return parsed;
  if (parsedRules.size >= maxParsedRules) {
    const [oldest] = parsedRules.keys();
    if (oldest !== undefined) parsedRules.delete(oldest);
  }
  parsedRules.set(text, parsed);
  return parsed;
}

const everyMonth = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

function asDateutil(rule: Rule): Rule {
  if (isWeekWithoutDay(rule)) return { ...rule, byDay: everyDay };
  const { freq, byMonthDay, byMonth, byWeekNo, byYearDay, byDay } = rule;
  const others = byMonth.length + byWeekNo.length + byYearDay.length + byDay.length;
  return freq === 'YEARLY' && byMonthDay.length > 0 && others === 0 ? { ...rule, byMonth: everyMonth } : rule;
}
