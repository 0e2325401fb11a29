import { AppError } from '#kernel/errors.ts';
import type { EventTypeId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { followHours } from './follow-hours.ts';
import { mostTypes, requireTextRoom, slugTaken, tooManyTypes } from './keep-type.ts';
import { loadType } from './load-type.ts';
import { lockOwner } from './lock-owner.ts';
import { lockOwn } from './require-own.ts';
import { findOwnerOfDeleted, listTypesOf, restoreType, slugIsTaken } from './store/event-type-rows.ts';
import { tellOwner } from './tell-owner.ts';

/** Takes a deletion back. *Errors*: AppError not-found, conflict (`SLUG_TAKEN`, `TOO_MANY`). */
export async function restoreEventType(app: App, actor: Actor, id: EventTypeId): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const owner = await findOwnerOfDeleted(tx, id);
    if (owner === null) throw notThere();
    await lockOwn(tx, actor, owner);
    await lockOwner(tx, owner);
    if ((await listTypesOf(tx, owner)).length >= mostTypes) throw tooManyTypes();
    if (!(await restoreType(tx, id))) throw notThere();
    await requireTextRoom(tx, owner);
    await followHours(tx, await loadType(tx, actor, id));
    await tellOwner(app, tx, owner);
  }).catch((error: unknown) => {
    throw slugIsTaken(error) ? slugTaken() : error;
  });
}

const notThere = () =>
  new AppError('not-found', 'NOT_FOUND', 'Event type not found, or deleted too long ago to restore.');
