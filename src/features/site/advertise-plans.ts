import { isBillingOn, listPlans } from '#features/billing/public.ts';
import { isFreePlan, isTrialPlan, type Plan } from '#features/billing/rules/plans.ts';
import type { App } from '#platform/app.ts';
import type { AdvertisedPlan } from './rules/site-data.ts';

/** What may be bought here, as it is on the day; null where nothing is asked for. */
export async function advertisePlans(
  { config, db }: Pick<App, 'config' | 'db'>,
  locale: string,
): Promise<readonly AdvertisedPlan[] | null> {
  if (!isBillingOn(config)) return null;
  const plans = (await listPlans(db)).filter((plan) => plan.active && !isFreePlan(plan));
  return plans.map((plan) => ({
    id: plan.key,
    name: plan.name,
    price: priceOf(plan, locale),
    days: isTrialPlan(plan) ? plan.trialDays : null,
    every: plan.every,
    popular: plan.mostPopular,
    about: plan.description,
    features: plan.features,
  }));
}

function priceOf({ amount, currency }: Plan, locale: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' });
  // Stripe's smallest unit is the currency's own
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  return format.format(amount / 10 ** maximumFractionDigits);
}
