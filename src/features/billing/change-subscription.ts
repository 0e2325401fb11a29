import type Stripe from 'stripe';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { askStripe } from './ask-stripe.ts';
import { demandPlan } from './demand-plan.ts';
import { ensurePrice } from './ensure-price.ts';
import { keepIntent } from './keep-intent.ts';
import { loadStanding } from './load-standing.ts';
import { refreshCustomer } from './refresh-customer.ts';
import { currentSubscription, type Subscription } from './rules/entitlements.ts';
import type { Plan } from './rules/plans.ts';

export type Wish = { do: 'change'; planKey: string } | { do: 'cancel' } | { do: 'keep' };

/**
 * Another plan, the end with the period that is paid for, or no end after all. What was had in part is Stripe's to count: more
 * is paid at once, or nothing changes; less lowers the next invoice.
 *
 * *Errors*: as `askStripe`, AppError conflict (NOT_SUBSCRIBED, NOT_ON_OFFER).
 */
export function changeSubscription(
  app: Pick<App, 'config' | 'clock' | 'db' | 'log' | 'apiFetch' | 'feed'>,
  userId: UserId,
  wish: Wish,
): Promise<void> {
  return askStripe(app, async (access) => {
    const { plans, subscriptions, customerId } = await loadStanding(app, app.db, userId);
    const subscription = currentSubscription(subscriptions);
    if (subscription === null || customerId === null || !changeable.has(subscription.status))
      throw new AppError(
        'conflict',
        'NOT_SUBSCRIBED',
        'You have no subscription that could be changed. Nothing was changed.',
      );
    const changes: Stripe.SubscriptionUpdateParams =
      wish.do === 'change'
        ? toPlan(
            subscription,
            demandPlan(plans, wish.planKey),
            await ensurePrice(app, access, demandPlan(plans, wish.planKey)),
          )
        : { cancel_at_period_end: wish.do === 'cancel' };
    await keepIntent(app, { userId, kind: wish.do, details: wish }, (idempotencyKey) =>
      access.stripe.subscriptions.update(subscription.id, changes, { idempotencyKey }),
    );
    await refreshCustomer(app, access, customerId);
  });
}

const changeable = new Set<Subscription['status']>(['trialing', 'active', 'past_due']);

function toPlan(subscription: Subscription, plan: Plan, price: string): Stripe.SubscriptionUpdateParams {
  const isMore = plan.amount > subscription.amount || plan.every !== subscription.every;
  return {
    items: [{ id: subscription.itemId, price }],
    proration_behavior: isMore ? 'always_invoice' : 'create_prorations',
    payment_behavior: isMore ? 'error_if_incomplete' : 'allow_incomplete',
    cancel_at_period_end: false,
  };
}
