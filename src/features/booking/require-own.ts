import { requirePermission } from '#features/teams/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { TypeOwner } from './rules/type-hosts.ts';

export type Need = 'see-team' | 'manage-event-types';

/** Whether what belongs to this owner is theirs to see or change: the one place that says so. *Errors*: AppError not-found, forbidden. */
export async function requireOwn(
  db: Database,
  actor: { userId: UserId },
  { userId, teamId }: TypeOwner,
  need: Need,
): Promise<void> {
  if (teamId !== null) await requirePermission(db, actor, teamId, need);
  else if (userId !== actor.userId) throw noSuchType();
}

/** `requireOwn` inside the transaction of a change, before its other locks. *Errors*: as `requireOwn`. */
export async function lockOwn(
  tx: Tx,
  actor: { userId: UserId },
  { userId, teamId }: TypeOwner,
  need: Need = 'manage-event-types',
): Promise<void> {
  if (teamId !== null) await requirePermission(tx, actor, teamId, need, 'lock');
  else if (userId !== actor.userId) throw noSuchType();
}

export const noSuchType = () => new AppError('not-found', 'NOT_FOUND', 'Event type not found.');
