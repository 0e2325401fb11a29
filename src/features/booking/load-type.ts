import type { EventTypeId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { type Need, noSuchType, requireOwn } from './require-own.ts';
import type { TypeOwner } from './rules/type-hosts.ts';
import { type EventType, findType } from './store/event-type-rows.ts';

/**
 * An event type of theirs, or of a team in which they may do this.
 * *Errors*: AppError not-found, also for somebody else's; forbidden (`FORBIDDEN`).
 */
export async function loadType(
  db: Database,
  actor: { userId: UserId },
  id: EventTypeId,
  need: Need = 'manage-event-types',
): Promise<EventType & TypeOwner> {
  const type = await findType(db, id);
  if (type === null) throw noSuchType();
  await requireOwn(db, actor, type as TypeOwner, need);
  return type as EventType & TypeOwner;
}
