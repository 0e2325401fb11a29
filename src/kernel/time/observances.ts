import { dayMs, dayNumber, daysInMonth, packedDate, weekdayOf, yearOfPacked } from '#kernel/time/civil.ts';

/** Changes of a clock of one kind. Local times are on the clock before the change. *Source*: RFC 5545 3.6.5. */
export interface Observance {
  fromMs: number;
  toMs: number;
  /** Single onsets, the first one among them. *Units*: local ms. */
  dates: number[];
  rule: YearlyRule | null;
}

/** Onsets after `startMs`, at its time of day, one a year. */
export interface YearlyRule {
  /** *Units*: local ms. */
  startMs: number;
  month: number;
  /** 0 is Monday; null: `monthDays` name the day. */
  weekday: number | null;
  /** The number of the weekday among those of the month, and on `monthDays` where there are any; negative from the end. */
  nth: number;
  monthDays: number[] | null;
  /** The last onset, as epoch ms. */
  untilMs: number;
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

/** The onset of a rule in a year, as local ms; null where that year has none. */
function onsetInYear({ startMs, month, weekday, nth, monthDays }: YearlyRule, year: number): number | null {
  const days = daysInMonth(year, month);
  const named = monthDays?.map((day) => (day < 0 ? days + 1 + day : day)) ?? null;
  let day = named?.[0];
  if (weekday !== null) {
    const first = 1 + ((weekday - weekdayOf(dayNumber(year, month, 1)) + 7) % 7);
    const all = [first, first + 7, first + 14, first + 21, first + 28].filter((one) => one <= days);
    const allowed = named === null ? all : all.filter((one) => named.includes(one));
    day = nth < 0 ? allowed.at(nth) : allowed[nth - 1];
  }
  if (day === undefined || !(day >= 1 && day <= days)) return null;
  return dayNumber(year, month, day) * dayMs + timeOfDay(startMs);
}

const timeOfDay = (localMs: number) => localMs - Math.floor(localMs / dayMs) * dayMs;

/** The clock of these observances in a stretch of time. `baseMs` is its offset before all of them, where that is known. */
export function clockOf(observances: readonly Observance[], fromMs: number, toMs: number, baseMs?: number): Clock {
  const onsets: { atMs: number; beforeMs: number; offsetMs: number }[] = [];
  for (const { fromMs: beforeMs, toMs: offsetMs, dates, rule } of observances) {
    const locals = rule === null ? dates : [...dates, ...onsetsOf(rule, beforeMs, yearOf(fromMs), yearOf(toMs))];
    for (const local of locals) onsets.push({ atMs: local - beforeMs, beforeMs, offsetMs });
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

/** The year before the stretch tells the offset that it begins with. Of a rule that has ended, its last year does. */
function onsetsOf(rule: YearlyRule, beforeMs: number, fromYear: number, toYear: number): number[] {
  const lastYear = Number.isFinite(rule.untilMs) ? Math.min(toYear, yearOf(rule.untilMs)) : toYear;
  const locals: number[] = [];
  for (let year = Math.max(yearOf(rule.startMs), Math.min(fromYear - 1, lastYear - 1)); year <= lastYear; year += 1) {
    const local = onsetInYear(rule, year);
    if (local !== null && local > rule.startMs && local - beforeMs <= rule.untilMs) locals.push(local);
  }
  return locals;
}
