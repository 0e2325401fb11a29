import type { When } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import { canonicalRule } from '#kernel/ical/canonical-rule.ts';
import { parseRule } from '#kernel/recurrence/parse-rule.ts';
import { makeRecId } from '#kernel/time/rec-id.ts';
import { EditRefused } from './refusal.ts';
import { openStarts } from './series-starts.ts';
import { localOfRecId, startingAt } from './wall-time.ts';

const frequencies: readonly string[] = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];

/**
 * A rule as a person chose it, in its one spelling, and the start on the first day that it makes: whoever picks Tuesdays
 * on a Monday means the Tuesday after. *Errors*: EditRefused BAD_RECURRENCE.
 */
export function readRecurrence(text: string, when: When, calendarZone: string): { rule: string; when: When } {
  const parsed = parseRule(text);
  if (!parsed.ok) throw new EditRefused('BAD_RECURRENCE', parsed.reason);
  if (!frequencies.includes(parsed.rule.freq))
    throw new EditRefused('BAD_RECURRENCE', 'An event repeats every day at most.');
  if ((parsed.rule.count ?? 0) > eventLimits.instances)
    throw new EditRefused('BAD_RECURRENCE', `An event repeats ${eventLimits.instances} times at most.`);
  const rule = canonicalRule(text, when, calendarZone);
  if (rule === null) throw new EditRefused('BAD_RECURRENCE', 'This is no rule.');
  const series = openStarts({ when, rules: [rule] }, { dtstart: 'when-matching' });
  const firstMs = series.first();
  const localMs = firstMs === null ? null : localOfRecId(when, makeRecId(when.kind, firstMs));
  if (localMs === null) throw new EditRefused('BAD_RECURRENCE', 'By this rule the event never happens.');
  return { rule, when: startingAt(when, localMs) };
}
