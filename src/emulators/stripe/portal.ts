import { type At, change } from './announce.ts';
import { cancel, isOver, switchPrice } from './billing.ts';
import { type Call, find, listPage, type Route, refer } from './call.ts';
import { makeCard } from './customers.ts';
import { invalid } from './errors.ts';
import { boolOf, demand, type Form, itemsOf, metadataOf, partOf, textOf, textsOf } from './read-form.ts';
import { endOfPeriod } from './subscriptions.ts';
import {
  type Customer,
  nextId,
  type PortalConfiguration,
  type PortalSession,
  type Proration,
  type Subscription,
} from './world.ts';

export const portalRoutes: readonly Route[] = [
  {
    operation: 'portal.configure',
    method: 'POST',
    path: /^\/v1\/billing_portal\/configurations$/,
    answer: (call) => keepConfiguration(call, null),
  },
  {
    operation: 'portal.configure',
    method: 'POST',
    path: /^\/v1\/billing_portal\/configurations\/(\w+)$/,
    answer: (call) => keepConfiguration(call, find(call.world.configurations, 'configuration', call.path[0])),
  },
  {
    operation: 'portal.configurations',
    method: 'GET',
    path: /^\/v1\/billing_portal\/configurations$/,
    answer: (call) => listPage(call, '/v1/billing_portal/configurations', call.world.configurations.values()),
  },
  { operation: 'portal.open', method: 'POST', path: /^\/v1\/billing_portal\/sessions$/, answer: openPortal },
];

/** Source: "Create a portal session". */
function openPortal(call: Call): PortalSession {
  const { world, now, form } = call;
  const { id: customer } = refer(world.customers, 'customer', demand(form, 'customer'), 'customer');
  const asked = textOf(form, 'configuration');
  const configuration =
    asked === null
      ? [...world.configurations.values()].find((one) => one.is_default)
      : refer(world.configurations, 'configuration', asked, 'configuration');
  if (configuration === undefined)
    throw invalid(
      "You can't create a portal session in test mode until you save your customer portal settings in test mode at https://dashboard.stripe.com/test/settings/billing/portal.",
    );
  const id = nextId(world, 'bps');
  const session: PortalSession = {
    id,
    object: 'billing_portal.session',
    created: now,
    configuration: configuration.id,
    customer,
    return_url: textOf(form, 'return_url') ?? configuration.default_return_url,
    url: `${world.origin}/p/session/${id}`,
  };
  world.portals.set(id, session);
  return session;
}

function keepConfiguration({ world, now, form }: Call, before: PortalConfiguration | null): PortalConfiguration {
  const features = partOf(form, 'features');
  const isOn = (name: string, known: boolean | undefined) =>
    boolOf(partOf(features, name), 'enabled') ?? known ?? false;
  const { subscription_cancel: ends, subscription_update: changes } = before?.features ?? {};
  const update = partOf(features, 'subscription_update');
  const id = before?.id ?? nextId(world, 'bpc');
  const kept: PortalConfiguration = {
    id,
    object: 'billing_portal.configuration',
    created: before?.created ?? now,
    metadata: metadataOf(form, before?.metadata),
    active: boolOf(form, 'active') ?? before?.active ?? true,
    is_default: before?.is_default ?? world.configurations.size === 0,
    default_return_url: textOf(form, 'default_return_url') ?? before?.default_return_url ?? null,
    features: {
      customer_update: { enabled: isOn('customer_update', before?.features.customer_update.enabled) },
      invoice_history: { enabled: isOn('invoice_history', before?.features.invoice_history.enabled) },
      payment_method_update: { enabled: isOn('payment_method_update', before?.features.payment_method_update.enabled) },
      subscription_cancel: {
        enabled: isOn('subscription_cancel', ends?.enabled),
        mode: (textOf(partOf(features, 'subscription_cancel'), 'mode') ??
          ends?.mode ??
          'at_period_end') as 'at_period_end',
      },
      subscription_update: {
        enabled: isOn('subscription_update', changes?.enabled),
        products: update.products === undefined ? (changes?.products ?? []) : readProducts(update),
        proration_behavior: (textOf(update, 'proration_behavior') ??
          changes?.proration_behavior ??
          'none') as Proration,
      },
    },
  };
  world.configurations.set(id, kept);
  return kept;
}

const readProducts = (update: Form) =>
  itemsOf(update, 'products').map((one) => ({ product: demand(one, 'product'), prices: textsOf(one, 'prices') }));

/** Actions of a customer on the portal's page. */
export type PortalDeed =
  | { do: 'cancel'; subscription: string }
  | { do: 'keep'; subscription: string }
  | { do: 'switch'; subscription: string; price: string }
  | { do: 'card'; number: string };

/** In words why it did not work, or null. */
export function actInPortal(
  at: At,
  customer: Customer,
  { features }: PortalConfiguration,
  deed: PortalDeed,
): string | null {
  const { world, now } = at;
  if (deed.do === 'card') {
    const card = features.payment_method_update.enabled ? makeCard(world, customer.id, deed.number, now) : null;
    if (card === null) return 'Your card was declined.';
    change(at, 'customer.updated', customer, { invoice_settings: { default_payment_method: card.id } });
    return null;
  }
  const subscription = world.subscriptions.get(deed.subscription);
  if (subscription === undefined || subscription.customer !== customer.id || isOver(subscription))
    return 'There is no such subscription.';
  switch (deed.do) {
    case 'cancel':
      if (!features.subscription_cancel.enabled) return 'This is not available here.';
      if (features.subscription_cancel.mode === 'immediately') cancel(at, subscription, 'cancellation_requested');
      else setEnd(at, subscription, true);
      return null;
    case 'keep':
      setEnd(at, subscription, false);
      return null;
    case 'switch': {
      const { enabled, products, proration_behavior: proration } = features.subscription_update;
      const price = world.prices.get(deed.price);
      if (!enabled || price === undefined || !products.some(({ prices }) => prices.includes(price.id)))
        return 'This is not available here.';
      const item = subscription.items.data[0]!;
      switchPrice(at, subscription, item, { price, quantity: item.quantity, proration });
      return null;
    }
  }
}

function setEnd(at: At, subscription: Subscription, ends: boolean): void {
  change(at, 'customer.subscription.updated', subscription, {
    cancel_at_period_end: ends,
    cancel_at: ends ? endOfPeriod(subscription) : null,
    canceled_at: ends ? at.now : null,
    cancellation_details: { ...subscription.cancellation_details, reason: ends ? 'cancellation_requested' : null },
  });
}
