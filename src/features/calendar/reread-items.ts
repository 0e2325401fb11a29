import type { ItemId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { eventsMoved } from './events.ts';
import { respanItems } from './respan-items.ts';
import { spanWindow } from './rules/span-window.ts';
import { listRolling, listStored, takePlans, unplanItems } from './store/items.ts';

/** Recomputes a person's items, because their rank as holds changed; in the caller's transaction. */
export async function rereadItems(app: App, tx: Tx, userId: UserId, ids: ItemId[]): Promise<void> {
  const stored = await listStored(tx, userId, { ids });
  if (stored.length === 0) return;
  await takePlans(tx, [...new Set(stored.map(({ calendarId }) => calendarId))]);
  const items = await listRolling(tx, { itemIds: stored.map(({ itemId }) => itemId) });
  await respanItems(tx, items, spanWindow(app.clock.nowMs()), new Map());
  await unplanItems(tx, ids);
  await app.news.announce(tx, eventsMoved, { userId });
  await app.feed.publish(tx, userId, 'calendar');
}
