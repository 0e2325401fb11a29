import type { Output } from '#kernel/contract.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { billingContract } from './contract.ts';
import { isBillingOn } from './is-billing-on.ts';
import { loadStanding } from './load-standing.ts';
import { openDiscount } from './rules/codes.ts';
import { currentSubscription, decideEntitlement, entitledUntil, everything, isLive } from './rules/entitlements.ts';
import { isForSale, unlimited } from './rules/plans.ts';
import { viewInvoice } from './rules/view-invoice.ts';
import { listRedeemed } from './store/codes.ts';
import { listInvoices } from './store/invoices.ts';

type Billing = Output<typeof billingContract.readBilling>;

/** Two years of monthly invoices; the rest is on Stripe's page. */
const mostInvoices = 24;

const off: Billing = {
  billing: 'off',
  source: everything.source,
  plan: null,
  limits: unlimited,
  status: null,
  subscribedPlan: null,
  trialEndsAt: null,
  cancelAt: null,
  nextInvoiceDate: null,
  nextInvoiceAmount: null,
  currency: null,
  graceUntil: null,
  hasPortal: false,
  discount: null,
  plans: [],
  invoices: [],
};

export async function readBilling(app: Pick<App, 'config' | 'clock' | 'db'>, userId: UserId): Promise<Billing> {
  if (!isBillingOn(app.config)) return off;
  const nowMs = app.clock.nowMs();
  const standing = await loadStanding(app, app.db, userId);
  const { plans, customerId } = standing;
  const { source, plan, limits } = decideEntitlement(standing, nowMs);
  const subscription = currentSubscription(standing.subscriptions);
  const goesOn = subscription !== null && isLive(subscription) && subscription.cancelsMs === null;
  const invoices = customerId === null ? [] : await listInvoices(app.db, customerId, mostInvoices);
  const discount = openDiscount(await listRedeemed(app.db, userId), standing.subscriptions);
  return {
    billing: 'on',
    source,
    plan,
    limits,
    status: subscription?.status ?? null,
    subscribedPlan: subscription?.planKey ?? null,
    trialEndsAt: (subscription?.status === 'trialing' ? subscription.trialEndsMs : null) ?? standing.trialEndsMs,
    cancelAt: subscription !== null && isLive(subscription) ? subscription.cancelsMs : null,
    nextInvoiceDate: goesOn ? subscription.periodEndsMs : null,
    nextInvoiceAmount: goesOn ? subscription.nextAmount : null,
    currency: subscription?.currency ?? null,
    graceUntil: subscription?.status === 'past_due' ? entitledUntil(subscription) : null,
    hasPortal: customerId !== null,
    discount: discount && {
      code: discount.code,
      percent: discount.percent,
      amount: discount.amount,
      currency: discount.currency,
      months: discount.months,
    },
    plans: plans.filter((one) => isForSale(one) || one.key === plan?.key),
    invoices: invoices.map(viewInvoice),
  };
}
