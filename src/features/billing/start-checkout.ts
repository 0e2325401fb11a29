import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { askStripe } from './ask-stripe.ts';
import { demandPlan } from './demand-plan.ts';
import { ensureCoupon } from './ensure-coupon.ts';
import { ensureCustomer } from './ensure-customer.ts';
import { ensurePrice } from './ensure-price.ts';
import { keepIntent } from './keep-intent.ts';
import { loadStanding } from './load-standing.ts';
import { openDiscount } from './rules/codes.ts';
import { isLive } from './rules/entitlements.ts';
import { listRedeemed } from './store/codes.ts';

const dayMs = 86_400_000;
/** Stripe takes no end of a trial that is nearer than 48 hours. */
const shortestTrialMs = 2 * dayMs + 3_600_000;

/**
 * Where somebody pays for a plan. What is left of their trial stays free. Pages for paying that they opened before are closed,
 * so that nobody pays twice. *Errors*: as `askStripe`, AppError conflict (NOT_ON_OFFER, SUBSCRIBED).
 */
export function startCheckout(
  app: Pick<App, 'config' | 'clock' | 'db' | 'log' | 'apiFetch'>,
  userId: UserId,
  planKey: string,
): Promise<string> {
  return askStripe(app, async (access) => {
    const { stripe, automaticTax } = access;
    const standing = await loadStanding(app, app.db, userId);
    const plan = demandPlan(standing.plans, planKey);
    if (standing.subscriptions.some(isLive))
      throw new AppError(
        'conflict',
        'SUBSCRIBED',
        'You have a subscription already: change it instead. Nothing was changed.',
      );
    const [customer, price] = [await ensureCustomer(app, access, userId), await ensurePrice(app, access, plan)];
    const discount = openDiscount(await listRedeemed(app.db, userId), standing.subscriptions, plan.currency);
    const coupon = discount && (await ensureCoupon(access, discount));
    for (const open of (await stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 })).data)
      await stripe.checkout.sessions.expire(open.id);
    const back = `${app.config.publicUrl}/billing`;
    const { trialEndsMs } = standing;
    const keepsTrial = plan.trialEligible && trialEndsMs !== null && trialEndsMs - app.clock.nowMs() >= shortestTrialMs;
    const { url } = await keepIntent(app, { userId, kind: 'checkout', details: { plan: plan.key } }, (idempotencyKey) =>
      stripe.checkout.sessions.create(
        {
          mode: 'subscription',
          customer,
          client_reference_id: userId,
          line_items: [{ price, quantity: 1 }],
          success_url: `${back}?checkout=done`,
          cancel_url: `${back}?checkout=left`,
          // Stripe takes one or the other: a code that was used here, or a field for those of the operator's own at Stripe
          ...(coupon === null ? { allow_promotion_codes: true } : { discounts: [{ coupon }] }),
          automatic_tax: { enabled: automaticTax },
          ...(automaticTax ? { customer_update: { address: 'auto', name: 'auto' } } : {}),
          subscription_data: {
            metadata: { holdfast_account: userId, holdfast_plan: plan.key },
            ...(keepsTrial ? { trial_end: Math.floor(trialEndsMs / 1000) } : {}),
          },
        },
        { idempotencyKey },
      ),
    );
    if (url === null) throw new Error('Stripe gave no address for paying');
    return url;
  });
}
