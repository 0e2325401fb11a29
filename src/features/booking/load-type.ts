import { AppError } from '#kernel/errors.ts';
import type { EventTypeId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { Database } from '#platform/db.ts';
import { type EventType, findType } from './store/event-type-rows.ts';

/** An event type of theirs. *Errors*: AppError not-found, also for somebody else's. */
export async function loadType(db: Database, actor: Actor, id: EventTypeId): Promise<EventType> {
  const type = await findType(db, id);
  if (type === null || type.userId !== actor.userId)
    throw new AppError('not-found', 'NOT_FOUND', 'There is no such event type.');
  return type;
}
