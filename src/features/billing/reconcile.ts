import type { App } from '#platform/app.ts';
import { isMissing } from './ask-stripe.ts';
import { openStripe, type StripeAccess } from './open-stripe.ts';
import { refreshJob } from './refresh-job.ts';
import { listDueCustomers } from './store/customers.ts';
import { deleteDeparture, deleteOld, listDepartures } from './store/intents.ts';

const mostAtOnce = 500;

/** Looks at Stripe where it should have told something by now, and ends what people who left had there. */
export async function reconcile(app: App): Promise<void> {
  const access = await openStripe(app);
  if (access === null) return;
  await deleteOld(app.db);
  const due = await listDueCustomers(app.db, { live: access.live, nowMs: app.clock.nowMs(), limit: mostAtOnce });
  for (const customerId of due) await app.jobs.send(refreshJob, { customerId }, { key: customerId });
  for (const customerId of await listDepartures(app.db, access.live)) {
    try {
      await endCustomer(app, access, customerId);
    } catch (error) {
      app.log.warn({ err: error }, 'a customer who left could not be removed at Stripe; it is tried again');
    }
  }
}

/** Their subscriptions end at once; Stripe keeps invoices that were made, as the law asks for. */
async function endCustomer({ db }: Pick<App, 'db'>, { stripe }: StripeAccess, customerId: string): Promise<void> {
  await stripe.customers.del(customerId).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
  await deleteDeparture(db, customerId);
}
