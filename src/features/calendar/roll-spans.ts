import { listCalendars } from '#features/connections/public.ts';
import type { CalendarId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { inTransaction } from '#platform/db.ts';
import type { KnownReadings } from './load-clocks.ts';
import { respanItems } from './respan-items.ts';
import { spanWindow } from './rules/span-window.ts';
import { listRolling, takePlans, unplanItems } from './store/items.ts';

/** Few enough that all their instances fit into memory, however many they have. */
const batchItems = 200;

/**
 * Recomputes instances. Each day it covers every series, because the window has moved. After a change of zone or hold
 * rules it covers everything of one person, because all-day events and holds change. Running it twice gives the same
 * rows.
 */
export async function rollSpans(app: App, userId: UserId | null, signal: AbortSignal): Promise<void> {
  const window = spanWindow(app.clock.nowMs());
  const known: KnownReadings = new Map();
  const calendarIds = userId === null ? null : (await listCalendars(app.db, userId)).map((calendar) => calendar.id);
  let after: string | null = '00000000-0000-0000-0000-000000000000';
  while (after !== null) {
    signal.throwIfAborted();
    const from: string = after;
    after = await inTransaction(app.db, (tx) => rollPage(tx, { calendarIds, after: from }, window, known));
  }
}

/** One page in one transaction. Answers with its last item, null after the last page. */
async function rollPage(
  tx: Tx,
  filter: { calendarIds: CalendarId[] | null; after: string },
  window: { fromMs: number; toMs: number },
  known: KnownReadings,
): Promise<string | null> {
  if (filter.calendarIds !== null) await takePlans(tx, filter.calendarIds);
  const items = await listRolling(tx, { ...filter, limit: batchItems });
  await respanItems(tx, items, window, known);
  if (filter.calendarIds !== null) {
    const foreign = items.filter((item) => item.provenance === 'foreign');
    await unplanItems(
      tx,
      foreign.map((item) => item.id),
    );
  }
  return items.at(-1)?.id ?? null;
}
