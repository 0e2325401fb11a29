import { type HoldRules, holdRankIn } from '#features/availability/rules/hold-rules.ts';
import type { EventBody, Provenance } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import type { CalendarId, ItemId } from '#kernel/ids.ts';
import { type Occurrence, occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import { type WorkBudget, WorkLimitError } from '#kernel/work-budget.ts';
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
 * The instances of an item that overlap [fromMs, toMs), as the unified view shows them; none where its calendar is gone or the
 * budget used up.
 */
export function showItem(
  viewer: Viewer,
  holdRules: HoldRules,
  item: ItemToShow,
  range: { fromMs: number; toMs: number },
  budget: WorkBudget,
): EventView[] {
  const face = viewer.faces.get(item.calendarId);
  if (face === undefined) return [];
  return listWithin(budget, item.body, face.calendar.zone, viewer.ownerZone, range).map((one) => {
    const event = eventView(
      shownOf(
        { ...item, ref: item.ref ?? '', problem: null },
        one,
        holdRankIn(holdRules, item.calendarId, item.itemId),
      ),
      face,
      viewer,
    );
    return item.ref === null ? { ...event, open_url: null } : event;
  });
}

function listWithin(
  budget: WorkBudget,
  body: EventBody,
  calendarZone: string,
  ownerZone: string,
  range: { fromMs: number; toMs: number },
): Occurrence[] {
  try {
    return occurrencesOf(body, calendarZone, ownerZone, range, eventLimits, budget).list;
  } catch (error) {
    if (error instanceof WorkLimitError) return [];
    throw error;
  }
}
