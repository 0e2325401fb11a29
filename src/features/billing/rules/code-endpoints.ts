import * as z from 'zod/mini';
import { reason } from '#features/accounts/rules/audit.ts';
import { instantMs, line, uuid } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { billingShape } from './billing-shapes.ts';
import { readCode } from './codes.ts';
import { longestTrialDays } from './trial.ts';

/** There are never more that can be used. */
export const mostCodes = 200;

const whole = (most: number) => z.int().check(z.gte(1), z.lte(most));
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
    summary: 'Promotion codes, the newest first, with how often each was used',
    output: codes,
  }),
  createCode: endpoint({
    method: 'POST',
    path: '/api/admin/billing/codes',
    auth: 'admin',
    summary: 'A code that takes money off a new subscription, gives days of the trial, or both',
    body: z
      .strictObject({
        code,
        percent: z.nullable(whole(100)),
        /** In the smallest unit of the currency of the plans. */
        amount: z.nullable(whole(99_999_999)),
        /** So long it takes something off; null: for good. */
        months: z.nullable(whole(36)),
        extra_days: z.nullable(whole(longestTrialDays)),
        max_uses: z.nullable(whole(1_000_000)),
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
    summary: 'Nobody can use a code any more; who has used it keeps what it gave',
    body: z.strictObject({ code_id: uuid, reason }),
    output: codes,
    errors: ['REAUTHENTICATE'],
  }),
  redeemCode: endpoint({
    method: 'POST',
    path: '/api/billing/codes',
    auth: 'user',
    summary: 'Use a code, once: days are there at once, money comes off the next subscription',
    body: z.strictObject({ code: line(60) }),
    output: billingShape,
    errors: ['BILLING_OFF', 'NO_CODE', 'CODE_USED', 'SUBSCRIBED', 'TRIAL_LIMIT'],
  }),
};
