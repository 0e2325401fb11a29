import { isBillingOn, requireAllowance } from '#features/billing/public.ts';
import { findOwnerId, listTeamsOf } from '#features/teams/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import type { WorkflowOwner } from './rules/action.ts';
import { countPaidBy, countWorkflows } from './store/workflow-rows.ts';

const most = 100;

/**
 * One more workflow, in the transaction that adds it. What a team has counts for whoever owns it.
 * *Errors*: AppError conflict (`TOO_MANY`), as `requireAllowance`.
 */
export async function demandRoom(app: Pick<App, 'config' | 'clock'>, tx: Tx, owner: WorkflowOwner): Promise<void> {
  if ((await countWorkflows(tx, owner)) >= most)
    throw new AppError('conflict', 'TOO_MANY', `There are ${most} workflows, which is the most. Delete one first.`);
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
