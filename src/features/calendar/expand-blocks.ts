import type { Calendar } from '#features/connections/public.ts';
import { WorkBudget } from '#kernel/work-budget.ts';
import { viewLimits } from '#kernel/work-limits.ts';
import type { App } from '#platform/app.ts';
import { inSlices } from '#platform/in-slices.ts';
import type { Shown } from './rules/event-view.ts';
import { instancesOf, mostSeries, zonesOf } from './rules/instances-of.ts';
import { listBlocksIn } from './store/spans.ts';

/** Instances of our blocks in a range, in no order; one query. Cut: there are more blocks than are looked at. */
export async function expandBlocks(
  app: Pick<App, 'db'>,
  calendars: Calendar[],
  range: { fromMs: number; toMs: number; limit: number },
  ownerZone: string,
): Promise<{ instances: Shown[]; isCut: boolean }> {
  const ids = calendars.map(({ id }) => id);
  const { items: blocks, isCut } = await listBlocksIn(app.db, ids, {
    ...range,
    limit: range.limit + 1,
    series: mostSeries + 1,
  });
  const { series = [], others = [] } = Object.groupBy(blocks, ({ body }) =>
    body.kind === 'series' ? 'series' : 'others',
  );
  // a block is no hold
  const reading = { zones: zonesOf(calendars), ownerZone, rules: [] };
  const budget = new WorkBudget(viewLimits);
  const found = await inSlices(
    instancesOf([...series.slice(0, mostSeries), ...others], reading, range, budget),
    budget,
  );
  return { ...found, isCut: isCut || found.isCut || series.length > mostSeries || others.length > range.limit };
}
