import type { HoldId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { noHold, tooLate } from './change-hold.ts';
import { demandFree } from './demand-free.ts';
import { noteHold } from './note-hold.ts';
import { homeOf, placeOf } from './settle-holds.ts';
import { findHold, type Hold, lockHolds, updateHold } from './store/holds.ts';
import { writeHold } from './write-hold.ts';

/** It stands again where it stood. *Errors*: AppError not-found, conflict (TOO_LATE, TAKEN). */
export function restoreHold(app: App, { userId }: Actor, id: HoldId): Promise<Hold> {
  return inTransaction(app.db, async (tx) => {
    await lockHolds(tx, userId);
    const hold = await findHold(tx, userId, id);
    if (hold === null) throw noHold();
    if (hold.state === 'held') return hold;
    const at = placeOf(hold) ?? homeOf(hold);
    const nowMs = app.clock.nowMs();
    if (hold.state !== 'removed' || at.endMs <= nowMs || (hold.expiresMs ?? Infinity) <= nowMs) throw tooLate();
    await demandFree(tx, userId, at);
    const restored = await updateHold(tx, id, { state: 'held', ...at, endedMs: null });
    await noteHold(app, tx, restored, 'restored', { to: at });
    await writeHold(app, tx, restored);
    return restored;
  });
}
