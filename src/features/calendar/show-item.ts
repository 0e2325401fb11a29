import { type HoldRules, holdRankIn } from '#features/availability/rules/hold-rules.ts';
import type { EventBody, Provenance } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import type { CalendarId, ItemId } from '#kernel/ids.ts';
import { occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import type { Sliced, WorkBudget } from '#kernel/work-budget.ts';
import { answerBytes } from '#platform/answer-bytes.ts';
import type { Viewer } from './load-viewer.ts';
import { type EventView, eventView, shownOf } from './rules/event-view.ts';

/** An item, or one that is still to be written: `ref` is null then. */
interface ItemToShow {
  itemId: ItemId;
  calendarId: CalendarId;
  ref: string | null;
  provenance: Provenance;
  hash: string;
  body: EventBody;
}

/**
 * The instances of an item that overlap [fromMs, toMs), as the unified view shows them; none where its calendar is gone.
 * *Errors*: WorkLimitError where the budget is used up.
 */
export function* showItem(
  viewer: Viewer,
  holdRules: HoldRules,
  item: ItemToShow,
  range: { fromMs: number; toMs: number },
  budget: WorkBudget,
): Sliced<EventView[]> {
  const face = viewer.faces.get(item.calendarId);
  if (face === undefined) return [];
  const { list } = occurrencesOf(item.body, face.calendar.zone, viewer.ownerZone, range, eventLimits, budget);
  const rank = holdRankIn(holdRules, item.calendarId, item.itemId);
  const events: EventView[] = [];
  for (const one of list) {
    const event = eventView(shownOf({ ...item, ref: item.ref ?? '', problem: null }, one, rank), face, viewer);
    budget.spend('bytes', answerBytes(event));
    events.push(item.ref === null ? { ...event, open_url: null } : event);
    yield;
  }
  return events;
}
