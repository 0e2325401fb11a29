import type { EventBody, RecId } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import { parseRecId } from '#kernel/time/rec-id.ts';
import { type Occurrence, occurrencesOf } from './occurrences.ts';

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
  const changed = (body.kind === 'instances' ? body.list : body.overrides)[recId];
  if (changed !== undefined) {
    return find({ kind: 'instances', of: '', from: 0, to: 0, list: { [recId]: changed } }, everywhere);
  }
  const originalMs = parseRecId(recId)?.ms;
  if (body.kind === 'instances' || originalMs === undefined) return null;
  // a name of local time or of a day may be read in any zone
  return find({ ...body, overrides: {} }, { fromMs: originalMs - 2 * dayMs, toMs: originalMs + 2 * dayMs });
}
