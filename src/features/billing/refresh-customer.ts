import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { billingTopic } from './events.ts';
import { fetchCustomer } from './fetch-customer.ts';
import type { StripeAccess } from './open-stripe.ts';
import { beginReading, claimKeeping, dropCustomer, replaceSubscriptions, saveInvoices } from './store/customers.ts';

/**
 * What we have of a customer becomes what Stripe has, whatever was told before, in whatever order, and however often. Of two
 * readings at once the one that began later stays.
 */
export async function refreshCustomer(
  app: Pick<App, 'db' | 'feed'>,
  access: StripeAccess,
  customerId: string,
): Promise<void> {
  const begun = await beginReading(app.db, customerId, access.live);
  if (begun === null) return;
  const fetched = await fetchCustomer(access, customerId);
  await inTransaction(app.db, async (tx) => {
    if (!(await claimKeeping(tx, customerId, begun.reading))) return;
    if (fetched === null) {
      await dropCustomer(tx, customerId);
    } else {
      await replaceSubscriptions(tx, customerId, fetched.subscriptions);
      await saveInvoices(tx, customerId, fetched.invoices);
    }
    await app.feed.publish(tx, begun.userId, billingTopic);
  });
}
