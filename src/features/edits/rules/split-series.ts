import type { RecId, Series } from '#kernel/event.ts';
import { formatRule } from '#kernel/recurrence/format-rule.ts';
import { parseRule } from '#kernel/recurrence/parse-rule.ts';
import type { Until } from '#kernel/recurrence/rule.ts';
import { dayMs, secondMs } from '#kernel/time/civil.ts';
import { parseLocal } from '#kernel/time/local.ts';
import { EditRefused } from './refusal.ts';
import { openStarts } from './series-starts.ts';
import { frameMsOf, localOfRecId, startingAt } from './wall-time.ts';

/**
 * A series in two: what comes before an instance, and a series that goes on from there. Together they have every instance
 * of the whole, each once. Null where nothing comes before. *Errors*: EditRefused BAD_RECURRENCE.
 */
export function splitSeries(series: Series, at: RecId): { rest: Series; tail: Series } | null {
  const { when } = series;
  const localMs = localOfRecId(when, at);
  if (localMs === null) throw new EditRefused('BAD_RECURRENCE', 'There is no such event in the series.');
  const atMs = frameMsOf(when, localMs);
  const isBefore = (recId: RecId) => frameMsOf(when, localOfRecId(when, recId) ?? 0) < atMs;
  const extraBefore = (start: string) => frameMsOf(when, parseLocal(start) ?? 0) < atMs;

  const [text] = series.rules;
  if (series.exRules.length > 0 || series.rules.length > 1 || text === undefined) throw cannotSplit();
  const parsed = parseRule(text);
  if (!parsed.ok) throw cannotSplit();
  const plain = openStarts({ when, rules: [text] });
  // an instance that the rule does not make has no place in it from which it could go on
  if (plain.between(atMs, atMs + 1).startsMs.length === 0) throw cannotSplit();
  const before = plain.between(plain.firstMs(), atMs);
  const hasExtras = series.extraDates.some(({ start }) => extraBefore(start));
  if (before.startsMs.length === 0 && !before.tooDense && !hasExtras) return null;
  if (parsed.rule.count !== null && before.tooDense) throw cannotSplit();

  const counted = before.startsMs.length;
  const { rule } = parsed;
  const restRule = rule.count === null ? { ...rule, until: untilBefore(when.kind, atMs) } : { ...rule, count: counted };
  const tailRule = rule.count === null ? rule : { ...rule, count: rule.count - counted };
  const overrides = Object.entries(series.overrides);
  return {
    rest: {
      ...series,
      rules: [formatRule(restRule)],
      extraDates: series.extraDates.filter(({ start }) => extraBefore(start)),
      exdates: series.exdates.filter(isBefore),
      overrides: Object.fromEntries(overrides.filter(([recId]) => isBefore(recId))),
    },
    tail: {
      ...series,
      when: startingAt(when, localMs),
      rules: [formatRule(tailRule)],
      extraDates: series.extraDates.filter(({ start }) => !extraBefore(start)),
      exdates: series.exdates.filter((recId) => !isBefore(recId)),
      overrides: Object.fromEntries(overrides.filter(([recId]) => !isBefore(recId))),
    },
  };
}

const cannotSplit = () =>
  new EditRefused('BAD_RECURRENCE', 'This series cannot be parted here. Change only this event, or all of them.');

function untilBefore(kind: Series['when']['kind'], atMs: number): Until {
  if (kind === 'all-day') return { form: 'date', ms: atMs - dayMs };
  return { form: kind === 'zoned' ? 'utc' : 'local', ms: atMs - secondMs };
}
