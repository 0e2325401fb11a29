import { requirePermission } from '#features/teams/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { WorkflowOwner } from './rules/action.ts';

/** *Errors*: AppError not-found, also for somebody else's; forbidden (`FORBIDDEN`) in a team. */
export async function demandOwn(db: Database, actor: Actor, { userId, teamId }: WorkflowOwner): Promise<void> {
  if (teamId !== null) await requirePermission(db, actor, teamId, 'manage-workflows');
  else if (userId !== actor.userId) throw noSuchWorkflow();
}

/** `demandOwn` inside the transaction of a change, before its other locks. *Errors*: as `demandOwn`. */
export async function lockOwn(tx: Tx, actor: Actor, { userId, teamId }: WorkflowOwner): Promise<void> {
  if (teamId !== null) await requirePermission(tx, actor, teamId, 'manage-workflows', 'lock');
  else if (userId !== actor.userId) throw noSuchWorkflow();
}

export const noSuchWorkflow = () => new AppError('not-found', 'NOT_FOUND', 'There is no such workflow.');
