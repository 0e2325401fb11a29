import { type Rule, type Until, weekdays } from '#kernel/recurrence/rule.ts';
import { printBasicDate, printBasicDateTime } from '#kernel/time/local.ts';

/**
 * The rule as a RECUR value without property name, in one spelling for one meaning: what `parseRule` reads back as
 * an equal rule. *Source*: RFC 5545 section 3.3.10.
 */
export function formatRule(rule: Rule): string {
  const parts: string[] = [];
  if (rule.skip !== null) parts.push('RSCALE=GREGORIAN');
  parts.push(`FREQ=${rule.freq}`);
  if (rule.interval !== 1) parts.push(`INTERVAL=${rule.interval}`);
  if (rule.count !== null) parts.push(`COUNT=${rule.count}`);
  if (rule.until !== null) parts.push(`UNTIL=${formatUntil(rule.until)}`);
  const add = (name: string, numbers: number[]) => {
    if (numbers.length > 0) parts.push(`${name}=${numbers.join(',')}`);
  };
  add('BYMONTH', rule.byMonth);
  add('BYWEEKNO', rule.byWeekNo);
  add('BYYEARDAY', rule.byYearDay);
  add('BYMONTHDAY', rule.byMonthDay);
  if (rule.byDay.length > 0) {
    parts.push(`BYDAY=${rule.byDay.map((day) => `${day.nth === 0 ? '' : day.nth}${weekdays[day.weekday]}`).join(',')}`);
  }
  add('BYHOUR', rule.byHour);
  add('BYMINUTE', rule.byMinute);
  add('BYSECOND', rule.bySecond);
  add('BYSETPOS', rule.bySetPos);
  if (rule.weekStart !== 0) parts.push(`WKST=${weekdays[rule.weekStart]}`);
  if (rule.skip !== null && rule.skip !== 'OMIT') parts.push(`SKIP=${rule.skip}`);
  return parts.join(';');
}

function formatUntil(until: Until): string {
  if (until.form === 'date') return printBasicDate(until.ms);
  return until.form === 'utc' ? `${printBasicDateTime(until.ms)}Z` : printBasicDateTime(until.ms);
}
