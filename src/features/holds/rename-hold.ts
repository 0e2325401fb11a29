import { dropMadeHolds, keepMadeHold } from '#features/availability/public.ts';
import { rereadItems } from '#features/calendar/public.ts';
import type { ItemId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { lockHolds, renameItem } from './store/holds.ts';

/** The event of a hold was stored under another id, by a reading that took it for one of its person's. */
export async function renameHold(app: App, userId: UserId, from: ItemId, to: ItemId): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    await lockHolds(tx, userId);
    const hold = await renameItem(tx, userId, from, to);
    if (hold === null) return;
    await dropMadeHolds(tx, [from]);
    await keepMadeHold(tx, { itemId: to, userId, rank: hold.rank, hardenMs: hold.hardenMs });
    await rereadItems(app, tx, userId, [to]);
  });
}
