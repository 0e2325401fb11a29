import type { When } from '#kernel/event.ts';
import { clampMs } from '#kernel/ical/date-value.ts';
import { formatRule } from '#kernel/recurrence/format-rule.ts';
import { parseRule } from '#kernel/recurrence/parse-rule.ts';
import type { Until } from '#kernel/recurrence/rule.ts';
import { dayMs, secondMs } from '#kernel/time/civil.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';

/**
 * A rule in its one spelling, UNTIL in the form of the series (UTC for zoned, a date for all-day): servers rewrite
 * rules (order, `INTERVAL=1`), and a rewritten rule must hash as before. Null where the recurrence engine takes it for
 * no rule. Source: RFC 5545 3.3.10. An UNTIL date on a timed series includes that whole day, as calendars do.
 */
export function canonicalRule(text: string, when: When, calendarZone: string | undefined): string | null {
  const parsed = parseRule(text);
  if (!parsed.ok) return null;
  const { rule } = parsed;
  if (rule.until !== null) rule.until = untilIn(rule.until, when, calendarZone);
  return formatRule(rule);
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
      return { form: 'utc', ms: clampMs((loadZone(when.zone) ?? utc).toInstant(ms + endOfDay)) };
  }
}

/**
 * The day that a UTC time means on an all-day series. Exporters write the calendar's midnight as UTC (23:00Z of the day
 * before) or simply the day with `T000000Z`: the first is recognised by being a midnight in the calendar's zone.
 */
export function localDayOf(instantMs: number, calendarZone: string | undefined): number {
  const zone = calendarZone === undefined ? null : loadZone(calendarZone);
  const localMs = zone === null ? instantMs : zone.toLocal(instantMs);
  const ms = localMs % dayMs === 0 ? localMs : instantMs;
  return Math.floor(ms / dayMs) * dayMs;
}
