import type { EventTypeId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { leaveHours } from './follow-hours.ts';
import { loadType } from './load-type.ts';
import { lockOwn } from './require-own.ts';
import { deleteType } from './store/event-type-rows.ts';
import { tellOwner } from './tell-owner.ts';

/** Nothing can be booked there from now on; what was booked stays. *Errors*: AppError not-found. */
export async function deleteEventType(app: App, actor: Actor, id: EventTypeId): Promise<void> {
  const type = await loadType(app.db, actor, id);
  await inTransaction(app.db, async (tx) => {
    await lockOwn(tx, actor, type);
    await deleteType(tx, id, type);
    await leaveHours(tx, type);
    await tellOwner(app, tx, type);
  });
}
