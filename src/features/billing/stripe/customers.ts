import type Stripe from 'stripe';
import * as z from 'zod/mini';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { defineJob } from '#platform/jobs.ts';
import { billingTopic } from '../events.ts';
import { isLive, type Subscription, subscriptionStatuses } from '../rules.ts';
import {
  beginReading,
  claimKeeping,
  dropCustomer,
  listDueCustomers,
  replaceSubscriptions,
  saveInvoices,
} from '../store/customers.ts';
import { deleteDeparture, deleteOld, listDepartures } from '../store/intents.ts';
import type { Invoice } from '../store/invoices.ts';
import { isMissing, openStripe, type StripeAccess } from './stripe.ts';

/** The newest objects of a customer that are fetched. */
const most = 100;

interface Fetched {
  subscriptions: Omit<Subscription, 'planKey'>[];
  invoices: Invoice[];
}

/** All that Stripe has of a customer, whatever led us to ask; null for one that is not there any more. */
export async function fetchCustomer(
  { stripe }: Pick<StripeAccess, 'stripe'>,
  customer: string,
): Promise<Fetched | null> {
  try {
    const [known, subscriptions, invoices] = await Promise.all([
      stripe.customers.retrieve(customer),
      stripe.subscriptions.list({ customer, status: 'all', limit: most }),
      stripe.invoices.list({ customer, limit: most }),
    ]);
    if (known.deleted) return null;
    return {
      subscriptions: await Promise.all(
        subscriptions.data.map(async (one) => ({
          ...readSubscription(one, invoices.data),
          nextAmount: await previewNext(stripe, one),
        })),
      ),
      invoices: invoices.data.map(readInvoice),
    };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** A word that Stripe has not had so far entitles to nothing. */
const statusOf = ({ status }: Stripe.Subscription) =>
  subscriptionStatuses.find((one) => one === status) ?? 'incomplete';
const invoiceStatuses = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const;

const ms = (seconds: number) => seconds * 1000;
const msOrNull = (seconds: number | null | undefined) => (seconds == null ? null : ms(seconds));
const idOf = (one: string | { id: string } | null | undefined) => (typeof one === 'string' ? one : (one?.id ?? null));

function readSubscription(
  subscription: Stripe.Subscription,
  invoices: readonly Stripe.Invoice[],
): Omit<Subscription, 'planKey' | 'nextAmount'> {
  const [item] = subscription.items.data;
  if (item === undefined) throw new Error(`${subscription.id} has no item`);
  const unpaid = invoices.filter(
    (invoice) =>
      invoice.status === 'open' &&
      invoice.attempted &&
      invoice.amount_remaining > 0 &&
      idOf(invoice.parent?.subscription_details?.subscription) === subscription.id,
  );
  return {
    id: subscription.id,
    itemId: item.id,
    status: statusOf(subscription),
    priceId: item.price.id,
    amount: item.price.unit_amount ?? 0,
    currency: item.price.currency,
    every: item.price.recurring?.interval ?? 'month',
    startedMs: ms(subscription.start_date),
    periodEndsMs: ms(item.current_period_end),
    trialEndsMs: msOrNull(subscription.trial_end),
    cancelsMs: msOrNull(subscription.cancel_at ?? (subscription.cancel_at_period_end ? item.current_period_end : null)),
    endedMs: msOrNull(subscription.ended_at),
    unpaidSinceMs: unpaid.length === 0 ? null : ms(Math.min(...unpaid.map(({ created }) => created))),
  };
}

/** The amount of the next invoice, with discounts and tax, or null. */
async function previewNext(stripe: Stripe, subscription: Stripe.Subscription): Promise<number | null> {
  const ends = subscription.cancel_at_period_end || subscription.cancel_at !== null;
  if (!isLive({ status: statusOf(subscription) }) || subscription.status === 'paused' || ends) return null;
  try {
    const { amount_due: amount } = await stripe.invoices.createPreview({ subscription: subscription.id });
    return amount;
  } catch (error) {
    // the subscription ended in between, and its webhook is on its way
    if (isMissing(error) || (error as { code?: string }).code === 'invoice_upcoming_none') return null;
    throw error;
  }
}

function readInvoice(invoice: Stripe.Invoice): Invoice {
  return {
    id: invoice.id ?? '',
    number: invoice.number,
    status: invoiceStatuses.find((one) => one === invoice.status) ?? 'draft',
    total: invoice.total,
    currency: invoice.currency,
    createdMs: ms(invoice.created),
    paidMs: msOrNull(invoice.status_transitions.paid_at),
    nextAttemptMs: msOrNull(invoice.next_payment_attempt),
    pageUrl: invoice.hosted_invoice_url ?? null,
    pdfUrl: invoice.invoice_pdf ?? null,
  };
}

/**
 * Replaces the stored state of a customer with Stripe's, regardless of the order and number of webhooks. If two
 * readings overlap, the later one counts.
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

/** Ends the customer's subscriptions at once; Stripe keeps issued invoices, as the law requires. */
async function endCustomer({ db }: Pick<App, 'db'>, { stripe }: StripeAccess, customerId: string): Promise<void> {
  await stripe.customers.del(customerId).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
  await deleteDeparture(db, customerId);
}
