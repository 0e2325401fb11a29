import { AppError } from '#kernel/errors.ts';
import { isForSale, type Plan } from './rules/plans.ts';

/** A plan that can be bought now, by our own list. *Errors*: AppError conflict (NOT_ON_OFFER). */
export function demandPlan(plans: readonly Plan[], key: string): Plan {
  const plan = plans.find((one) => one.key === key && isForSale(one));
  if (plan === undefined)
    throw new AppError(
      'conflict',
      'NOT_ON_OFFER',
      'This plan is not on offer (any more). Nothing was changed; choose another.',
    );
  return plan;
}
