import { requirePermission } from '#features/teams/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
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

export const noSuchType = () => new AppError('not-found', 'NOT_FOUND', 'There is no such event type.');
