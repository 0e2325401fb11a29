import { type HoldRules, holdRankIn } from '#features/availability/rules/hold-rules.ts';
import { eventLimits } from '#kernel/event.ts';
import { type Occurrence, occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import { type Shown, type ShownItem, shownOf } from './event-view.ts';

/** By whom and where an event is read. */
interface Reading {
  calendars: readonly { id: string; zone: string }[];
  ownerZone: string;
  rules: HoldRules;
}

const limits = { instances: eventLimits.instances, steps: eventLimits.steps };

/** What is shown of an event in a range, expanded here. */
export function instancesOf(
  item: ShownItem,
  { calendars, ownerZone, rules }: Reading,
  range: { fromMs: number; toMs: number },
  isWanted: (one: Occurrence) => boolean = () => true,
): Shown[] {
  const zone = calendars.find(({ id }) => id === item.calendarId)?.zone ?? ownerZone;
  return occurrencesOf(item.body, zone, ownerZone, range, limits)
    .list.filter(isWanted)
    .map((one) => shownOf(item, one, holdRankIn(rules, item.calendarId, item.itemId)));
}
