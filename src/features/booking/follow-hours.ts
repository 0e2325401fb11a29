import { followPolicy } from '#features/availability/public.ts';
import type { EventTypeId, UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import type { TypeSettings } from './rules/type-settings.ts';

/** Says whose hours an event type follows: what is followed cannot be deleted. *Errors*: AppError not-found. */
export async function followHours(
  tx: Tx,
  type: { id: EventTypeId; userId: UserId | null; title: string; settings: Pick<TypeSettings, 'policy'> },
): Promise<void> {
  // with a team each of its hosts has their own
  if (type.userId === null) return;
  return followPolicy(tx, type.userId, { kind: 'event-type', id: type.id, name: type.title }, type.settings.policy);
}

/** It is gone, and follows nothing. */
export function leaveHours(tx: Tx, { id, userId }: { id: EventTypeId; userId: UserId | null }): Promise<void> {
  return followHours(tx, { id, userId, title: '', settings: { policy: { kind: 'default' } } });
}
