import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { getStanding } from './billing.ts';
import { requirePlan } from './plans.ts';
import { currentSubscription, isLive, openDiscount, type Plan, type Subscription } from './rules.ts';
import { listRedeemed } from './store/codes.ts';
import { findCustomerId } from './store/customers.ts';
import { type IntentKind, insertIntent, settleIntent } from './store/intents.ts';
import { findPortal, savePortal } from './store/prices.ts';
import { refreshCustomer } from './stripe/customers.ts';
import { callStripe, ensureCoupon, ensureCustomer, ensurePrice, type StripeAccess } from './stripe/stripe.ts';

const dayMs = 86_400_000;
/** Stripe takes no end of a trial that is nearer than 48 hours. */
const shortestTrialMs = 2 * dayMs + 3_600_000;

/**
 * Opens a checkout for a plan. The rest of a trial stays free. Checkout pages opened before are closed, so that nobody
 * pays twice. *Errors*: as `callStripe`, AppError conflict (NOT_ON_OFFER, SUBSCRIBED).
 */
export function startCheckout(
  app: Pick<App, 'config' | 'clock' | 'db' | 'log' | 'apiFetch'>,
  userId: UserId,
  planKey: string,
): Promise<string> {
  return callStripe(app, async (access) => {
    const { stripe, automaticTax } = access;
    const standing = await getStanding(app, app.db, userId);
    const plan = requirePlan(standing.plans, planKey);
    if (standing.subscriptions.some(isLive))
      throw new AppError('conflict', 'SUBSCRIBED', 'You already have a subscription. Change it instead.');
    const [customer, price] = [await ensureCustomer(app, access, userId), await ensurePrice(app, access, plan)];
    const discount = openDiscount(await listRedeemed(app.db, userId), standing.subscriptions, plan.currency);
    const coupon = discount && (await ensureCoupon(access, discount));
    for (const open of (await stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 })).data)
      await stripe.checkout.sessions.expire(open.id);
    const back = `${app.config.publicUrl}/billing`;
    const { trialEndsMs } = standing;
    const keepsTrial = plan.trialEligible && trialEndsMs !== null && trialEndsMs - app.clock.nowMs() >= shortestTrialMs;
    const { url } = await withIntent(app, { userId, kind: 'checkout', details: { plan: plan.key } }, (idempotencyKey) =>
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

type Wish = { do: 'change'; planKey: string } | { do: 'cancel' } | { do: 'keep' };

/**
 * Switches the plan, ends the subscription with the paid period, or revokes that end. Stripe prorates. An upgrade is
 * paid at once, or nothing changes. A downgrade lowers the next invoice.
 *
 * *Errors*: as `callStripe`, AppError conflict (NOT_SUBSCRIBED, NOT_ON_OFFER).
 */
export function changeSubscription(
  app: Pick<App, 'config' | 'clock' | 'db' | 'log' | 'apiFetch' | 'feed'>,
  userId: UserId,
  wish: Wish,
): Promise<void> {
  return callStripe(app, async (access) => {
    const { plans, subscriptions, customerId } = await getStanding(app, app.db, userId);
    const subscription = currentSubscription(subscriptions);
    if (subscription === null || customerId === null || !changeable.has(subscription.status))
      throw new AppError('conflict', 'NOT_SUBSCRIBED', 'You have no subscription to change.');
    const changes: Stripe.SubscriptionUpdateParams =
      wish.do === 'change'
        ? toPlan(
            subscription,
            requirePlan(plans, wish.planKey),
            await ensurePrice(app, access, requirePlan(plans, wish.planKey)),
          )
        : { cancel_at_period_end: wish.do === 'cancel' };
    await withIntent(app, { userId, kind: wish.do, details: wish }, (idempotencyKey) =>
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

/** Where somebody sees their cards and invoices at Stripe. Plans are changed here. *Errors*: as `callStripe`. */
export function openPortal(
  app: Pick<App, 'config' | 'clock' | 'db' | 'log' | 'apiFetch'>,
  userId: UserId,
): Promise<string> {
  return callStripe(app, async (access) => {
    await getStanding(app, app.db, userId);
    const customer = await ensureCustomer(app, access, userId);
    const configuration = await ensureConfiguration(app, access);
    const back = `${app.config.publicUrl}/billing`;
    const { url } = await access.stripe.billingPortal.sessions.create({ customer, configuration, return_url: back });
    return url;
  });
}

async function ensureConfiguration({ db }: Pick<App, 'db'>, { stripe, live }: StripeAccess): Promise<string> {
  const known = await findPortal(db, live);
  if (known !== null) return known;
  const { id } = await stripe.billingPortal.configurations.create(
    {
      features: {
        customer_update: { enabled: true, allowed_updates: ['address', 'name', 'tax_id'] },
        invoice_history: { enabled: true },
        payment_method_update: { enabled: true },
        subscription_cancel: { enabled: true, mode: 'at_period_end' },
      },
    },
    { idempotencyKey: 'holdfast-portal-1' },
  );
  await savePortal(db, live, id);
  return (await findPortal(db, live)) ?? id;
}

/** Looks at Stripe now, for somebody who waits. *Errors*: as `callStripe`. */
export function refreshBilling(
  app: Pick<App, 'config' | 'clock' | 'db' | 'log' | 'apiFetch' | 'feed'>,
  userId: UserId,
): Promise<void> {
  return callStripe(app, async (access) => {
    const customerId = await findCustomerId(app.db, userId, access.live);
    if (customerId !== null) await refreshCustomer(app, access, customerId);
  });
}

/**
 * Carries out one action at Stripe. The intent is stored before, and the outcome after. Its id is the idempotency key,
 * under which Stripe acts once. Unknown outcomes are looked up by `reconcile`.
 */
async function withIntent<T>(
  { db }: Pick<App, 'db'>,
  intent: { userId: UserId; kind: IntentKind; details: object },
  act: (idempotencyKey: string) => Promise<T>,
): Promise<T> {
  const id = randomUUID();
  await insertIntent(db, { id, ...intent });
  try {
    const done = await act(id);
    await settleIntent(db, id, 'done');
    return done;
  } catch (error) {
    const code = (error as { statusCode?: number; code?: string }).statusCode;
    // without an answer nobody knows; with one, nothing was done
    if (code !== undefined && code < 500)
      await settleIntent(db, id, `refused: ${(error as { code?: string }).code ?? code}`);
    throw error;
  }
}
