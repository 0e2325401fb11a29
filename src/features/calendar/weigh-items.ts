import { noHolds } from '#features/availability/rules/hold-rules.ts';
import { boundsOf } from '#kernel/recurrence/occurrences.ts';
import type { Sliced, WorkBudget } from '#kernel/work-budget.ts';
import { inSlices } from '#platform/in-slices.ts';
import type { CalendarOwner } from './apply-changes.ts';
import { type HashedItem, type Reading, spansOf } from './rules/materialise.ts';
import { spanWindow } from './rules/span-window.ts';

/**
 * The rows that a calendar would have in the busy index if it had these items and no others. Nothing is stored.
 * *Errors*: WorkLimitError past the budget.
 */
export async function weighItems(
  calendar: Pick<CalendarOwner, 'calendarZone' | 'ownerZone'>,
  items: readonly HashedItem[],
  nowMs: number,
  budget: WorkBudget,
): Promise<void> {
  await inSlices(weighEach({ ...calendar, holdRank: noHolds }, items, spanWindow(nowMs), budget), budget);
}

function* weighEach(
  reading: Reading,
  items: readonly HashedItem[],
  window: { fromMs: number; toMs: number },
  budget: WorkBudget,
): Sliced<void> {
  for (const { body, provenance } of items) {
    yield;
    if (body.kind === 'single') {
      if (provenance === 'foreign') budget.spend('instances', 1);
      continue;
    }
    spansOf(body, provenance, reading, window, budget);
    boundsOf(body, reading.calendarZone, reading.ownerZone, budget);
  }
}
