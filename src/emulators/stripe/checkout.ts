import { type At, announce, change } from './announce.ts';
import { pay, subscribe } from './billing.ts';
import { type Call, find, isAsked, listPage, type Route, refer } from './call.ts';
import { makeCard, makeCustomer } from './customers.ts';
import { invalid, type StripeError } from './errors.ts';
import { boolOf, demand, intOf, itemsOf, metadataOf, partOf, textOf } from './read-form.ts';
import {
  type Address,
  type CheckoutPlan,
  type CheckoutSession,
  type Coupon,
  type Discount,
  listOf,
  nextId,
  type PromotionCode,
  type Subscription,
  type World,
} from './world.ts';

const day = 86_400;

export const checkoutRoutes: readonly Route[] = [
  { operation: 'checkout.create', method: 'POST', path: /^\/v1\/checkout\/sessions$/, answer: createSession },
  {
    operation: 'checkout.list',
    method: 'GET',
    path: /^\/v1\/checkout\/sessions$/,
    answer: (call) =>
      listPage(
        call,
        '/v1/checkout/sessions',
        [...call.world.sessions.values()].filter(
          (one) =>
            isAsked(call.form, 'customer', one.customer) &&
            isAsked(call.form, 'subscription', one.subscription) &&
            isAsked(call.form, 'status', one.status),
        ),
      ),
  },
  {
    operation: 'checkout.read',
    method: 'GET',
    path: /^\/v1\/checkout\/sessions\/(\w+)$/,
    answer: ({ world, path: [id] }) => find(world.sessions, 'checkout.session', id),
  },
  {
    operation: 'checkout.lines',
    method: 'GET',
    path: /^\/v1\/checkout\/sessions\/(\w+)\/line_items$/,
    answer({ world, path: [id] }) {
      const session = find(world.sessions, 'checkout.session', id);
      return listOf(`/v1/checkout/sessions/${session.id}/line_items`, linesOf(world, session));
    },
  },
  {
    operation: 'checkout.expire',
    method: 'POST',
    path: /^\/v1\/checkout\/sessions\/(\w+)\/expire$/,
    answer(call) {
      const session = find(call.world.sessions, 'checkout.session', call.path[0]);
      if (session.status !== 'open')
        throw invalid(
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
        );
      session.url = null;
      change(call, 'checkout.session.expired', session, { status: 'expired' });
      return session;
    },
  },
];

/** Source: "Create a Checkout Session", mode subscription. */
function createSession(call: Call): CheckoutSession {
  const { world, now, form } = call;
  if (demand(form, 'mode') !== 'subscription') throw invalid('Only mode=subscription is emulated.', 'mode');
  const items = itemsOf(form, 'line_items').map((one, n) => {
    const price = refer(world.prices, 'price', demand(one, 'price'), `line_items[${n}][price]`);
    if (!price.active) throw invalid('The price specified is inactive.', `line_items[${n}][price]`);
    return { price: price.id, quantity: intOf(one, 'quantity') ?? 1 };
  });
  if (items.length === 0) throw invalid('You must provide line items.', 'line_items');
  if (items.every(({ price }) => world.prices.get(price)!.recurring === null))
    throw invalid('You must provide at least one recurring price in `subscription` mode.', 'line_items');
  const customer = textOf(form, 'customer');
  if (customer !== null) refer(world.customers, 'customer', customer, 'customer');
  const email = textOf(form, 'customer_email');
  if (customer !== null && email !== null) throw invalid('You may only specify one of customer, customer_email.');
  const allowsCodes = boolOf(form, 'allow_promotion_codes') ?? false;
  const [given = {}] = itemsOf(form, 'discounts');
  const [promotionCode, coupon] = [textOf(given, 'promotion_code'), textOf(given, 'coupon')];
  if (allowsCodes && (promotionCode !== null || coupon !== null))
    throw invalid('You may only specify one of these parameters: allow_promotion_codes, discounts.');
  if (promotionCode !== null) {
    const code = refer(world.promotionCodes, 'promotion code', promotionCode, 'discounts[0][promotion_code]');
    if (!canRedeem(world, code, customer, now)) throw invalid('This promotion code is not active.', 'discounts');
  }
  if (coupon !== null) refer(world.coupons, 'coupon', coupon, 'discounts[0][coupon]');
  const data = partOf(form, 'subscription_data');
  const behavior = textOf(partOf(partOf(data, 'trial_settings'), 'end_behavior'), 'missing_payment_method');
  const id = nextId(world, 'cs_test');
  const plan: CheckoutPlan = {
    items,
    trialDays: intOf(data, 'trial_period_days'),
    trialEnd: intOf(data, 'trial_end'),
    missingPaymentMethod: (behavior ?? 'create_invoice') as CheckoutPlan['missingPaymentMethod'],
    metadata: metadataOf(data),
    promotionCode,
    coupon,
  };
  if (plan.trialDays !== null && (plan.trialDays < 1 || plan.trialDays > 730))
    throw invalid('The trial must be between 1 and 730 days.', 'subscription_data[trial_period_days]');
  if (plan.trialEnd !== null && plan.trialEnd < now + 2 * day)
    throw invalid('The `trial_end` date has to be at least 2 days in the future.', 'subscription_data[trial_end]');
  const total = items.reduce((all, one) => all + world.prices.get(one.price)!.unit_amount * one.quantity, 0);
  const session: CheckoutSession = {
    id,
    object: 'checkout.session',
    created: now,
    metadata: metadataOf(form),
    mode: 'subscription',
    status: 'open',
    payment_status: 'unpaid',
    customer,
    customer_email: email,
    customer_details: null,
    client_reference_id: textOf(form, 'client_reference_id'),
    subscription: null,
    invoice: null,
    currency: world.prices.get(items[0]!.price)!.currency,
    amount_subtotal: total,
    amount_total: total,
    allow_promotion_codes: allowsCodes,
    payment_method_collection: (textOf(form, 'payment_method_collection') ??
      'always') as CheckoutSession['payment_method_collection'],
    automatic_tax: { enabled: boolOf(partOf(form, 'automatic_tax'), 'enabled') ?? false, status: null },
    success_url: demand(form, 'success_url'),
    cancel_url: textOf(form, 'cancel_url'),
    expires_at: intOf(form, 'expires_at') ?? now + day,
    url: `${world.origin}/c/pay/${id}`,
  };
  world.sessions.set(id, session);
  world.plans.set(id, plan);
  return session;
}

function linesOf(world: World, session: CheckoutSession) {
  return world.plans.get(session.id)!.items.map(({ price, quantity }) => {
    const one = world.prices.get(price)!;
    const total = one.unit_amount * quantity;
    return {
      id: `li_${session.id}_${price}`,
      object: 'item',
      price: one,
      quantity,
      currency: one.currency,
      description: world.products.get(one.product)?.name ?? null,
      amount_subtotal: total,
      amount_total: total,
    };
  });
}

/** Whether somebody may use a code now. Source: "Promotion codes", redemption. */
export function canRedeem(world: World, code: PromotionCode, customer: string | null, now: number): boolean {
  const coupon = world.coupons.get(code.promotion.coupon);
  return (
    code.active &&
    coupon?.valid === true &&
    (code.expires_at === null || now < code.expires_at) &&
    (coupon.redeem_by === null || now < coupon.redeem_by) &&
    (code.customer === null || code.customer === customer)
  );
}

export interface Payment {
  email?: string | undefined;
  name?: string | undefined;
  country?: string | undefined;
  /** Card number; absent if none is asked for. */
  card?: string | undefined;
  promotionCode?: string | undefined;
}

/** Completes a checkout page; returns null, or the reason for a failure in words. */
export function completeSession(at: At, session: CheckoutSession, payment: Payment): string | null {
  const { world, now } = at;
  const plan = world.plans.get(session.id)!;
  if (session.status !== 'open') return 'This page is over.';
  const discount = discountOf(at, session, plan, payment);
  if (typeof discount === 'string') return discount;
  const email = session.customer_email ?? payment.email ?? null;
  const address: Address | null = payment.country ? { country: payment.country, postal_code: null } : null;
  const known = session.customer === null ? undefined : world.customers.get(session.customer);
  if (known === undefined && email === null) return 'Your email is required.';
  const hasTrial = plan.trialDays !== null || plan.trialEnd !== null;
  const needsCard = !(hasTrial && session.payment_method_collection === 'if_required');
  if (needsCard && payment.card === undefined) return 'Your card number is incomplete.';
  const customer =
    known ??
    makeCustomer(at, { email, name: payment.name ?? null, address, metadata: {}, test_clock: null, created: now });
  if (known !== undefined && address !== null) known.address = address;
  if (payment.card !== undefined) {
    const card = makeCard(world, customer.id, payment.card, now);
    if (card === null) return 'Your card was declined.';
    customer.invoice_settings = { default_payment_method: card.id };
    announce(at, 'payment_method.attached', card);
  }
  const subscription: Subscription = subscribe(at, {
    customer,
    items: plan.items.map(({ price, quantity }) => ({ price: world.prices.get(price)!, quantity })),
    trialEnd: plan.trialEnd ?? (plan.trialDays === null ? null : now + plan.trialDays * day),
    discount,
    missingPaymentMethod: plan.missingPaymentMethod,
    automaticTax: session.automatic_tax.enabled,
    metadata: plan.metadata,
  });
  const invoice = world.invoices.get(subscription.latest_invoice!)!;
  if (invoice.status !== 'paid') {
    try {
      pay(at, invoice);
    } catch (error) {
      return (error as StripeError).message;
    }
  }
  Object.assign(session, {
    status: 'complete',
    payment_status: invoice.amount_due === 0 ? 'no_payment_required' : 'paid',
    customer: customer.id,
    customer_details: { email: customer.email, name: customer.name, address: customer.address },
    subscription: subscription.id,
    invoice: invoice.id,
    amount_subtotal: invoice.subtotal,
    amount_total: invoice.total,
    automatic_tax: { ...session.automatic_tax, status: session.automatic_tax.enabled ? 'complete' : null },
    url: null,
  });
  announce(at, 'checkout.session.completed', session);
  return null;
}

function discountOf(
  { world, now }: At,
  session: CheckoutSession,
  plan: CheckoutPlan,
  { promotionCode }: Payment,
): Pick<Discount, 'promotion_code' | 'source'> | string | null {
  const of = (coupon: Coupon, code: PromotionCode | null) => ({
    promotion_code: code?.id ?? null,
    source: { type: 'coupon' as const, coupon: coupon.id },
  });
  if (plan.coupon !== null) return of(world.coupons.get(plan.coupon)!, null);
  const code =
    plan.promotionCode !== null
      ? world.promotionCodes.get(plan.promotionCode)
      : [...world.promotionCodes.values()].find(
          (one) => one.code.toLowerCase() === promotionCode?.toLowerCase() && one.active,
        );
  if (code === undefined) return promotionCode ? 'This code is invalid.' : null;
  if (!canRedeem(world, code, session.customer, now)) return 'This code is invalid.';
  return of(world.coupons.get(code.promotion.coupon)!, code);
}
