import type { Core, EventBody, RecId, When } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import { parseRecId } from '#kernel/time/rec-id.ts';
import { type Occurrence, occurrencesOf } from './occurrences.ts';
import { changedInstance } from './split-series.ts';

const dayMs = 86_400_000;
const everywhere = { fromMs: Number.MIN_SAFE_INTEGER, toMs: Number.MAX_SAFE_INTEGER };

/**
 * One instance of an event by its name (`''`: a single event), wherever an override has moved it; null where the event
 * has none of that name. *Units*: epoch ms.
 */
export function findOccurrence(
  body: EventBody,
  recId: RecId | '',
  calendarZone: string,
  ownerZone: string,
): Occurrence | null {
  const find = (of: EventBody, window: { fromMs: number; toMs: number }) =>
    occurrencesOf(of, calendarZone, ownerZone, window, eventLimits).list.find((one) => one.recId === recId) ?? null;
  if (body.kind === 'withheld') return null;
  if (body.kind === 'single') return find(body, everywhere);
  const series = body.kind === 'split' ? body.series : body;
  const override = (series.kind === 'instances' ? series.list : series.overrides)[recId];
  const asItSays = (instance: { when: When; core: Core }) =>
    find({ kind: 'instances', of: '', from: 0, to: 0, list: { [recId]: instance } }, everywhere);
  if (override !== undefined) return asItSays(override);
  const originalMs = parseRecId(recId)?.ms;
  if (series.kind === 'instances' || originalMs === undefined) return null;
  // a name of local time or of a day may be read in any zone
  const original = find({ ...series, overrides: {} }, { fromMs: originalMs - 2 * dayMs, toMs: originalMs + 2 * dayMs });
  const changed = body.kind === 'split' ? changedInstance(body, recId) : null;
  if (original === null || changed === null) return original;
  return changed === 'gone' ? null : asItSays(changed);
}
