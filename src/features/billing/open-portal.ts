import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { askStripe } from './ask-stripe.ts';
import { ensureCustomer } from './ensure-customer.ts';
import { loadStanding } from './load-standing.ts';
import type { StripeAccess } from './open-stripe.ts';
import { findPortal, savePortal } from './store/prices.ts';

/** Where somebody sees their cards and invoices at Stripe. Plans are changed here. *Errors*: as `askStripe`. */
export function openPortal(
  app: Pick<App, 'config' | 'clock' | 'db' | 'log' | 'apiFetch'>,
  userId: UserId,
): Promise<string> {
  return askStripe(app, async (access) => {
    await loadStanding(app, app.db, userId);
    const customer = await ensureCustomer(app, access, userId);
    const configuration = await ensureConfiguration(app, access);
    const back = `${app.config.publicUrl}/billing`;
    const { url } = await access.stripe.billingPortal.sessions.create({ customer, configuration, return_url: back });
    return url;
  });
}

async function ensureConfiguration({ db }: Pick<App, 'db'>, { stripe, live }: StripeAccess): Promise<string> {
  const known = await findPortal(db, live);
  if (known !== null) return known;
  const { id } = await stripe.billingPortal.configurations.create(
    {
      features: {
        customer_update: { enabled: true, allowed_updates: ['address', 'name', 'tax_id'] },
        invoice_history: { enabled: true },
        payment_method_update: { enabled: true },
        subscription_cancel: { enabled: true, mode: 'at_period_end' },
      },
    },
    { idempotencyKey: 'holdfast-portal-1' },
  );
  await savePortal(db, live, id);
  return (await findPortal(db, live)) ?? id;
}
