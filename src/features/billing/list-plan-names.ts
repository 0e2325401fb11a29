import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { isBillingOn, isLiveKey } from './is-billing-on.ts';
import { decideEntitlement } from './rules/entitlements.ts';
import { listPeople } from './store/people.ts';
import { listPlans } from './store/plans.ts';

/**
 * What the plan of each of these people is called, in two statements; those who have none are left out. Null where this
 * install asks nobody for money.
 */
export async function listPlanNames(
  { config, clock, db }: Pick<App, 'config' | 'clock' | 'db'>,
  userIds: readonly UserId[],
): Promise<Map<UserId, string> | null> {
  if (!isBillingOn(config)) return null;
  const [plans, people] = await Promise.all([listPlans(db), listPeople(db, userIds, isLiveKey(config))]);
  return new Map(
    people.flatMap(({ userId, ...standing }) => {
      const { plan } = decideEntitlement({ plans, ...standing }, clock.nowMs());
      return plan === null ? [] : [[userId, plan.name] as const];
    }),
  );
}
