import { type At, announce, change } from './announce.ts';
import { declined } from './errors.ts';
import {
  type Customer,
  type Discount,
  type Interval,
  type Invoice,
  type InvoiceLine,
  listOf,
  nextId,
  type Price,
  type Subscription,
  type SubscriptionItem,
  type World,
} from './world.ts';

const hour = 3_600;
const day = 86_400;

export interface NewSubscription {
  customer: Customer;
  items: { price: Price; quantity: number }[];
  trialEnd: number | null;
  discount: Pick<Discount, 'promotion_code' | 'source'> | null;
  missingPaymentMethod: Subscription['trial_settings']['end_behavior']['missing_payment_method'];
  automaticTax: boolean;
  metadata: Record<string, string>;
}

/** A subscription with its first invoice; without a trial it is `incomplete` until that is paid. Source: "How subscriptions work". */
export function subscribe(at: At, asked: NewSubscription): Subscription {
  const { world, now } = at;
  const { customer, trialEnd } = asked;
  const id = nextId(world, 'sub');
  const end = trialEnd ?? endOf(asked.items[0]!.price, now, now);
  const items = asked.items.map(
    ({ price, quantity }): SubscriptionItem => ({
      id: nextId(world, 'si'),
      object: 'subscription_item',
      created: now,
      metadata: {},
      subscription: id,
      price,
      quantity,
      current_period_start: now,
      current_period_end: end,
    }),
  );
  const subscription: Subscription = {
    id,
    object: 'subscription',
    created: now,
    metadata: asked.metadata,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    customer: customer.id,
    currency: asked.items[0]!.price.currency,
    items: listOf(`/v1/subscription_items?subscription=${id}`, items),
    billing_cycle_anchor: trialEnd ?? now,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, reason: null },
    collection_method: 'charge_automatically',
    default_payment_method: null,
    discounts: [],
    ended_at: null,
    latest_invoice: null,
    start_date: now,
    test_clock: customer.test_clock,
    trial_start: trialEnd === null ? null : now,
    trial_end: trialEnd,
    trial_settings: { end_behavior: { missing_payment_method: asked.missingPaymentMethod } },
    automatic_tax: { enabled: asked.automaticTax },
  };
  world.subscriptions.set(id, subscription);
  if (asked.discount !== null) addDiscount(at, subscription, asked.discount);
  const lines = items.map((item) =>
    lineOf(world, subscription, item, {
      amount: trialEnd === null ? item.price.unit_amount * item.quantity : 0,
      period: { start: now, end },
      description: trialEnd === null ? nameOf(world, item) : `Free trial for ${nameOf(world, item)}`,
    }),
  );
  announce(at, 'customer.subscription.created', subscription);
  finalize(at, draft(at, subscription, lines, 'subscription_create'));
  return subscription;
}

/** Applies a discount from now on, and counts its redemption. */
export function addDiscount(
  { world, now }: At,
  subscription: Subscription,
  { promotion_code, source }: Pick<Discount, 'promotion_code' | 'source'>,
): void {
  const coupon = world.coupons.get(source.coupon)!;
  const id = nextId(world, 'di');
  coupon.times_redeemed += 1;
  coupon.valid = coupon.max_redemptions === null || coupon.times_redeemed < coupon.max_redemptions;
  const code = promotion_code === null ? undefined : world.promotionCodes.get(promotion_code);
  if (code !== undefined) {
    code.times_redeemed += 1;
    if (code.max_redemptions !== null && code.times_redeemed >= code.max_redemptions) code.active = false;
  }
  const months = coupon.duration === 'repeating' ? coupon.duration_in_months : null;
  world.discounts.set(id, {
    id,
    object: 'discount',
    customer: subscription.customer,
    subscription: subscription.id,
    promotion_code,
    source,
    start: now,
    end: months === null ? null : later(now, 'month', months, now),
  });
  subscription.discounts = [id];
}

/** Switches the price. Source: "Create prorations": the unused part is credited, the rest of the period is charged. */
export function switchPrice(
  at: At,
  subscription: Subscription,
  item: SubscriptionItem,
  {
    price,
    quantity,
    proration,
  }: { price: Price; quantity: number; proration: 'create_prorations' | 'always_invoice' | 'none' },
): void {
  const { world, now } = at;
  const before = { price: item.price, quantity: item.quantity };
  const previous = { items: structuredClone(subscription.items) };
  const { current_period_start: start, current_period_end: end } = item;
  const left = (end - now) / (end - start);
  const share = (one: { price: Price; quantity: number }) => Math.round(one.price.unit_amount * one.quantity * left);
  const isTrial = subscription.status === 'trialing';
  const sameCycle =
    before.price.recurring?.interval === price.recurring?.interval &&
    before.price.recurring?.interval_count === price.recurring?.interval_count;
  const lines: InvoiceLine[] = [];
  const prorate = (amount: number, words: string, to: number) =>
    lines.push(
      lineOf(world, subscription, item, {
        amount,
        period: { start: now, end: to },
        description: words,
        proration: true,
      }),
    );
  if (!isTrial && proration !== 'none') prorate(-share(before), `Unused time on ${nameOf(world, item)}`, end);
  item.price = price;
  item.quantity = quantity;
  if (!isTrial && sameCycle && proration !== 'none')
    prorate(share(item), `Remaining time on ${nameOf(world, item)}`, end);
  if (!isTrial && !sameCycle) {
    // another length of the period begins now, and is paid now
    subscription.billing_cycle_anchor = now;
    item.current_period_start = now;
    item.current_period_end = endOf(price, now, now);
    lines.push(
      lineOf(world, subscription, item, {
        amount: price.unit_amount * quantity,
        period: { start: now, end: item.current_period_end },
        description: nameOf(world, item),
      }),
    );
  }
  announce(at, 'customer.subscription.updated', subscription, previous);
  if (lines.length === 0) return;
  if (proration === 'always_invoice' || !sameCycle) finalize(at, draft(at, subscription, lines, 'subscription_update'));
  else world.pending.set(subscription.id, [...(world.pending.get(subscription.id) ?? []), ...lines]);
}

/** Ends it now. Source: "Cancel subscriptions". */
export function cancel(at: At, subscription: Subscription, reason: string): void {
  const { world, now } = at;
  Object.assign(subscription, {
    status: subscription.status === 'incomplete' ? 'incomplete_expired' : 'canceled',
    ended_at: now,
    canceled_at: subscription.canceled_at ?? now,
    cancellation_details: { ...subscription.cancellation_details, reason },
  });
  world.pending.delete(subscription.id);
  for (const invoice of world.invoices.values()) {
    if (subscriptionOf(invoice) !== subscription.id || invoice.status !== 'open') continue;
    invoice.auto_advance = false;
    invoice.next_payment_attempt = null;
  }
  announce(at, 'customer.subscription.deleted', subscription);
}

export const isOver = ({ status }: Subscription) => status === 'canceled' || status === 'incomplete_expired';

/** Pays what is open. *Errors*: the refusal of the card, after the attempt was kept and told. */
export function pay(at: At, invoice: Invoice): void {
  const { world, now } = at;
  const subscription = world.subscriptions.get(subscriptionOf(invoice))!;
  if (invoice.amount_due > 0 && !canCharge(world, subscription)) {
    const tries = invoice.attempt_count + 1;
    const days = world.knobs.retryDays[tries - 1];
    const isFirst = invoice.billing_reason === 'subscription_create';
    Object.assign(invoice, {
      attempted: true,
      attempt_count: tries,
      next_payment_attempt: days === undefined || isFirst ? null : now + days * day,
    });
    announce(at, 'invoice.payment_failed', invoice);
    announce(at, 'invoice.updated', invoice);
    if (!isFirst && subscription.status === 'active')
      change(at, 'customer.subscription.updated', subscription, { status: 'past_due' });
    setDelinquent(at, subscription.customer, true);
    if (!isFirst && days === undefined && !isOver(subscription)) giveUp(at, subscription);
    throw declined();
  }
  Object.assign(invoice, {
    status: 'paid',
    attempted: true,
    attempt_count: invoice.attempt_count + (invoice.amount_due > 0 ? 1 : 0),
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, paid_at: now },
  });
  announce(at, 'invoice.paid', invoice);
  announce(at, 'invoice.payment_succeeded', invoice);
  if (subscription.status === 'incomplete' || subscription.status === 'past_due' || subscription.status === 'unpaid')
    change(at, 'customer.subscription.updated', subscription, { status: 'active' });
  setDelinquent(at, subscription.customer, false);
}

function giveUp(at: At, subscription: Subscription): void {
  const { afterRetries } = at.world.knobs;
  if (afterRetries === 'cancel') cancel(at, subscription, 'payment_failed');
  else change(at, 'customer.subscription.updated', subscription, { status: afterRetries });
}

function setDelinquent(at: At, id: string, delinquent: boolean): void {
  const customer = at.world.customers.get(id);
  if (customer !== undefined) change(at, 'customer.updated', customer, { delinquent });
}

export function paymentMethodOf(world: World, subscription: Subscription): string | null {
  return (
    subscription.default_payment_method ??
    world.customers.get(subscription.customer)?.invoice_settings.default_payment_method ??
    null
  );
}

export function canCharge(world: World, subscription: Subscription): boolean {
  const card = paymentMethodOf(world, subscription);
  return card !== null && world.fates.get(card) === 'pays';
}

/** An invoice that can still be changed: of what is due now, and what earlier changes left for it. */
function draft(at: At, subscription: Subscription, lines: InvoiceLine[], reason: Invoice['billing_reason']): Invoice {
  const { world, now } = at;
  const invoice = compose(world, subscription, lines, { reason, now });
  world.invoices.set(invoice.id, invoice);
  subscription.latest_invoice = invoice.id;
  announce(at, 'invoice.created', invoice);
  return invoice;
}

export function compose(
  world: World,
  subscription: Subscription,
  lines: InvoiceLine[],
  { reason, now }: { reason: Invoice['billing_reason']; now: number },
): Invoice {
  const customer = world.customers.get(subscription.customer)!;
  const id = nextId(world, 'in');
  const subtotal = sum(lines.map(({ amount }) => amount));
  const discount = subscription.discounts
    .map((one) => world.discounts.get(one))
    .find((one) => one !== undefined && isValidAt(world, one, subscription, now));
  const off = discount === undefined ? 0 : Math.min(Math.max(0, subtotal), offOf(world, discount, subtotal));
  const percent = subscription.automatic_tax.enabled
    ? (world.knobs.taxPercent[customer.address?.country ?? ''] ?? 0)
    : 0;
  const tax = Math.round((Math.max(0, subtotal - off) * percent) / 100);
  const total = subtotal - off + tax;
  const due = Math.max(0, total + customer.balance);
  return {
    id,
    object: 'invoice',
    created: now,
    metadata: {},
    status: 'draft',
    number: null,
    customer: customer.id,
    customer_email: customer.email,
    customer_name: customer.name,
    currency: subscription.currency,
    billing_reason: reason,
    parent: {
      type: 'subscription_details',
      subscription_details: { subscription: subscription.id, metadata: subscription.metadata },
    },
    lines: listOf(`/v1/invoices/${id}/lines`, lines),
    subtotal,
    total_discount_amounts: discount === undefined ? [] : [{ amount: off, discount: discount.id }],
    total_taxes: tax === 0 ? [] : [{ amount: tax, tax_behavior: 'exclusive' }],
    total,
    amount_due: due,
    amount_paid: 0,
    amount_remaining: due,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatically_finalizes_at: reason === 'subscription_cycle' ? now + hour : null,
    next_payment_attempt: null,
    period_start: subscription.items.data[0]!.current_period_start,
    period_end: now,
    hosted_invoice_url: null,
    invoice_pdf: null,
    status_transitions: { finalized_at: null, paid_at: null, voided_at: null, marked_uncollectible_at: null },
    test_clock: subscription.test_clock,
  };
}

/** Makes it final and takes the money; a card that refuses leaves it open. */
export function finalize(at: At, invoice: Invoice): void {
  const { world, now } = at;
  const customer = world.customers.get(invoice.customer)!;
  // customer credit is used up, or grows by a negative invoice
  const balance = Math.min(0, invoice.total + customer.balance);
  if (balance !== customer.balance) change(at, 'customer.updated', customer, { balance });
  world.made += 1;
  Object.assign(invoice, {
    status: 'open',
    number: `${customer.id.slice(-6)}-${String(world.made).padStart(4, '0')}`,
    automatically_finalizes_at: null,
    hosted_invoice_url: `${world.origin}/i/${invoice.id}`,
    invoice_pdf: `${world.origin}/i/${invoice.id}/pdf`,
    status_transitions: { ...invoice.status_transitions, finalized_at: now },
  });
  announce(at, 'invoice.finalized', invoice);
  try {
    pay(at, invoice);
  } catch {
    // told by its own event
  }
}

/** The end of a period, or of a trial: the next one begins with an invoice. */
export function renew(at: At, subscription: Subscription): void {
  const { world, now } = at;
  const previous: Record<string, unknown> = { items: structuredClone(subscription.items) };
  if (subscription.status === 'trialing') {
    const { missing_payment_method: without } = subscription.trial_settings.end_behavior;
    if (paymentMethodOf(world, subscription) === null && without !== 'create_invoice') {
      if (without === 'cancel') {
        cancel(at, subscription, 'payment_failed');
        return;
      }
      change(at, 'customer.subscription.updated', subscription, { status: 'paused' });
      announce(at, 'customer.subscription.paused', subscription);
      return;
    }
    previous.status = 'trialing';
    subscription.status = 'active';
  }
  for (const item of subscription.items.data) {
    item.current_period_start = now;
    item.current_period_end = endOf(item.price, now, subscription.billing_cycle_anchor);
  }
  const lines = subscription.items.data.map((item) =>
    lineOf(world, subscription, item, {
      amount: item.price.unit_amount * item.quantity,
      period: { start: now, end: item.current_period_end },
      description: nameOf(world, item),
    }),
  );
  const earlier = world.pending.get(subscription.id) ?? [];
  world.pending.delete(subscription.id);
  announce(at, 'customer.subscription.updated', subscription, previous);
  draft(at, subscription, [...earlier, ...lines], 'subscription_cycle');
}

export const subscriptionOf = (invoice: Invoice) => invoice.parent.subscription_details.subscription;

const sum = (list: number[]) => list.reduce((total, one) => total + one, 0);

function isValidAt(world: World, { source, start, end }: Discount, subscription: Subscription, now: number): boolean {
  const { duration } = world.coupons.get(source.coupon)!;
  if (duration === 'forever') return true;
  if (duration === 'repeating') return end !== null && now < end;
  // once: what is charged first, a free trial not counted
  return ![...world.invoices.values()].some(
    (one) =>
      subscriptionOf(one) === subscription.id &&
      one.created >= start &&
      one.total_discount_amounts.some(({ amount }) => amount > 0),
  );
}

function offOf(world: World, { source }: Discount, subtotal: number): number {
  const { percent_off: percent, amount_off: amount } = world.coupons.get(source.coupon)!;
  return percent === null ? (amount ?? 0) : Math.round((Math.max(0, subtotal) * percent) / 100);
}

export function lineOf(
  world: World,
  subscription: Subscription,
  item: SubscriptionItem,
  {
    amount,
    period,
    description,
    proration = false,
  }: { amount: number; period: InvoiceLine['period']; description: string; proration?: boolean },
): InvoiceLine {
  return {
    id: nextId(world, 'il'),
    object: 'line_item',
    amount,
    subtotal: amount,
    currency: subscription.currency,
    description,
    quantity: item.quantity,
    period,
    pricing: {
      type: 'price_details',
      price_details: { price: item.price.id, product: item.price.product },
      unit_amount_decimal: String(item.price.unit_amount),
    },
    subscription: subscription.id,
    parent: {
      type: 'subscription_item_details',
      subscription_item_details: { subscription: subscription.id, subscription_item: item.id, proration },
    },
  };
}

function nameOf(world: World, { price, quantity }: SubscriptionItem): string {
  const name = world.products.get(price.product)?.name ?? price.product;
  const { interval = 'month' } = price.recurring ?? {};
  return `${quantity} × ${name} (at $${(price.unit_amount / 100).toFixed(2)} / ${interval})`;
}

/** The end of the period that begins then: the day of the month is that of the anchor, where the month has it. */
export function endOf({ recurring }: Price, start: number, anchor: number): number {
  const { interval, interval_count: count } = recurring!;
  return later(start, interval, count, anchor);
}

function later(start: number, interval: Interval, count: number, anchor: number): number {
  const from = utc(anchor);
  const unit = `${interval}s` as 'days' | 'weeks' | 'months' | 'years';
  for (let n = count; ; n += count) {
    const end = Math.floor(from.add({ [unit]: n }).epochMilliseconds / 1000);
    if (end > start) return end;
  }
}

const utc = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toZonedDateTimeISO('UTC');
