import { type Component, type ContentLine, readProperty } from '#kernel/ical/content-lines.ts';
import { formatRule } from '#kernel/recurrence/format-rule.ts';
import { parseRule } from '#kernel/recurrence/parse-rule.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '#kernel/time/civil.ts';
import { parseBasic } from '#kernel/time/local.ts';
import { type Observance, type OnsetRule, onsetsOf } from '#kernel/time/observances.ts';

const maxDates = 500;
/** The largest offsets in use are +14:00 and -12:00. */
const maxOffsetMs = 15 * hourMs;

export function isObservance(component: Component): boolean {
  return component.name === 'STANDARD' || component.name === 'DAYLIGHT';
}

/** An observance, and whether its rule is left out; null where its times cannot be read. Source: RFC 5545 3.6.5. */
export function readObservance(component: Component): { observance: Observance; isPart: boolean } | null {
  const values = new Map<string, string>();
  const dates: number[] = [];
  for (const line of component.lines) {
    const value = readProperty(line).value.trim().toUpperCase();
    if (line.name === 'RDATE') {
      if (!readDates(line, dates)) return null;
    } else if (!values.has(line.name)) values.set(line.name, value);
  }
  const toMs = readOffset(values.get('TZOFFSETTO'));
  const fromMs = values.has('TZOFFSETFROM') ? readOffset(values.get('TZOFFSETFROM')) : toMs;
  const start = parseBasic(values.get('DTSTART') ?? '19700101T000000');
  if (fromMs === null || toMs === null || start === null) return null;
  const ruleText = values.get('RRULE');
  const rule = ruleText === undefined ? null : readRule(ruleText, start.ms);
  return {
    observance: { fromMs, toMs, dates: [start.ms, ...dates], rule },
    isPart: ruleText !== undefined && rule === null,
  };
}

function readDates(line: ContentLine, dates: number[]): boolean {
  for (const text of readProperty(line).value.split(',', maxDates + 1)) {
    const date = parseBasic(text.trim());
    if (date === null || dates.length >= maxDates) return false;
    dates.push(date.ms);
  }
  return true;
}

function readOffset(text: string | undefined): number | null {
  const match = /^([+-]?)(\d{1,2})(?::?(\d{2}):?(\d{2})?)?$/.exec(text ?? '');
  if (match === null) return null;
  const ms = Number(match[2]) * hourMs + Number(match[3] ?? 0) * minuteMs + Number(match[4] ?? 0) * secondMs;
  if (Number(match[3] ?? 0) > 59 || ms > maxOffsetMs) return null;
  return match[1] === '-' ? -ms : ms;
}

/** A clock that changes more often in a year is none that people keep. */
const mostInYear = 30;
const maxRuleChars = 500;

/** Some exporters leave out FREQ, and all others write YEARLY. */
function readRule(text: string, startMs: number): OnsetRule | null {
  const parsed = parseRule(text.includes('FREQ=') ? text : `FREQ=YEARLY;${text}`);
  if (!parsed.ok || formatRule(parsed.rule).length > maxRuleChars) return null;
  const { freq, interval, byMonth } = parsed.rule;
  // counted from the month of DTSTART, which may be any of 1601, such a rule would name no month
  const isYearly = freq === 'MONTHLY' && interval % 12 === 0 && byMonth.length > 0;
  const rule = {
    startMs,
    rule: isYearly ? { ...parsed.rule, freq: 'YEARLY' as const, interval: interval / 12 } : parsed.rule,
  };
  const ofYear = onsetsOf(rule, 0, startMs, startMs + 366 * dayMs, { steps: 2_000 });
  return ofYear === null || ofYear.length > mostInYear ? null : rule;
}
