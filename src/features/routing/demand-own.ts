import { requirePermission } from '#features/teams/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { FormOwner } from './rules/form-owner.ts';

export type Need = 'see-team' | 'see-bookings' | 'manage-routing';

/** Whether what belongs to this owner is theirs to see or change. *Errors*: AppError not-found, forbidden. */
export async function demandOwn(
  db: Database,
  actor: { userId: UserId },
  { userId, teamId }: FormOwner,
  need: Need,
): Promise<void> {
  if (teamId !== null) await requirePermission(db, actor, teamId, need);
  else if (userId !== actor.userId) throw noSuchForm();
}

/** `demandOwn` inside the transaction of a change, before its other locks. *Errors*: as `demandOwn`. */
export async function lockOwn(
  tx: Tx,
  actor: { userId: UserId },
  { userId, teamId }: FormOwner,
  need: Need = 'manage-routing',
): Promise<void> {
  if (teamId !== null) await requirePermission(tx, actor, teamId, need, 'lock');
  else if (userId !== actor.userId) throw noSuchForm();
}

export const noSuchForm = () => new AppError('not-found', 'NOT_FOUND', 'There is no such form.');
