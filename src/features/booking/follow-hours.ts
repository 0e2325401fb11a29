import { followPolicy } from '#features/availability/public.ts';
import type { EventTypeId, UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import type { TypeSettings } from './rules/type-settings.ts';

/** Says whose hours an event type follows: what is followed cannot be deleted. *Errors*: AppError not-found. */
export function followHours(
  tx: Tx,
  type: { id: EventTypeId; userId: UserId; title: string; settings: Pick<TypeSettings, 'policy'> },
): Promise<void> {
  return followPolicy(tx, type.userId, { kind: 'event-type', id: type.id, name: type.title }, type.settings.policy);
}

/** It is gone, and follows nothing. */
export function leaveHours(tx: Tx, userId: UserId, id: EventTypeId): Promise<void> {
  return followPolicy(tx, userId, { kind: 'event-type', id, name: '' }, { kind: 'default' });
}
