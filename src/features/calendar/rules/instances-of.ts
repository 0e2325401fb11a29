import { type HoldRules, holdRankIn } from '#features/availability/rules/hold-rules.ts';
import { eventLimits } from '#kernel/event.ts';
import { type Occurrence, occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import { type Sliced, type WorkBudget, WorkLimitError } from '#kernel/work-budget.ts';
import { type Shown, type ShownItem, shownOf } from './event-view.ts';

/** So many series are expanded for one answer; more, and it is cut. */
export const mostSeries = 5_000;

/** By whom and where events are read. */
interface Reading {
  /** Zones by calendar id. */
  zones: ReadonlyMap<string, string>;
  ownerZone: string;
  rules: HoldRules;
}

export const zonesOf = (calendars: readonly { id: string; zone: string }[]) =>
  new Map(calendars.map(({ id, zone }) => [id, zone]));

/**
 * Returns the instances in a range, expanded here until the budget is used up. `isCut`: there may be more. A series
 * that is too dense has no instances here.
 */
export function* instancesOf(
  items: readonly ShownItem[],
  { zones, ownerZone, rules }: Reading,
  range: { fromMs: number; toMs: number },
  budget: WorkBudget,
  isWanted: (one: Occurrence) => boolean = () => true,
): Sliced<{ instances: Shown[]; isCut: boolean }> {
  const instances: Shown[] = [];
  try {
    for (const item of items) {
      const zone = zones.get(item.calendarId) ?? ownerZone;
      const rank = holdRankIn(rules, item.calendarId, item.itemId);
      const { list } = occurrencesOf(item.body, zone, ownerZone, range, eventLimits, budget);
      for (const one of list) if (isWanted(one)) instances.push(shownOf(item, one, rank));
      yield;
    }
    return { instances, isCut: false };
  } catch (error) {
    if (error instanceof WorkLimitError) return { instances, isCut: true };
    throw error;
  }
}
