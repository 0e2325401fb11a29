import type { App } from '#platform/app.ts';
import type { StripeAccess } from './open-stripe.ts';
import type { Plan } from './rules/plans.ts';
import { findPriceId, insertPrice } from './store/prices.ts';

/** The price of a plan as it is now, made at Stripe when somebody first takes it. */
export async function ensurePrice(
  { db }: Pick<App, 'db'>,
  { stripe, live }: StripeAccess,
  plan: Plan,
): Promise<string> {
  const known = await findPriceId(db, plan, live);
  if (known !== null) return known;
  const { key, name, amount, currency, every } = plan;
  const { id: product } = await stripe.products.create(
    { name, metadata: { holdfast_plan: key } },
    { idempotencyKey: `holdfast-product-${key}-${encodeURIComponent(name)}` },
  );
  const { id } = await stripe.prices.create(
    { product, currency, unit_amount: amount, recurring: { interval: every }, metadata: { holdfast_plan: key } },
    { idempotencyKey: `holdfast-price-${product}-${amount}-${currency}-${every}` },
  );
  await insertPrice(db, id, plan, live);
  return (await findPriceId(db, plan, live)) ?? id;
}
