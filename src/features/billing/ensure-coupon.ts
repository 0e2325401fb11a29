import type { StripeAccess } from './open-stripe.ts';
import type { Discount } from './rules/codes.ts';

/** What a code takes off, at Stripe: made when somebody first pays with it, under a name of ours, so that it is made once. */
export async function ensureCoupon({ stripe }: Pick<StripeAccess, 'stripe'>, discount: Discount): Promise<string> {
  const { codeId, code, percent, amount, currency, months } = discount;
  const id = `holdfast_${codeId.replaceAll('-', '')}`;
  const duration = months === null ? 'forever' : months === 1 ? 'once' : 'repeating';
  await stripe.coupons
    .create({
      id,
      name: code,
      duration,
      ...(duration === 'repeating' && months !== null ? { duration_in_months: months } : {}),
      ...(percent !== null ? { percent_off: percent } : {}),
      ...(amount !== null && currency !== null ? { amount_off: amount, currency } : {}),
    })
    .catch((error: unknown) => {
      if ((error as { code?: string }).code !== 'resource_already_exists') throw error;
    });
  return id;
}
