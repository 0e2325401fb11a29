import type { HoldId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { noHold, tooLate } from './change-hold.ts';
import { endHold } from './end-hold.ts';
import { findHold, type Hold, lockHolds } from './store/holds.ts';

/** *Errors*: AppError not-found, conflict (TOO_LATE). */
export function removeHold(app: App, { userId }: Actor, id: HoldId): Promise<Hold> {
  return inTransaction(app.db, async (tx) => {
    await lockHolds(tx, userId);
    const hold = await findHold(tx, userId, id);
    if (hold === null) throw noHold();
    if (hold.state === 'removed') return hold;
    if (hold.state === 'released') throw tooLate();
    return endHold(app, tx, hold, 'removed');
  });
}
