import * as z from 'zod/mini';
import { instantMs } from '#kernel/codecs.ts';
import { subscriptionStatuses } from './entitlements.ts';
import { everyWords } from './plans.ts';

export const planKey = z.string().check(z.regex(/^[a-z][a-z0-9-]{0,39}$/, { error: 'Expected the key of a plan' }));

const limit = z.nullable(z.int());
export const limitsShape = z.object({ calendars: limit, teams: limit, workflows: limit, historyDays: limit });

export const planShape = z.object({
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

export const invoiceShape = z.object({
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

export const billingShape = z.object({
  /** Off: this install asks nobody for money; everything is included. */
  billing: z.enum(['off', 'on']),
  /** Why somebody may what they may. */
  source: z.enum(['off', 'subscription', 'trial', 'free', 'none']),
  plan: z.nullable(planShape),
  limits: limitsShape,
  /** Of the subscription, as Stripe has it; null where there is none. */
  status: z.nullable(z.enum(subscriptionStatuses)),
  /** Of that subscription: what goes on, or was had last. */
  subscribedPlan: z.nullable(z.string()),
  trialEndsAt: z.nullable(instantMs),
  /** The subscription ends then by itself. */
  cancelAt: z.nullable(instantMs),
  nextInvoiceDate: z.nullable(instantMs),
  nextInvoiceAmount: z.nullable(z.int()),
  currency: z.nullable(z.string()),
  /** An invoice is not paid: until then everything goes on. */
  graceUntil: z.nullable(instantMs),
  hasPortal: z.boolean(),
  /** Of a code that was used: comes off what is subscribed to next. */
  discount: z.nullable(
    z.object({
      code: z.string(),
      percent: z.nullable(z.int()),
      amount: z.nullable(z.int()),
      currency: z.nullable(z.string()),
      /** So long; null: for good. */
      months: z.nullable(z.int()),
    }),
  ),
  plans: z.array(planShape),
  invoices: z.array(invoiceShape),
});

export const addressShape = z.object({ url: z.string() });
export const planChoice = z.strictObject({ plan_key: planKey });
