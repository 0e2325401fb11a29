import type { Calendar } from '#features/connections/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { expandSeries } from './expand-series.ts';
import { eventIdOf, type Shown } from './rules/event-view.ts';
import { listViewSpans } from './store/spans.ts';

/**
 * Every instance on these calendars that overlaps the range, in order of start; three queries. What blocks time is kept
 * ready, our own blocks and far dates are expanded here.
 */
export async function listShown(
  app: Pick<App, 'db' | 'clock'>,
  userId: UserId,
  calendars: Calendar[],
  ownerZone: string,
  range: { fromMs: number; toMs: number; limit: number },
): Promise<Shown[]> {
  const ids = calendars.map(({ id }) => id);
  const [spans, more] = await Promise.all([
    listViewSpans(app.db, userId, ids, range),
    expandSeries(app, calendars, range, ownerZone),
  ]);
  if (more.length === 0) return spans;
  const held = new Set(spans.map(instanceOf));
  spans.push(...more.filter((span) => !held.has(instanceOf(span))));
  return spans.sort((one, other) => one.startMs - other.startMs);
}

const instanceOf = (span: Shown) => eventIdOf(span.itemId, span.recId);
