import type { Calendar } from '#features/connections/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { expandSeries } from './expand-series.ts';
import { eventIdOf, type Shown } from './rules/event-view.ts';
import { listViewSpans } from './store/spans.ts';

/**
 * Every instance on these calendars that overlaps the range, in order of start; three queries. What blocks time is kept
 * ready, our own blocks and far dates are expanded here. Cut: there may be more than these.
 */
export async function listShown(
  app: Pick<App, 'db' | 'clock'>,
  userId: UserId,
  calendars: Calendar[],
  ownerZone: string,
  range: { fromMs: number; toMs: number; limit: number },
): Promise<{ shown: Shown[]; isCut: boolean }> {
  const ids = calendars.map(({ id }) => id);
  const [spans, { instances, isCut }] = await Promise.all([
    listViewSpans(app.db, userId, ids, { ...range, limit: range.limit + 1 }),
    expandSeries(app, calendars, range, ownerZone),
  ]);
  if (instances.length > 0) {
    const held = new Set(spans.map(instanceOf));
    spans.push(...instances.filter((span) => !held.has(instanceOf(span))));
    spans.sort((one, other) => one.startMs - other.startMs);
  }
  return { shown: spans.slice(0, range.limit), isCut: isCut || spans.length > range.limit };
}

const instanceOf = (span: Shown) => eventIdOf(span.itemId, span.recId);
