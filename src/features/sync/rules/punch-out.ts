import type { Series } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import { occurrencesOf } from '#kernel/recurrence/occurrences.ts';

type Override = Series['overrides'][string];

/**
 * Exceptions that a block tells apart from their series: those at another time, and those that are not `alike`. Most
 * exceptions differ in an answer or a note only, which no block tells: they stay in the series, and cost no write.
 */
export function changedInstances(
  body: Series,
  alike: (override: Override) => boolean,
  calendarZone: string,
  ownerZone: string,
): Series['overrides'] {
  const candidates = Object.fromEntries(Object.entries(body.overrides).filter(([, override]) => alike(override)));
  const kept = new Set(regular(body, candidates, calendarZone, ownerZone));
  return Object.fromEntries(Object.entries(body.overrides).filter(([recId]) => !kept.has(recId)));
}

/** Names of those among `candidates` that stand where the series would put them. */
function regular(body: Series, candidates: Series['overrides'], calendarZone: string, ownerZone: string): string[] {
  const everywhere = { fromMs: Number.MIN_SAFE_INTEGER, toMs: Number.MAX_SAFE_INTEGER };
  const instances = { kind: 'instances' as const, of: '', from: 0, to: 0, list: candidates };
  const { list } = occurrencesOf(instances, calendarZone, ownerZone, everywhere, eventLimits);
  const [first, last] = [list[0], list.at(-1)];
  if (first === undefined || last === undefined) return [];
  const around = { fromMs: first.startMs, toMs: last.startMs + 1 };
  const planned = occurrencesOf({ ...body, overrides: {} }, calendarZone, ownerZone, around, eventLimits);
  const byName = new Map(planned.list.map((one) => [one.recId, one]));
  return list.flatMap((one) => {
    const usual = byName.get(one.recId);
    const same = usual?.startMs === one.startMs && usual.endMs === one.endMs && usual.allDay === one.allDay;
    return same ? [one.recId] : [];
  });
}
