import { listHoldRules } from '#features/availability/public.ts';
import type { Calendar } from '#features/connections/public.ts';
import type { Occurrence } from '#kernel/recurrence/occurrences.ts';
import { WorkBudget } from '#kernel/work-budget.ts';
import { viewLimits } from '#kernel/work-limits.ts';
import type { App } from '#platform/app.ts';
import { inSlices } from '#platform/in-slices.ts';
import type { Shown } from './rules/event-view.ts';
import { instancesOf, mostSeries, zonesOf } from './rules/instances-of.ts';
import { spanWindow } from './rules/span-window.ts';
import { listSeriesIn } from './store/spans.ts';

/** The window moves at midnight, what is kept ready follows within the day: its outermost days are not relied on. */
const edgeMs = 2 * 86_400_000;

/**
 * Instances of others' series outside the materialised window; two queries, within it none. Cut: there are more series than
 * are looked at.
 */
export async function expandSeries(
  app: Pick<App, 'db' | 'clock'>,
  calendars: Calendar[],
  range: { fromMs: number; toMs: number },
  ownerZone: string,
): Promise<{ instances: Shown[]; isCut: boolean }> {
  const window = spanWindow(app.clock.nowMs());
  const ready = { fromMs: window.fromMs + edgeMs, toMs: window.toMs - edgeMs };
  const [owner] = calendars;
  if (owner === undefined || (range.fromMs >= ready.fromMs && range.toMs <= ready.toMs)) {
    return { instances: [], isCut: false };
  }
  const ids = calendars.map(({ id }) => id);
  const { items: series, isCut } = await listSeriesIn(app.db, ids, { ...range, limit: mostSeries + 1 });
  const rules = series.length === 0 ? [] : await listHoldRules(app.db, owner.userId);
  const isFar = (one: Occurrence) => one.endMs <= ready.fromMs || one.startMs >= ready.toMs;
  const reading = { zones: zonesOf(calendars), ownerZone, rules };
  const budget = new WorkBudget(viewLimits);
  const found = await inSlices(instancesOf(series.slice(0, mostSeries), reading, range, budget, isFar), budget);
  return { ...found, isCut: isCut || found.isCut || series.length > mostSeries };
}
