import { type HoldRules, holdRankIn } from '#features/availability/rules/hold-rules.ts';
import { eventLimits } from '#kernel/event.ts';
import { type Occurrence, occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import { type Shown, type ShownItem, shownOf } from './event-view.ts';

/** So many series are expanded for one answer; more, and it is cut. */
export const mostSeries = 5_000;

/** By whom and where events are read. */
interface Reading {
  /** Of calendars, by their id. */
  zones: ReadonlyMap<string, string>;
  ownerZone: string;
  rules: HoldRules;
}

export const zonesOf = (calendars: readonly { id: string; zone: string }[]) =>
  new Map(calendars.map(({ id, zone }) => [id, zone]));

const limits = { instances: eventLimits.instances, steps: eventLimits.steps };

/** What is shown of an event in a range, expanded here. */
export function instancesOf(
  item: ShownItem,
  { zones, ownerZone, rules }: Reading,
  range: { fromMs: number; toMs: number },
  isWanted: (one: Occurrence) => boolean = () => true,
): Shown[] {
  const zone = zones.get(item.calendarId) ?? ownerZone;
  return occurrencesOf(item.body, zone, ownerZone, range, limits)
    .list.filter(isWanted)
    .map((one) => shownOf(item, one, holdRankIn(rules, item.calendarId, item.itemId)));
}
