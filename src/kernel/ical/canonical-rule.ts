import type { When } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import { clampMs } from '#kernel/ical/date-value.ts';
import { BoundRule } from '#kernel/recurrence/bound-rule.ts';
import { formatRule } from '#kernel/recurrence/format-rule.ts';
import { parseRule } from '#kernel/recurrence/parse-rule.ts';
import type { Rule, Until } from '#kernel/recurrence/rule.ts';
import { dayMs, minuteMs, secondMs } from '#kernel/time/civil.ts';
import { loadEventZone } from '#kernel/time/event-zone.ts';
import { parseLocal } from '#kernel/time/local.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import type { WorkBudget } from '#kernel/work-budget.ts';

/**
 * A rule in its one spelling, UNTIL in the form of the series (UTC for zoned, a date for all-day): servers rewrite
 * rules (order, `INTERVAL=1`), and a rewritten rule must hash as before. Null where the recurrence engine takes it for
 * no rule. Source: RFC 5545 3.3.10. An UNTIL date on a timed series includes that whole day, as calendars do. A yearly day of
 * the month gets the month that calendars mean, since other programs take it for that day of every month.
 * *Errors*: WorkLimitError past the budget.
 */
export function canonicalRule(
  text: string,
  when: When,
  calendarZone: string | undefined,
  budget?: WorkBudget,
): string | null {
  const parsed = parseRule(text);
  if (!parsed.ok) return null;
  const { rule } = parsed;
  if (rule.until !== null) rule.until = untilIn(rule.until, when, calendarZone);
  if (isYearlyDay(rule)) rule.byMonth = [Number(when.start.slice(5, 7))];
  return formatRule(endOnce(rule, when, budget));
}

/** `FREQ=YEARLY;BYMONTHDAY=7`, which day-tables.ts reads in the month of the start. */
const isYearlyDay = ({ freq, byMonth, byMonthDay, byDay, byYearDay, byWeekNo }: Rule) =>
  freq === 'YEARLY' &&
  byMonthDay.length > 0 &&
  byMonth.length + byDay.length + byYearDay.length + byWeekNo.length === 0;

/** With COUNT and UNTIL, which exclude each other, only the one that ends the rule earlier. */
function endOnce(rule: Rule, when: When, budget: WorkBudget | undefined): Rule {
  const startMs = parseLocal(when.start);
  if (rule.count === null || rule.until === null || startMs === null) return rule;
  const ofCount = { ...rule, until: null };
  const options = { startIsInstance: true, allDay: when.kind === 'all-day', zoned: when.kind === 'zoned' };
  const bound = new BoundRule(ofCount, startMs, options);
  const lastMs = bound.lastLocalMs(Number.POSITIVE_INFINITY, eventLimits.steps, budget);
  const { form, ms } = rule.until;
  const untilMs = form === 'utc' && when.kind === 'zoned' ? (loadEventZone(when.zone) ?? utc).toLocal(ms) : ms;
  return lastMs === undefined || (lastMs !== null && lastMs > untilMs) ? { ...rule, count: null } : ofCount;
}

function untilIn(until: Until, when: When, calendarZone: string | undefined): Until {
  const ms = clampMs(until.ms);
  const endOfDay = until.form === 'date' ? dayMs - secondMs : 0;
  switch (when.kind) {
    case 'all-day':
      return { form: 'date', ms: until.form === 'utc' ? localDayOf(ms, calendarZone) : Math.floor(ms / dayMs) * dayMs };
    case 'floating': {
      const zone = until.form === 'utc' && calendarZone !== undefined ? loadZone(calendarZone) : null;
      return { form: 'local', ms: clampMs(zone === null ? ms + endOfDay : zone.toLocal(ms)) };
    }
    case 'zoned':
      if (until.form === 'utc') return { form: 'utc', ms };
      return { form: 'utc', ms: clampMs((loadEventZone(when.zone) ?? utc).toInstant(ms + endOfDay)) };
  }
}

/**
 * The day that a UTC time means on an all-day series. Exporters write the calendar's midnight as UTC (23:00Z of the day
 * before), the last second before it, or simply the day with `T000000Z`. The first two are recognized in the calendar's
 * zone. Without one, an afternoon at a quarter of an hour is a midnight east of Greenwich.
 */
export function localDayOf(instantMs: number, calendarZone: string | undefined): number {
  const zone = calendarZone === undefined ? null : loadZone(calendarZone);
  const local = zone?.toLocal(instantMs);
  const isEdge = local !== undefined && (local % dayMs === 0 || (local + secondMs) % dayMs === 0);
  if (isEdge) return Math.floor(local / dayMs) * dayMs;
  const day = Math.floor(instantMs / dayMs) * dayMs;
  const isEastern = zone === null && instantMs - day > dayMs / 2 && instantMs % (15 * minuteMs) === 0;
  return isEastern ? day + dayMs : day;
}
