import { isBillingOn, requireAllowance } from '#features/billing/public.ts';
import { findOwnerId, listMemberIds, listTeamsOf, requirePermission } from '#features/teams/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { WorkflowOwner } from './rules/action.ts';
import { countPaidBy, countWorkflows } from './store/workflow-rows.ts';

/** *Errors*: AppError not-found, also for somebody else's; forbidden (`FORBIDDEN`) in a team. */
export async function requireAccess(db: Database, actor: Actor, { userId, teamId }: WorkflowOwner): Promise<void> {
  if (teamId !== null) await requirePermission(db, actor, teamId, 'manage-workflows');
  else if (userId !== actor.userId) throw noSuchWorkflow();
}

/** `requireAccess` inside the transaction of a change, before its other locks. *Errors*: as `requireAccess`. */
export async function lockOwn(tx: Tx, actor: Actor, { userId, teamId }: WorkflowOwner): Promise<void> {
  if (teamId !== null) await requirePermission(tx, actor, teamId, 'manage-workflows', 'lock');
  else if (userId !== actor.userId) throw noSuchWorkflow();
}

export const noSuchWorkflow = () => new AppError('not-found', 'NOT_FOUND', 'Workflow not found.');

const most = 100;

/**
 * Requires room for one more workflow, in the transaction that adds it. A team's workflows count for its owner.
 * *Errors*: AppError conflict (`TOO_MANY`), as `requireAllowance`.
 */
export async function requireRoom(app: Pick<App, 'config' | 'clock'>, tx: Tx, owner: WorkflowOwner): Promise<void> {
  if ((await countWorkflows(tx, owner)) >= most)
    throw new AppError('conflict', 'TOO_MANY', `You can have up to ${most} workflows. Delete one first.`);
  if (!isBillingOn(app.config)) return;
  const payer = owner.teamId === null ? owner.userId : await findOwnerId(tx, owner.teamId);
  if (payer === null) return;
  await requireAllowance(app, tx, payer, { thing: 'workflows', count: () => countOf(tx, payer) });
}

async function countOf(tx: Tx, payer: UserId): Promise<number> {
  const owned = (await listTeamsOf(tx, payer)).filter(({ role }) => role === 'owner');
  return countPaidBy(
    tx,
    payer,
    owned.map(({ id }) => id),
  );
}

/** Refreshes the open screens of the owner of workflows: a person, or all members of the team. */
export async function emitToOwner(
  { feed }: Pick<App, 'feed'>,
  db: Database,
  { userId, teamId }: WorkflowOwner,
  topic: string,
): Promise<void> {
  await feed.publishToAll(db, teamId === null ? [userId] : await listMemberIds(db, teamId), topic);
}
