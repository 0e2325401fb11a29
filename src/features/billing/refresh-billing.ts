import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { askStripe } from './ask-stripe.ts';
import { refreshCustomer } from './refresh-customer.ts';
import { findCustomerId } from './store/customers.ts';

/** Looks at Stripe now, for somebody who waits. *Errors*: as `askStripe`. */
export function refreshBilling(
  app: Pick<App, 'config' | 'clock' | 'db' | 'log' | 'apiFetch' | 'feed'>,
  userId: UserId,
): Promise<void> {
  return askStripe(app, async (access) => {
    const customerId = await findCustomerId(app.db, userId, access.live);
    if (customerId !== null) await refreshCustomer(app, access, customerId);
  });
}
