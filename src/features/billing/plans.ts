import { recordAct } from '#features/accounts/audit/public.ts';
import { demandRecentProof } from '#features/accounts/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { isBillingOn } from './billing.ts';
import type { billingContract } from './contract.ts';
import { isForSale, isTrialPlan, type Plan } from './rules.ts';
import { listPlans, updatePlan } from './store/plans.ts';

/** For the operator: every plan, whether billing is on or not. */
export async function listPlansForAdmin({
  db,
  config,
}: Pick<App, 'db' | 'config'>): Promise<Output<typeof billingContract.listPlans>> {
  return { billing: isBillingOn(config) ? 'on' : 'off', plans: await listPlans(db) };
}

/**
 * The operator changes what is on offer, from now on: who pays a price keeps it, and nobody loses what they have.
 * *Errors*: as `demandRecentProof`; AppError not-found, conflict (STALE, NOT_OF_THIS_PLAN).
 */
export async function changePlan(
  app: Pick<App, 'db'>,
  actor: Actor,
  key: string,
  { revision, reason, ...change }: Input<typeof billingContract.changePlan>['body'],
  request: RequestFacts,
): Promise<void> {
  demandRecentProof(actor);
  await inTransaction(app.db, async (tx) => {
    const plan = (await listPlans(tx)).find((one) => one.key === key);
    if (plan === undefined) throw new AppError('not-found', 'NOT_FOUND', 'Plan not found.');
    const asksPrice = (change.amount ?? 0) > 0 || change.trial_eligible === true;
    if (isTrialPlan(plan) ? asksPrice : change.trial_days !== undefined)
      throw new AppError(
        'conflict',
        'NOT_OF_THIS_PLAN',
        'A trial plan must be free, and only a trial plan can have trial days. Nothing was changed.',
      );
    if (!(await updatePlan(tx, key, revision, change)))
      throw new AppError('conflict', 'STALE', 'This plan was just changed. Reload it and try again.');
    const isPrice = change.amount !== undefined && change.amount !== plan.amount;
    await recordAct(tx, {
      actorId: actor.userId,
      action: isPrice ? 'pricing_change' : 'plan_update',
      subject: { kind: 'plan', id: key },
      reason,
      request,
      details: {
        changed: Object.keys(change).join(' '),
        ...(isPrice ? { before: plan.amount, after: change.amount ?? 0 } : {}),
      },
    });
  });
}

/** A plan that can be bought now, by our own list. *Errors*: AppError conflict (NOT_ON_OFFER). */
export function requirePlan(plans: readonly Plan[], key: string): Plan {
  const plan = plans.find((one) => one.key === key && isForSale(one));
  if (plan === undefined) throw new AppError('conflict', 'NOT_ON_OFFER', "This plan isn't available. Choose another.");
  return plan;
}
