import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Database } from '#platform/db.ts';
import { isLiveKey } from './is-billing-on.ts';
import type { Standing } from './rules/entitlements.ts';
import { isTrialPlan } from './rules/plans.ts';
import { beginTrial, type Trial } from './rules/trial.ts';
import { ensurePerson, findPerson, type Person } from './store/people.ts';
import { listPlans } from './store/plans.ts';

export type WholeStanding = Standing & Person & { trial: Trial | null };

/** What decides about somebody. Their trial begins when they are first asked about. Only where billing is on. */
export async function loadStanding(
  { config, clock }: Pick<App, 'config' | 'clock'>,
  db: Database,
  userId: UserId,
): Promise<WholeStanding> {
  const live = isLiveKey(config);
  const plans = await listPlans(db);
  let person = await findPerson(db, userId, live);
  if (person === null) {
    const days = plans.find((plan) => plan.active && isTrialPlan(plan))?.trialDays;
    await ensurePerson(db, userId, days == null ? null : beginTrial(days, clock.nowMs()));
    person = await findPerson(db, userId, live);
  }
  if (person === null) throw new Error(`no account ${userId}`);
  return { plans, trialEndsMs: person.trial?.endsMs ?? null, ...person };
}
