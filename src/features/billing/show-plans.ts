import type { Output } from '#kernel/contract.ts';
import type { App } from '#platform/app.ts';
import type { billingContract } from './contract.ts';
import { isBillingOn } from './is-billing-on.ts';
import { listPlans } from './store/plans.ts';

/** For the operator: every plan, whether billing is on or not. */
export async function showPlans({
  db,
  config,
}: Pick<App, 'db' | 'config'>): Promise<Output<typeof billingContract.listPlans>> {
  return { billing: isBillingOn(config) ? 'on' : 'off', plans: await listPlans(db) };
}
