/**
 * Owns: plans, what each person pays for, and the one rule of what they may add.
 * Announces: nothing; open browsers hear the topic billing, and people get a mail of what changes for them.
 * Never: takes money or a card itself; removes anything of anybody's because they pay less.
 */
import * as z from 'zod/mini';
import { reason } from '#features/accounts/rules/audit.ts';
import { instantMs, line, uuid } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { everyWords, longestTrialDays, readCode, shortestHistoryDays, subscriptionStatuses } from './rules.ts';

const planKey = z.string().check(z.regex(/^[a-z][a-z0-9-]{0,39}$/, { error: 'Expected the key of a plan' }));

const limit = z.nullable(z.int());
const limitsShape = z.object({ calendars: limit, teams: limit, workflows: limit, historyDays: limit });

const planShape = z.object({
  key: z.string(),
  name: z.string(),
  description: z.string(),
  /** In the smallest unit of its currency. */
  amount: z.int(),
  currency: z.string(),
  every: z.enum(everyWords),
  features: z.array(z.string()),
  limits: limitsShape,
  trialDays: z.nullable(z.int()),
  mostPopular: z.boolean(),
});

const invoiceShape = z.object({
  id: z.string(),
  number: z.nullable(z.string()),
  amount: z.int(),
  currency: z.string(),
  status: z.enum(['draft', 'open', 'paid', 'void', 'uncollectible']),
  created: instantMs,
  /** The card is tried again then. */
  nextAttempt: z.nullable(instantMs),
  pageUrl: z.nullable(z.string()),
  pdfUrl: z.nullable(z.string()),
});

const billingShape = z.object({
  /** Off: this install asks nobody for money; everything is included. */
  billing: z.enum(['off', 'on']),
  /** Why somebody may what they may. */
  source: z.enum(['off', 'subscription', 'trial', 'free', 'none']),
  plan: z.nullable(planShape),
  limits: limitsShape,
  /** The subscription's status at Stripe, or null. */
  status: z.nullable(z.enum(subscriptionStatuses)),
  /** The plan of that subscription, current or last. */
  subscribedPlan: z.nullable(z.string()),
  trialEndsAt: z.nullable(instantMs),
  /** Time at which the subscription ends. */
  cancelAt: z.nullable(instantMs),
  nextInvoiceDate: z.nullable(instantMs),
  nextInvoiceAmount: z.nullable(z.int()),
  currency: z.nullable(z.string()),
  /** End of the grace for an unpaid invoice: until then nothing changes. */
  graceUntil: z.nullable(instantMs),
  hasPortal: z.boolean(),
  /** The discount of a redeemed code on the next subscription. */
  discount: z.nullable(
    z.object({
      code: z.string(),
      percent: z.nullable(z.int()),
      amount: z.nullable(z.int()),
      currency: z.nullable(z.string()),
      /** Duration in months; null: forever. */
      months: z.nullable(z.int()),
    }),
  ),
  plans: z.array(planShape),
  invoices: z.array(invoiceShape),
});

const addressShape = z.object({ url: z.string() });
const planChoice = z.strictObject({ plan_key: planKey });

export const invoicesPerPage = 25;

const between = (min: number, max: number) => z.int().check(z.gte(min), z.lte(max));
const limitFrom = (min: number) => z.nullable(between(min, 100_000));

const wholePlanShape = z.extend(planShape, {
  active: z.boolean(),
  trialEligible: z.boolean(),
  revision: z.int(),
});

const trialShape = z.object({ email: z.string(), ends_at: z.nullable(instantMs) });
const plans = z.object({ billing: z.enum(['off', 'on']), plans: z.array(wholePlanShape) });

const adminEndpoints = {
  listPlans: endpoint({
    method: 'GET',
    path: '/api/admin/billing/plans',
    auth: 'admin',
    summary: 'All plans, including those not on offer',
    output: plans,
  }),
  changePlan: endpoint({
    method: 'PATCH',
    path: '/api/admin/billing/plans/{planKey}',
    auth: 'admin',
    summary: 'Change the name, price, limits or trial of a plan. Existing subscribers keep their price',
    params: z.strictObject({ planKey }),
    body: z.strictObject({
      /** As it was read: somebody else may have changed it since. */
      revision: between(1, 2_000_000_000),
      name: z.optional(line(60).check(z.trim(), z.minLength(1, { error: 'Give it a name' }))),
      description: z.optional(line(200)),
      amount: z.optional(between(0, 99_999_999)),
      features: z.optional(
        z.array(line(100).check(z.trim(), z.minLength(1))).check(
          z.maxLength(20),
          z.refine((list: string[]) => new Set(list).size === list.length, { error: 'The same value is listed twice' }),
        ),
      ),
      calendars: z.optional(limitFrom(0)),
      teams: z.optional(limitFrom(0)),
      workflows: z.optional(limitFrom(0)),
      history_days: z.optional(limitFrom(shortestHistoryDays)),
      /** Only for the plan of the trial. */
      trial_days: z.optional(between(1, longestTrialDays)),
      trial_eligible: z.optional(z.boolean()),
      active: z.optional(z.boolean()),
      most_popular: z.optional(z.boolean()),
      reason,
    }),
    output: plans,
    errors: ['REAUTHENTICATE', 'STALE', 'NOT_OF_THIS_PLAN'],
  }),
  listAllInvoices: endpoint({
    method: 'GET',
    path: '/api/admin/billing/invoices',
    auth: 'admin',
    summary: 'Invoices of all users, newest first',
    query: z.strictObject({ before: z.optional(line(300)) }),
    /** `next` is what to ask `before` for more; null at the end. */
    output: z.object({
      invoices: z.array(z.extend(invoiceShape, { email: z.string() })),
      next: z.nullable(z.string()),
    }),
  }),
  findTrial: endpoint({
    method: 'GET',
    path: '/api/admin/billing/trials',
    auth: 'admin',
    summary: 'End of a user’s trial',
    query: z.strictObject({ email: line(400) }),
    output: trialShape,
    errors: ['BILLING_OFF'],
  }),
  extendTrial: endpoint({
    method: 'POST',
    path: '/api/admin/billing/trials',
    auth: 'admin',
    summary: 'Extend the trial of a user by seven days, once for each end. At most a year in total',
    body: z.strictObject({ email: line(400), ends_at: instantMs, reason }),
    output: trialShape,
    errors: ['REAUTHENTICATE', 'BILLING_OFF', 'STALE', 'TRIAL_LIMIT'],
  }),
};

/** Limit of usable codes. */
export const mostCodes = 200;

const upTo = (most: number) => z.int().check(z.gte(1), z.lte(most));
const code = line(60).check(
  z.refine((typed: string) => /^[A-Z0-9][A-Z0-9-]{3,39}$/.test(readCode(typed)), {
    error: 'Four to forty letters, digits and hyphens',
  }),
);

const codeShape = z.object({
  id: uuid,
  code: z.string(),
  percent: z.nullable(z.int()),
  amount: z.nullable(z.int()),
  currency: z.nullable(z.string()),
  months: z.nullable(z.int()),
  extra_days: z.nullable(z.int()),
  max_uses: z.nullable(z.int()),
  uses: z.int(),
  expires_at: z.nullable(instantMs),
  state: z.enum(['active', 'used-up', 'expired', 'ended']),
});
const codes = z.object({ codes: z.array(codeShape) });

export const codeEndpoints = {
  listCodes: endpoint({
    method: 'GET',
    path: '/api/admin/billing/codes',
    auth: 'admin',
    summary: 'Promotion codes with their number of uses, newest first',
    output: codes,
  }),
  createCode: endpoint({
    method: 'POST',
    path: '/api/admin/billing/codes',
    auth: 'admin',
    summary: 'Create a promotion code with a discount on a new subscription, trial days, or both',
    body: z
      .strictObject({
        code,
        percent: z.nullable(upTo(100)),
        /** In the smallest unit of the currency of the plans. */
        amount: z.nullable(upTo(99_999_999)),
        /** Duration of the discount; null: forever. */
        months: z.nullable(upTo(36)),
        extra_days: z.nullable(upTo(longestTrialDays)),
        max_uses: z.nullable(upTo(1_000_000)),
        expires_at: z.nullable(instantMs),
        reason,
      })
      .check(
        z.refine(({ percent, amount }) => percent === null || amount === null, {
          error: 'Percent or amount, not both',
        }),
        z.refine(({ percent, amount, extra_days: days }) => percent !== null || amount !== null || days !== null, {
          error: 'A code gives something: money off, days, or both',
        }),
      ),
    output: codes,
    errors: ['REAUTHENTICATE', 'BILLING_OFF', 'TAKEN', 'TOO_MANY'],
  }),
  endCode: endpoint({
    method: 'POST',
    path: '/api/admin/billing/codes/ending',
    auth: 'admin',
    summary: 'End a code. Users who applied it keep its benefits',
    body: z.strictObject({ code_id: uuid, reason }),
    output: codes,
    errors: ['REAUTHENTICATE'],
  }),
  redeemCode: endpoint({
    method: 'POST',
    path: '/api/billing/codes',
    auth: 'user',
    summary: 'Apply a promotion code, once. Trial days count immediately, and discounts apply to the next subscription',
    body: z.strictObject({ code: line(60) }),
    output: billingShape,
    errors: ['BILLING_OFF', 'NO_CODE', 'CODE_USED', 'SUBSCRIBED', 'TRIAL_LIMIT'],
  }),
};

export const billingContract = {
  ...adminEndpoints,
  ...codeEndpoints,
  readBilling: endpoint({
    method: 'GET',
    path: '/api/billing',
    auth: 'user',
    summary: 'Plan, limits, available plans, and invoices of the caller, newest first',
    output: billingShape,
  }),
  refreshBilling: endpoint({
    method: 'POST',
    path: '/api/billing/refresh',
    auth: 'user',
    summary: 'The same, after a refresh from Stripe, for users who return from a payment',
    output: billingShape,
    errors: ['BILLING_OFF'],
    requestsPerMinute: 60,
  }),
  startCheckout: endpoint({
    method: 'POST',
    path: '/api/billing/checkout',
    auth: 'user',
    summary: 'Start a checkout for a plan. Remaining trial days stay free',
    body: planChoice,
    output: addressShape,
    errors: ['BILLING_OFF', 'CARD_DECLINED', 'NOT_ON_OFFER', 'SUBSCRIBED'],
    requestsPerMinute: 60,
  }),
  openPortal: endpoint({
    method: 'POST',
    path: '/api/account/billing/portal',
    auth: 'user',
    summary: 'Open the Stripe portal for cards and invoices',
    output: addressShape,
    errors: ['BILLING_OFF', 'CARD_DECLINED'],
    requestsPerMinute: 60,
  }),
  changeSubscription: endpoint({
    method: 'PUT',
    path: '/api/billing/subscription',
    auth: 'user',
    summary:
      'Change the plan. An upgrade is charged immediately, and a downgrade lowers the next invoice. Nothing is deleted',
    body: planChoice,
    output: billingShape,
    errors: ['BILLING_OFF', 'CARD_DECLINED', 'NOT_ON_OFFER', 'NOT_SUBSCRIBED'],
    requestsPerMinute: 60,
  }),
  cancelSubscription: endpoint({
    method: 'POST',
    path: '/api/billing/subscription/cancellation',
    auth: 'user',
    summary: 'Cancel the subscription at the end of the paid period. All data is kept',
    output: billingShape,
    errors: ['BILLING_OFF', 'CARD_DECLINED', 'NOT_SUBSCRIBED', 'NOT_ON_OFFER'],
    requestsPerMinute: 60,
  }),
  keepSubscription: endpoint({
    method: 'DELETE',
    path: '/api/billing/subscription/cancellation',
    auth: 'user',
    summary: 'Undo the cancellation during the paid period',
    output: billingShape,
    errors: ['BILLING_OFF', 'CARD_DECLINED', 'NOT_SUBSCRIBED', 'NOT_ON_OFFER'],
    requestsPerMinute: 60,
  }),
};
