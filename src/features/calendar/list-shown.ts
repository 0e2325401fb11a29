import type { Calendar } from '#features/connections/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { expandBlocks } from './expand-blocks.ts';
import { expandSeries } from './expand-series.ts';
import { eventIdOf, type Shown } from './rules/event-view.ts';
import { listViewSpans } from './store/spans.ts';

/**
 * Returns every instance on these calendars that overlaps the range, by start. Three queries, two more far from today.
 * Busy instances come from the index; our own blocks and far dates are expanded here. `isCut`: there may be more.
 */
export async function listShown(
  app: Pick<App, 'db' | 'clock'>,
  userId: UserId,
  calendars: Calendar[],
  ownerZone: string,
  range: { fromMs: number; toMs: number; limit: number },
): Promise<{ shown: Shown[]; isCut: boolean }> {
  const ids = calendars.map(({ id }) => id);
  const [ready, far, blocks] = await Promise.all([
    listViewSpans(app.db, userId, ids, { ...range, limit: range.limit + 1 }),
    expandSeries(app, calendars, range, ownerZone),
    expandBlocks(app, calendars, range, ownerZone),
  ]);
  const spans = ready.shown;
  if (far.instances.length + blocks.instances.length > 0) {
    const held = new Set(spans.map(instanceOf));
    spans.push(...far.instances.filter((span) => !held.has(instanceOf(span))), ...blocks.instances);
    spans.sort((one, other) => one.startMs - other.startMs);
  }
  const isCut = ready.isCut || far.isCut || blocks.isCut || spans.length > range.limit;
  return { shown: spans.slice(0, range.limit), isCut };
}

const instanceOf = (span: Shown) => eventIdOf(span.itemId, span.recId);
