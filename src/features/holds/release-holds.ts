import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { endHold } from './end-hold.ts';
import { findHold, listExpired, lockHolds } from './store/holds.ts';

const batch = 200;

/** Releases the holds that have expired, each in a transaction of its own; answers with when the next one will. */
export async function releaseHolds(app: App, signal: AbortSignal): Promise<number | null> {
  for (;;) {
    const nowMs = app.clock.nowMs();
    const { due, nextMs } = await listExpired(app.db, { nowMs, limit: batch });
    for (const { id, userId } of due) {
      signal.throwIfAborted();
      await inTransaction(app.db, async (tx) => {
        await lockHolds(tx, userId);
        const hold = await findHold(tx, userId, id);
        const isLive = hold?.state === 'held' || hold?.state === 'gave-way';
        if (hold !== null && isLive && (hold.expiresMs ?? Infinity) <= nowMs) await endHold(app, tx, hold, 'released');
      });
    }
    if (due.length < batch) return nextMs;
  }
}
