import { lockUser } from '#features/accounts/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { EventTypeId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { typesTopic } from './events.ts';
import { followHours } from './follow-hours.ts';
import { mostTypes, slugTaken, tooManyTypes } from './keep-type.ts';
import { loadType } from './load-type.ts';
import { listTypes, restoreType, slugIsTaken } from './store/event-type-rows.ts';

/** Takes a deletion back. *Errors*: AppError not-found, conflict (`SLUG_TAKEN`, `TOO_MANY`). */
export async function restoreEventType(app: App, actor: Actor, id: EventTypeId): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    await lockUser(tx, actor.userId);
    if ((await listTypes(tx, actor.userId)).length >= mostTypes) throw tooManyTypes();
    if (!(await restoreType(tx, actor.userId, id)))
      throw new AppError('not-found', 'NOT_FOUND', 'There is no such event type, or it was deleted too long ago.');
    await followHours(tx, await loadType(tx, actor, id));
    await app.feed.publish(tx, actor.userId, typesTopic);
  }).catch((error: unknown) => {
    throw slugIsTaken(error) ? slugTaken() : error;
  });
}
