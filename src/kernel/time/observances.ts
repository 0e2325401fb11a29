import { BoundRule, distinct } from '#kernel/recurrence/bound-rule.ts';
import { newEmission } from '#kernel/recurrence/emission.ts';
import type { Rule } from '#kernel/recurrence/rule.ts';
import { dayMs, packedDate, yearOfPacked } from '#kernel/time/civil.ts';

/** Changes of a clock of one kind. Local times are on the clock before the change. *Source*: RFC 5545 3.6.5. */
export interface Observance {
  fromMs: number;
  toMs: number;
  /** Single onsets, the first one among them. *Units*: local ms. */
  dates: number[];
  rule: OnsetRule | null;
}

/** Onsets after `startMs`, which counts as the first instance. *Units*: local ms. */
export interface OnsetRule {
  startMs: number;
  rule: Rule;
}

export interface Change {
  atMs: number;
  offsetMs: number;
}

/** The offset at the start of a stretch of time, and its changes, ascending. */
export interface Clock {
  baseMs: number;
  changes: Change[];
}

export const yearOf = (ms: number) => yearOfPacked(packedDate(Math.floor(ms / dayMs)));

/** Steps of all rules of a clock together. Two yearly rules take 20 a year. */
const mostSteps = 50_000;

/**
 * The clock of these observances in a stretch of time; null where its rules take too many steps. `baseMs` is its offset before
 * all of them, where that is known.
 */
export function clockOf(
  observances: readonly Observance[],
  fromMs: number,
  toMs: number,
  baseMs?: number,
): Clock | null {
  const onsets: { atMs: number; beforeMs: number; offsetMs: number }[] = [];
  const work = { steps: mostSteps };
  for (const { fromMs: beforeMs, toMs: offsetMs, dates, rule } of observances) {
    const more = rule === null ? [] : onsetsOf(rule, beforeMs, fromMs, toMs, work);
    if (more === null) return null;
    for (const local of [...dates, ...more]) onsets.push({ atMs: local - beforeMs, beforeMs, offsetMs });
  }
  onsets.sort((a, b) => a.atMs - b.atMs);
  const clock: Clock = { baseMs: baseMs ?? onsets[0]?.beforeMs ?? 0, changes: [] };
  for (const { atMs, offsetMs } of onsets) {
    if (atMs <= fromMs) clock.baseMs = offsetMs;
    else if (atMs < toMs && offsetMs !== (clock.changes.at(-1)?.offsetMs ?? clock.baseMs)) {
      clock.changes.push({ atMs, offsetMs });
    }
  }
  return clock;
}

const bound = ({ rule, startMs }: OnsetRule) =>
  new BoundRule(rule, startMs, { startIsInstance: true, allDay: false, zoned: true });

/** The first look back for the onset before a stretch. Most rules have one a year. */
const lookBackMs = 370 * dayMs;

/** The onsets in a stretch and the one before it, which tells its first offset. Null where they take more steps than `work` has. */
export function onsetsOf(
  onsetRule: OnsetRule,
  beforeMs: number,
  fromMs: number,
  toMs: number,
  work: { steps: number },
): number[] | null {
  const rule = bound(onsetRule);
  const emission = newEmission(Number.POSITIVE_INFINITY, work.steps);
  let atMs = Math.min(fromMs, rule.untilMs) + beforeMs + 1;
  for (let backMs = lookBackMs; atMs > onsetRule.startMs && emission.list.length === 0; backMs *= 8) {
    const earlierMs = Math.max(onsetRule.startMs, atMs - backMs);
    rule.emit(earlierMs, atMs, emission);
    atMs = earlierMs;
  }
  rule.emit(fromMs + beforeMs + 1, toMs + beforeMs, emission);
  work.steps -= emission.steps;
  return emission.cut ? null : distinct(emission).filter((local) => local - beforeMs <= rule.untilMs);
}

/** Returns the last onset of a rule, as epoch ms; Infinity for an endless or undecidable one. */
export function lastOnsetOf(onsetRule: OnsetRule, beforeMs: number): number {
  const rule = bound(onsetRule);
  const lastMs = rule.endless ? undefined : rule.lastLocalMs(rule.untilMs + beforeMs, mostSteps);
  return lastMs === undefined ? Number.POSITIVE_INFINITY : (lastMs ?? onsetRule.startMs) - beforeMs;
}

/** More than a year, and less than the time between three changes of summer time. */
const longYearMs = 400 * dayMs;

/** The single onsets of observances with the offset from then on, and the ends of rules. *Units*: epoch ms. */
function onsetsAndEnds(observances: readonly Observance[]) {
  return {
    onsets: observances.flatMap(({ dates, fromMs, toMs }) =>
      dates.map((local) => ({ atMs: local - fromMs, offsetMs: toMs })),
    ),
    ends: observances.flatMap(({ rule, fromMs }) => (rule === null ? [] : [lastOnsetOf(rule, fromMs)])),
  };
}

/**
 * Returns the end of a list of changes that an exporter wrote for some years. All other definitions hold from their last change
 * on, and get Infinity. A list has no rule in its last year, and the clock changes and changes back in it.
 */
export function endOfList(observances: readonly Observance[]): number {
  const { onsets, ends } = onsetsAndEnds(observances);
  const lastMs = Math.max(...onsets.map(({ atMs }) => atMs), ...ends);
  const offsets = onsets.filter(({ atMs }) => atMs > lastMs - longYearMs).map(({ offsetMs }) => offsetMs);
  const isList = ends.every((endMs) => endMs < lastMs - longYearMs) && new Set(offsets).size > 1;
  return isList ? lastMs + dayMs : Number.POSITIVE_INFINITY;
}

/**
 * Returns the time at which a definition last changes its rules: one ends, or begins after others. A definition that has had
 * the same ones from its beginning gets -Infinity.
 */
export function lastLawOf(observances: readonly Observance[]): number {
  const { onsets, ends } = onsetsAndEnds(observances);
  const times = onsets.map(({ atMs }) => atMs);
  const lastMs = Math.max(...times, ...ends.filter(Number.isFinite));
  const isLater = lastMs > Math.min(...times) + longYearMs && endOfList(observances) === Number.POSITIVE_INFINITY;
  return isLater ? lastMs : Number.NEGATIVE_INFINITY;
}
