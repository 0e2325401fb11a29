import * as z from 'zod/mini';
import { reason } from '#features/accounts/rules/audit.ts';
import { instantMs, line } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { invoiceShape, planKey, planShape } from './billing-shapes.ts';
import { shortestHistoryDays } from './plans.ts';
import { longestTrialDays } from './trial.ts';

export const invoicesPerPage = 25;

const whole = (min: number, max: number) => z.int().check(z.gte(min), z.lte(max));
const limit = (min: number) => z.nullable(whole(min, 100_000));

export const wholePlanShape = z.extend(planShape, {
  active: z.boolean(),
  trialEligible: z.boolean(),
  revision: z.int(),
});

const trialShape = z.object({ email: z.string(), ends_at: z.nullable(instantMs) });
const plans = z.object({ billing: z.enum(['off', 'on']), plans: z.array(wholePlanShape) });

export const adminEndpoints = {
  listPlans: endpoint({
    method: 'GET',
    path: '/api/admin/billing/plans',
    auth: 'admin',
    summary: 'Every plan, those that are not on offer too',
    output: plans,
  }),
  changePlan: endpoint({
    method: 'PATCH',
    path: '/api/admin/billing/plans/{planKey}',
    auth: 'admin',
    summary: 'Another name, price, limit or trial. Who pays the price before keeps it; nobody loses what they have',
    params: z.strictObject({ planKey }),
    body: z.strictObject({
      /** As it was read: somebody else may have changed it since. */
      revision: whole(1, 2_000_000_000),
      name: z.optional(line(60).check(z.trim(), z.minLength(1, { error: 'Give it a name' }))),
      description: z.optional(line(200)),
      amount: z.optional(whole(0, 99_999_999)),
      features: z.optional(
        z.array(line(100).check(z.trim(), z.minLength(1))).check(
          z.maxLength(20),
          z.refine((list: string[]) => new Set(list).size === list.length, { error: 'One is there twice' }),
        ),
      ),
      calendars: z.optional(limit(0)),
      teams: z.optional(limit(0)),
      workflows: z.optional(limit(0)),
      history_days: z.optional(limit(shortestHistoryDays)),
      /** Of the plan of the trial alone. */
      trial_days: z.optional(whole(1, longestTrialDays)),
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
    summary: 'What everybody was asked to pay, the newest first',
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
    summary: 'When the trial of somebody ends',
    query: z.strictObject({ email: line(400) }),
    output: trialShape,
    errors: ['BILLING_OFF'],
  }),
  extendTrial: endpoint({
    method: 'POST',
    path: '/api/admin/billing/trials',
    auth: 'admin',
    summary: 'Seven days more for somebody, once for each end that was seen; never more than a year in all',
    body: z.strictObject({ email: line(400), ends_at: instantMs, reason }),
    output: trialShape,
    errors: ['REAUTHENTICATE', 'BILLING_OFF', 'STALE', 'TRIAL_LIMIT'],
  }),
};
