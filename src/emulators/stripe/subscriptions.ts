import { announce, change } from './announce.ts';
import {
  addDiscount,
  canCharge,
  cancel,
  compose,
  finalize,
  isOver,
  lineOf,
  pay,
  subscribe,
  subscriptionOf,
  switchPrice,
} from './billing.ts';
import { type Call, find, isAsked, listPage, type Route, refer } from './call.ts';
import { canRedeem } from './checkout.ts';
import { declined, invalid } from './errors.ts';
import { boolOf, demand, intOf, itemsOf, metadataOf, partOf, textOf } from './read-form.ts';
import type { Discount, Invoice, Proration, Subscription, World } from './world.ts';

const day = 86_400;

export const subscriptionRoutes: readonly Route[] = [
  { operation: 'subscriptions.create', method: 'POST', path: /^\/v1\/subscriptions$/, answer: create },
  {
    operation: 'subscriptions.list',
    method: 'GET',
    path: /^\/v1\/subscriptions$/,
    answer(call) {
      const status = textOf(call.form, 'status');
      const asked = [...call.world.subscriptions.values()].filter(
        (one) =>
          isAsked(call.form, 'customer', one.customer) &&
          (status === 'all' || (status === null ? one.status !== 'canceled' : one.status === status)),
      );
      return listPage(call, '/v1/subscriptions', asked);
    },
  },
  {
    operation: 'subscriptions.read',
    method: 'GET',
    path: /^\/v1\/subscriptions\/(\w+)$/,
    answer: ({ world, path: [id] }) => find(world.subscriptions, 'subscription', id),
  },
  { operation: 'subscriptions.update', method: 'POST', path: /^\/v1\/subscriptions\/(\w+)$/, answer: update },
  {
    operation: 'subscriptions.cancel',
    method: 'DELETE',
    path: /^\/v1\/subscriptions\/(\w+)$/,
    answer(call) {
      const subscription = find(call.world.subscriptions, 'subscription', call.path[0]);
      if (isOver(subscription)) throw invalid(`No such subscription: '${subscription.id}'`, 'id', 'resource_missing');
      cancel(call, subscription, 'cancellation_requested');
      return subscription;
    },
  },
  {
    operation: 'subscriptions.resume',
    method: 'POST',
    path: /^\/v1\/subscriptions\/(\w+)\/resume$/,
    answer(call) {
      const subscription = find(call.world.subscriptions, 'subscription', call.path[0]);
      if (subscription.status !== 'paused') throw invalid('Only paused subscriptions can be resumed.');
      change(call, 'customer.subscription.updated', subscription, { status: 'active' });
      announce(call, 'customer.subscription.resumed', subscription);
      return subscription;
    },
  },
  {
    operation: 'invoices.list',
    method: 'GET',
    path: /^\/v1\/invoices$/,
    answer: (call) =>
      listPage(
        call,
        '/v1/invoices',
        [...call.world.invoices.values()].filter(
          (one) =>
            isAsked(call.form, 'customer', one.customer) &&
            isAsked(call.form, 'subscription', subscriptionOf(one)) &&
            isAsked(call.form, 'status', one.status),
        ),
      ),
  },
  { operation: 'invoices.preview', method: 'POST', path: /^\/v1\/invoices\/create_preview$/, answer: preview },
  {
    operation: 'invoices.read',
    method: 'GET',
    path: /^\/v1\/invoices\/(\w+)$/,
    answer: ({ world, path: [id] }) => find(world.invoices, 'invoice', id),
  },
  {
    operation: 'invoices.pay',
    method: 'POST',
    path: /^\/v1\/invoices\/(\w+)\/pay$/,
    answer(call) {
      const invoice = find(call.world.invoices, 'invoice', call.path[0]);
      if (invoice.status === 'paid') throw invalid('Invoice is already paid', undefined, 'invoice_already_paid');
      if (invoice.status === 'draft') finalize(call, invoice);
      else pay(call, invoice);
      return invoice;
    },
  },
  {
    operation: 'invoices.void',
    method: 'POST',
    path: /^\/v1\/invoices\/(\w+)\/void$/,
    answer(call) {
      const invoice = find(call.world.invoices, 'invoice', call.path[0]);
      if (invoice.status !== 'open') throw invalid('You can only void open invoices.');
      change(call, 'invoice.voided', invoice, {
        status: 'void',
        next_payment_attempt: null,
        status_transitions: { ...invoice.status_transitions, voided_at: call.now },
      });
      return invoice;
    },
  },
];

function create(call: Call): Subscription {
  const { world, form, now } = call;
  const customer = refer(world.customers, 'customer', demand(form, 'customer'), 'customer');
  const items = itemsOf(form, 'items').map((one) => ({
    price: refer(world.prices, 'price', demand(one, 'price'), 'items[0][price]'),
    quantity: intOf(one, 'quantity') ?? 1,
  }));
  if (items.length === 0) throw invalid('Missing required param: items.', 'items', 'parameter_missing');
  const days = intOf(form, 'trial_period_days');
  const subscription = subscribe(call, {
    customer,
    items,
    trialEnd: intOf(form, 'trial_end') ?? (days === null ? null : nowOf(call, customer.test_clock, now) + days * day),
    discount: discountOf(call),
    missingPaymentMethod: 'create_invoice',
    automaticTax: boolOf(partOf(form, 'automatic_tax'), 'enabled') ?? false,
    metadata: metadataOf(form),
  });
  return subscription;
}

export const nowOf = ({ world }: { world: World }, clock: string | null, now: number) =>
  clock === null ? now : (world.clocks.get(clock)?.frozen_time ?? now);

function discountOf({ world, form, now }: Call): Pick<Discount, 'promotion_code' | 'source'> | null {
  const [given] = itemsOf(form, 'discounts');
  if (given === undefined) return null;
  const id = textOf(given, 'promotion_code');
  const code = id === null ? null : refer(world.promotionCodes, 'promotion code', id, 'discounts[0][promotion_code]');
  if (code !== null && !canRedeem(world, code, textOf(form, 'customer'), now))
    throw invalid('This promotion code cannot be redeemed.', 'discounts[0][promotion_code]');
  const coupon = code?.promotion.coupon ?? demand(given, 'coupon');
  refer(world.coupons, 'coupon', coupon, 'discounts[0][coupon]');
  return { promotion_code: code?.id ?? null, source: { type: 'coupon', coupon } };
}

/** Source: "Update a subscription". */
function update(call: Call): Subscription {
  const { world, form, path } = call;
  const subscription = find(world.subscriptions, 'subscription', path[0]);
  if (isOver(subscription))
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.');
  const at = { ...call, now: nowOf(call, subscription.test_clock, call.now) };
  const card = textOf(form, 'default_payment_method');
  if (card !== null) refer(world.cards, 'PaymentMethod', card, 'default_payment_method');
  // a change that cannot be paid at once is refused; source: "Update a subscription", payment_behavior
  const paysNow = textOf(form, 'proration_behavior') === 'always_invoice' && subscription.status !== 'trialing';
  if (paysNow && textOf(form, 'payment_behavior') === 'error_if_incomplete' && !canCharge(world, subscription))
    throw declined();
  const discount = discountOf(call);
  if (discount !== null) addDiscount(at, subscription, discount);
  for (const [n, one] of itemsOf(form, 'items').entries()) {
    const id = textOf(one, 'id');
    const item = subscription.items.data.find((known) => known.id === id);
    if (item === undefined) throw invalid(`No such subscription item: '${id}'`, `items[${n}][id]`);
    const price = textOf(one, 'price');
    switchPrice(at, subscription, item, {
      price: price === null ? item.price : refer(world.prices, 'price', price, `items[${n}][price]`),
      quantity: intOf(one, 'quantity') ?? item.quantity,
      proration: (textOf(form, 'proration_behavior') ?? 'create_prorations') as Proration,
    });
  }
  const atEnd = boolOf(form, 'cancel_at_period_end');
  const trialEnd = trialEndOf(call, at.now);
  const changes: Partial<Subscription> = {
    metadata: metadataOf(form, subscription.metadata),
    ...(card !== null && { default_payment_method: card }),
    ...(atEnd !== null && {
      cancel_at_period_end: atEnd,
      canceled_at: atEnd ? (subscription.canceled_at ?? at.now) : null,
      cancel_at: atEnd ? endOfPeriod(subscription) : null,
      cancellation_details: {
        ...subscription.cancellation_details,
        reason: atEnd ? 'cancellation_requested' : null,
      },
    }),
  };
  if (trialEnd !== null && trialEnd > at.now) {
    const items = structuredClone(subscription.items);
    for (const item of items.data) item.current_period_end = trialEnd;
    Object.assign(changes, {
      status: 'trialing',
      trial_start: subscription.trial_start ?? at.now,
      trial_end: trialEnd,
      billing_cycle_anchor: trialEnd,
      items,
    });
    world.warned.delete(subscription.id);
  } else if (trialEnd !== null && subscription.status === 'trialing') {
    // over at once: what follows is what time brings
    for (const item of subscription.items.data) item.current_period_end = at.now;
    changes.trial_end = at.now;
    changes.billing_cycle_anchor = at.now;
  }
  change(at, 'customer.subscription.updated', subscription, changes);
  return subscription;
}

export const endOfPeriod = ({ items }: Subscription) => Math.min(...items.data.map((item) => item.current_period_end));

function trialEndOf({ form }: Call, now: number): number | null {
  return textOf(form, 'trial_end') === 'now' ? now : intOf(form, 'trial_end');
}

/** Previews the next invoice with a proposed change. Source: "Create a preview invoice". */
function preview(call: Call): Invoice {
  const { world, form } = call;
  const id = demand(form, 'subscription');
  const subscription = refer(world.subscriptions, 'subscription', id, 'subscription');
  const draft = structuredClone(subscription);
  const now = nowOf(call, subscription.test_clock, call.now);
  const details = partOf(form, 'subscription_details');
  const scratch: World = {
    ...world,
    subscriptions: new Map([[id, draft]]),
    invoices: new Map(),
    pending: new Map([[id, [...(world.pending.get(id) ?? [])]]]),
    endpoints: new Map(),
    events: [],
    customers: new Map([[subscription.customer, structuredClone(world.customers.get(subscription.customer)!)]]),
  };
  for (const one of itemsOf(details, 'items')) {
    const item = draft.items.data.find((known) => known.id === textOf(one, 'id')) ?? draft.items.data[0]!;
    const price = textOf(one, 'price');
    switchPrice({ ...call, world: scratch, now }, draft, item, {
      price: price === null ? item.price : refer(world.prices, 'price', price, 'subscription_details[items][0][price]'),
      quantity: intOf(one, 'quantity') ?? item.quantity,
      proration: (textOf(details, 'proration_behavior') ?? 'create_prorations') as Proration,
    });
  }
  const [atOnce] = scratch.invoices.values();
  if (atOnce !== undefined) return { ...atOnce, id: 'upcoming', status: 'draft' };
  const end = endOfPeriod(draft);
  const lines = draft.items.data.map((item) =>
    lineOf(scratch, draft, item, {
      amount: item.price.unit_amount * item.quantity,
      period: { start: end, end },
      description: world.products.get(item.price.product)?.name ?? item.price.id,
    }),
  );
  const all = [...(scratch.pending.get(id) ?? []), ...lines];
  return {
    ...compose(scratch, draft, all, { reason: 'subscription_cycle', now: end }),
    id: 'upcoming',
    next_payment_attempt: end + 3_600,
  };
}
