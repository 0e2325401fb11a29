import { listHoldRules } from '#features/availability/public.ts';
import { holdRankIn } from '#features/availability/rules/hold-rules.ts';
import type { Calendar } from '#features/connections/public.ts';
import { eventLimits } from '#kernel/event.ts';
import { occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import type { App } from '#platform/app.ts';
import { type Shown, shownOf } from './rules/event-view.ts';
import { spanWindow } from './rules/span-window.ts';
import { listSeriesIn } from './store/spans.ts';

/** The window moves at midnight, what is kept ready follows within the day: its outermost days are not relied on. */
const edgeMs = 2 * 86_400_000;
const mostSeries = 5_000;

/**
 * Instances that are not kept ready: of our blocks always, of other series outside the materialised window; a query or
 * two. Cut: there are more series than are looked at.
 */
export async function expandSeries(
  app: Pick<App, 'db' | 'clock'>,
  calendars: Calendar[],
  range: { fromMs: number; toMs: number },
  ownerZone: string,
): Promise<{ instances: Shown[]; isCut: boolean }> {
  const window = spanWindow(app.clock.nowMs());
  const ready = { fromMs: window.fromMs + edgeMs, toMs: window.toMs - edgeMs };
  const inside = range.fromMs >= ready.fromMs && range.toMs <= ready.toMs;
  const zoneOf = new Map(calendars.map((calendar) => [calendar.id, calendar.zone]));
  const ids = calendars.map(({ id }) => id);
  const found = await listSeriesIn(app.db, ids, { ...range, limit: mostSeries + 1, onlyOwn: inside });
  const series = found.slice(0, mostSeries);
  const [owner] = calendars;
  const rules = owner === undefined || series.length === 0 ? [] : await listHoldRules(app.db, owner.userId);
  const instances = series.flatMap((item) =>
    occurrencesOf(item.body, zoneOf.get(item.calendarId) ?? ownerZone, ownerZone, range, {
      instances: eventLimits.instances,
      steps: eventLimits.steps,
    })
      .list.filter((one) => item.provenance === 'own' || one.endMs <= ready.fromMs || one.startMs >= ready.toMs)
      .map((one) => shownOf(item, one, holdRankIn(rules, item.calendarId, item.itemId))),
  );
  return { instances, isCut: found.length > mostSeries };
}
