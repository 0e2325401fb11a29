import { loadOwnerZone } from '#features/accounts/public.ts';
import { listHoldRules } from '#features/availability/public.ts';
import { holdRankIn } from '#features/availability/rules/hold-rules.ts';
import { listCalendars } from '#features/connections/public.ts';
import type { CalendarId, ItemId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { inTransaction } from '#platform/db.ts';
import type { Reading } from './rules/materialise.ts';
import { spansOf } from './rules/materialise.ts';
import { spanWindow } from './rules/span-window.ts';
import { listRolling, replaceSpans, takePlans, unplanItems } from './store/items.ts';

const batchItems = 500;

/**
 * Computes instances anew: of every series each day, because the window has moved; of everything of one person when
 * their zone changes, because all-day events cover other instants then, or what is a hold. Running it twice gives the same rows.
 */
export async function rollSpans(app: App, userId: UserId | null, signal: AbortSignal): Promise<void> {
  const window = spanWindow(app.clock.nowMs());
  const readingOf = readingReader(app);
  const calendarIds = userId === null ? null : (await listCalendars(app.db, userId)).map((calendar) => calendar.id);
  let after: string | null = '00000000-0000-0000-0000-000000000000';
  while (after !== null) {
    signal.throwIfAborted();
    const from: string = after;
    after = await inTransaction(app.db, (tx) => rollPage(tx, { calendarIds, after: from }, window, readingOf));
  }
}

/** One page in one transaction. Answers with its last item, null after the last page. */
async function rollPage(
  tx: Tx,
  filter: { calendarIds: CalendarId[] | null; after: string },
  window: { fromMs: number; toMs: number },
  readingOf: (userId: UserId, calendarId: string) => Promise<Reading>,
): Promise<string | null> {
  if (filter.calendarIds !== null) await takePlans(tx, filter.calendarIds);
  const items = await listRolling(tx, { ...filter, limit: batchItems });
  for (const [, list] of Map.groupBy(items, (item) => item.calendarId)) {
    const [first] = list;
    if (first === undefined) continue;
    const reading = await readingOf(first.userId, first.calendarId);
    const spans = list.flatMap((item) =>
      spansOf(item.body, item.provenance, reading, window).spans.map((span) => ({ itemId: item.id, ...span })),
    );
    const ids: ItemId[] = list.map((item) => item.id);
    await replaceSpans(tx, first, ids, spans);
    if (filter.calendarIds === null) continue;
    await unplanItems(
      tx,
      list.filter((item) => item.provenance === 'foreign').map((item) => item.id),
    );
  }
  return items.at(-1)?.id ?? null;
}

/** How the events of a person's calendars are read, each person asked about once. */
function readingReader(app: App): (userId: UserId, calendarId: string) => Promise<Reading> {
  const load = async (userId: UserId) => ({
    ownerZone: await loadOwnerZone(app.db, userId),
    calendars: new Map<string, string>((await listCalendars(app.db, userId)).map(({ id, zone }) => [id, zone])),
    rules: await listHoldRules(app.db, userId),
  });
  const known = new Map<UserId, ReturnType<typeof load>>();
  return async (userId, calendarId) => {
    const loading = known.get(userId) ?? load(userId);
    known.set(userId, loading);
    const { ownerZone, calendars, rules } = await loading;
    const calendarZone = calendars.get(calendarId) ?? ownerZone;
    return { ownerZone, calendarZone, holdRank: holdRankIn(rules, calendarId) };
  };
}
