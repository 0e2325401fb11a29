import * as z from 'zod/mini';
import { defineJob } from '#platform/jobs.ts';
import { openStripe } from './open-stripe.ts';
import { refreshCustomer } from './refresh-customer.ts';

/** Looks at a customer at Stripe, after something was told of them. */
export const refreshJob = defineJob({
  name: 'billing.refresh-customer',
  payload: z.strictObject({ customerId: z.string() }),
  policy: 'stately',
  retryLimit: 10,
  async handle(app, { customerId }) {
    const access = await openStripe(app);
    if (access !== null) await refreshCustomer(app, access, customerId);
  },
});
