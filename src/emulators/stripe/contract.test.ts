import Stripe from 'stripe';
import { beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '#emulators/kit/clock.ts';
import { connectControl } from '#emulators/kit/control-client.ts';
import { fetchInProcess } from '#emulators/kit/fetch-in-process.ts';
import { createStripe, type StripeDialect } from './stripe.ts';

/** The emulator against Stripe's documents, by Stripe's own library; each document is named where its rule is tested. */

const base = 'http://stripe.test';
const start = Temporal.ZonedDateTime.from('2027-01-31T12:00:00[UTC]');
const day = 86_400;

function open() {
  const clock = createClock(start.epochMilliseconds);
  const served = createStripe({ clock });
  const send = fetchInProcess(served);
  const control = connectControl<StripeDialect>(base, send);
  const heard: { body: string; signature: string }[] = [];
  served.emulator.deliveries.sendWith(async ({ body, headers }) => {
    heard.push({ body, signature: headers['stripe-signature']! });
    return { status: 200, body: '', tookMs: 1 };
  });
  const api = (key: string) =>
    new Stripe(key, {
      host: 'stripe.test',
      protocol: 'http',
      maxNetworkRetries: 0,
      telemetry: false,
      httpClient: Stripe.createFetchHttpClient(((url: string, init: RequestInit) =>
        send(String(url), init)) as typeof fetch),
    });
  const types = async () => (await control.snapshot()).events.map(({ type }) => type);
  return { clock, served, control, heard, api, send, types, stripe: api('sk_test_one') };
}

let world: ReturnType<typeof open>;
let pro: Stripe.Price;
let business: Stripe.Price;
beforeEach(async () => {
  world = open();
  await world.control.seed({ secretKey: 'sk_test_one', restrictedKey: 'rk_test_one' });
  await world.control.knobs({ requestsPerSecond: 1_000 });
  const price = async (name: string, cents: number, interval: 'month' | 'year' = 'month') => {
    const product = await world.stripe.products.create({ name });
    return world.stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: cents,
      recurring: { interval },
      lookup_key: name.toLowerCase(),
    });
  };
  pro = await price('Pro', 1_200);
  business = await price('Business', 2_900);
});

const checkout = (more: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
  world.stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: pro.id, quantity: 1 }],
    success_url: 'http://127.0.0.1:1/done?session={CHECKOUT_SESSION_ID}',
    customer_email: 'anna@example.org',
    ...more,
  });

async function subscribed(more: Partial<Stripe.Checkout.SessionCreateParams> = {}, payment: object = {}) {
  const { id } = await checkout(more);
  const acted = await world.control.act({ do: 'pay', session: id, card: '4242424242424242', ...payment });
  expect(acted.problem).toBeNull();
  const session = await world.stripe.checkout.sessions.retrieve(id, { expand: ['subscription', 'invoice'] });
  return {
    session,
    subscription: session.subscription as Stripe.Subscription,
    invoice: session.invoice as Stripe.Invoice,
    customer: session.customer as string,
  };
}

const statusOf = async (id: string) => (await world.stripe.subscriptions.retrieve(id)).status;
const advance = (days: number) => world.clock.advance(days * day * 1000);

describe('"Authentication"', () => {
  it('a secret key is accepted, an unknown one refused, and a restricted one may only read', async () => {
    await expect(world.api('sk_test_other').customers.list()).rejects.toMatchObject({ statusCode: 401 });
    await expect(world.api('rk_test_one').customers.list()).resolves.toMatchObject({ data: [] });
    await expect(world.api('rk_test_one').customers.create({})).rejects.toMatchObject({ statusCode: 403 });
  });
});

describe('"Idempotent requests"', () => {
  it('an idempotency key repeats its response for a day and refuses other parameters', async () => {
    const create = (email: string) => world.stripe.customers.create({ email }, { idempotencyKey: 'once' });
    const first = await create('a@example.org');
    expect((await create('a@example.org')).id).toBe(first.id);
    await expect(create('b@example.org')).rejects.toMatchObject({ type: 'StripeIdempotencyError' });
    advance(1.1);
    expect((await create('a@example.org')).id).not.toBe(first.id);
  });

  it('an idempotency key is kept when the response was lost', async () => {
    await world.control.addFaults({ name: 'lost-answer' });
    const create = () => world.stripe.customers.create({ email: 'a@example.org' }, { idempotencyKey: 'lost' });
    await expect(create()).rejects.toMatchObject({ type: 'StripeConnectionError' });
    await create();
    expect((await world.stripe.customers.list()).data).toHaveLength(1);
  });
});

describe('"Pagination" and "Expanding responses"', () => {
  it('a list gives each object once, newest first, over all pages', async () => {
    const made: string[] = [];
    for (let n = 0; n < 7; n += 1) made.push((await world.stripe.customers.create({ name: `${n}` })).id);
    const listed: string[] = [];
    for await (const one of world.stripe.customers.list({ limit: 3 })) listed.push(one.id);
    expect(listed).toEqual(made.toReversed());
  });

  it('expand returns nested objects, and an unknown path is refused', async () => {
    const { subscription } = await subscribed();
    const found = await world.stripe.subscriptions.retrieve(subscription.id, {
      expand: ['customer', 'latest_invoice', 'items.data.price.product'],
    });
    expect(found.customer).toMatchObject({ email: 'anna@example.org' });
    expect(found.latest_invoice).toMatchObject({ status: 'paid' });
    expect(found.items.data[0]!.price.product).toMatchObject({ name: 'Pro' });
    await expect(world.stripe.subscriptions.retrieve(subscription.id, { expand: ['nothing'] })).rejects.toMatchObject({
      statusCode: 400,
    });
  });
});

describe('"Errors"', () => {
  it.each([
    [
      'a price that is none',
      () => checkout({ line_items: [{ price: 'price_none', quantity: 1 }] }),
      400,
      'resource_missing',
    ],
    ['an object that is none', () => world.stripe.subscriptions.retrieve('sub_none'), 404, 'resource_missing'],
    [
      'a missing parameter',
      () => world.stripe.products.create({} as Stripe.ProductCreateParams),
      400,
      'parameter_missing',
    ],
    [
      'a number that is none',
      () => world.stripe.customers.list({ limit: 'x' as unknown as number }),
      400,
      'parameter_invalid_integer',
    ],
  ])('a request with %s is refused', async (_, call, statusCode, code) => {
    await expect(call()).rejects.toMatchObject({ statusCode, code });
  });

  it('"Rate limits": a request over the limit per second is refused with 429', async () => {
    await world.control.knobs({ requestsPerSecond: 3 });
    advance(0.001);
    for (let n = 0; n < 3; n += 1) await world.stripe.customers.list();
    await expect(world.stripe.customers.list()).rejects.toMatchObject({ type: 'StripeRateLimitError' });
    world.clock.advance(1_000);
    await world.stripe.customers.list();
  });
});

describe('"Checkout"', () => {
  it('a paid checkout creates the customer, subscription and paid invoice, and redirects back', async () => {
    const { url, id } = await checkout({
      client_reference_id: 'account-1',
      subscription_data: { metadata: { plan: 'pro' } },
    });
    const page = await world.send(url!, {});
    expect(await page.text()).toContain('Pro');
    const paid = await world.send(url!, { method: 'POST', body: new URLSearchParams({ card: '4242 4242 4242 4242' }) });
    expect([paid.status, paid.headers.get('location')]).toEqual([303, `http://127.0.0.1:1/done?session=${id}`]);
    const session = await world.stripe.checkout.sessions.retrieve(id, { expand: ['subscription'] });
    expect(session).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      client_reference_id: 'account-1',
      amount_total: 1_200,
    });
    expect(session.subscription).toMatchObject({ status: 'active', metadata: { plan: 'pro' } });
    expect(await world.types()).toEqual([
      'customer.created',
      'payment_method.attached',
      'customer.subscription.created',
      'invoice.created',
      'invoice.finalized',
      'invoice.paid',
      'invoice.payment_succeeded',
      'customer.subscription.updated',
      'checkout.session.completed',
    ]);
  });

  it('"Test cards": a declined card creates nothing, and the checkout can be paid again', async () => {
    const { id } = await checkout();
    const pay = (card: string) => world.control.act({ do: 'pay', session: id, card });
    expect((await pay('4000000000000002')).problem).toBe('Your card was declined.');
    expect((await world.control.snapshot()).subscriptions).toEqual([]);
    expect((await pay('4242424242424242')).problem).toBeNull();
    expect((await pay('4242424242424242')).problem).toBe('This page is over.');
  });

  it('a checkout session ends after a day or when it is expired', async () => {
    const { id } = await checkout();
    advance(1.01);
    expect((await world.stripe.checkout.sessions.retrieve(id)).status).toBe('expired');
    const other = await checkout();
    await world.stripe.checkout.sessions.expire(other.id);
    expect((await world.control.act({ do: 'pay', session: other.id })).problem).toBe('This page is over.');
  });

  it('"Automatic tax": a checkout adds the tax of the country of its customer', async () => {
    await world.control.knobs({ taxPercent: { DE: 19 } });
    const { invoice } = await subscribed({ automatic_tax: { enabled: true } }, { country: 'DE' });
    expect(invoice).toMatchObject({ subtotal: 1_200, total: 1_428, amount_paid: 1_428 });
  });
});

describe('"Trials"', () => {
  it('a trial charges nothing, warns three days before its end, then charges', async () => {
    const { subscription, invoice } = await subscribed({ subscription_data: { trial_period_days: 30 } });
    expect([subscription.status, invoice.amount_paid]).toEqual(['trialing', 0]);
    advance(27);
    expect(await world.types()).toContain('customer.subscription.trial_will_end');
    advance(3);
    expect(await statusOf(subscription.id)).toBe('active');
    advance(0.05);
    const { data } = await world.stripe.invoices.list({ subscription: subscription.id });
    expect(data.map(({ amount_paid: paid, billing_reason: reason }) => [paid, reason])).toEqual([
      [1_200, 'subscription_cycle'],
      [0, 'subscription_create'],
    ]);
  });

  it.each([
    ['cancel', 'canceled'],
    ['pause', 'paused'],
    ['create_invoice', 'active'],
  ] as const)('a trial that ends without a card follows its setting: %s', async (missing, status) => {
    const { subscription } = await subscribed(
      {
        payment_method_collection: 'if_required',
        subscription_data: {
          trial_period_days: 7,
          trial_settings: { end_behavior: { missing_payment_method: missing } },
        },
      },
      { card: undefined },
    );
    advance(7.01);
    expect(await statusOf(subscription.id)).toBe(status);
    advance(0.1);
    if (missing === 'create_invoice') expect(await statusOf(subscription.id)).toBe('past_due');
  });

  it('a trial can be extended or ended at once', async () => {
    const { subscription } = await subscribed({ subscription_data: { trial_period_days: 30 } });
    const longer = subscription.trial_end! + 7 * day;
    await world.stripe.subscriptions.update(subscription.id, { trial_end: longer });
    advance(32);
    expect(await statusOf(subscription.id)).toBe('trialing');
    await world.stripe.subscriptions.update(subscription.id, { trial_end: 'now' });
    expect(await statusOf(subscription.id)).toBe('active');
  });
});

describe('"How subscriptions work"', () => {
  it('a subscription renews on its day of the month, or on the last day of a shorter month', async () => {
    const { subscription } = await subscribed();
    const ends: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      const { items } = await world.stripe.subscriptions.retrieve(subscription.id);
      const end = items.data[0]!.current_period_end;
      ends.push(
        Temporal.Instant.fromEpochMilliseconds(end * 1000)
          .toString()
          .slice(0, 10),
      );
      world.clock.set(end * 1000);
    }
    expect(ends).toEqual(['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']);
  });

  it('"Smart retries": a failing card makes a subscription past due, is retried, and cancels it after the last retry', async () => {
    const { subscription } = await subscribed({}, { card: '4242424242424242' });
    const [card] = (await world.stripe.customers.listPaymentMethods(subscription.customer as string)).data;
    await world.control.act({ do: 'bank', card: card!.id, fate: 'kept-then-declined' });
    advance(28.1);
    expect(await statusOf(subscription.id)).toBe('past_due');
    const [invoice] = (await world.stripe.invoices.list({ subscription: subscription.id, status: 'open' })).data;
    expect(invoice).toMatchObject({ attempt_count: 1, amount_remaining: 1_200 });
    advance(3);
    expect((await world.stripe.invoices.retrieve(invoice!.id!)).attempt_count).toBe(2);
    advance(20);
    expect(await statusOf(subscription.id)).toBe('canceled');
  });

  it('a past due subscription becomes active when its open invoice is paid', async () => {
    const { subscription } = await subscribed();
    const [card] = (await world.stripe.customers.listPaymentMethods(subscription.customer as string)).data;
    await world.control.act({ do: 'bank', card: card!.id, fate: 'kept-then-declined' });
    advance(28.1);
    const [invoice] = (await world.stripe.invoices.list({ status: 'open' })).data;
    await expect(world.stripe.invoices.pay(invoice!.id!)).rejects.toMatchObject({ code: 'card_declined' });
    await world.control.act({ do: 'bank', card: card!.id, fate: 'pays' });
    await world.stripe.invoices.pay(invoice!.id!);
    expect(await statusOf(subscription.id)).toBe('active');
  });

  it('"Cancel": a subscription can be canceled at the period end, resumed, or canceled at once', async () => {
    const { subscription } = await subscribed();
    await world.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    await world.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false });
    advance(28.1);
    expect(await statusOf(subscription.id)).toBe('active');
    await world.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    advance(31);
    expect(await statusOf(subscription.id)).toBe('canceled');
    const other = await subscribed();
    await world.stripe.subscriptions.cancel(other.subscription.id);
    expect(await statusOf(other.subscription.id)).toBe('canceled');
  });

  it('"Prorations": a new price is prorated on the next invoice', async () => {
    const { subscription } = await subscribed();
    advance(14);
    const [item] = subscription.items.data;
    const change = { items: [{ id: item!.id, price: business.id }] };
    const preview = await world.stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: change,
    });
    await world.stripe.subscriptions.update(subscription.id, change);
    advance(14.1);
    const [invoice] = (await world.stripe.invoices.list({ subscription: subscription.id })).data;
    expect(invoice!.lines.data.map(({ amount }) => amount)).toEqual([-600, 1_450, 2_900]);
    expect(preview.total).toBe(invoice!.total);
  });

  it('"Prorations": a new interval is charged at once, less the unused time', async () => {
    const yearly = await world.stripe.prices.create({
      product: pro.product as string,
      currency: 'usd',
      unit_amount: 12_000,
      recurring: { interval: 'year' },
    });
    const { subscription } = await subscribed();
    advance(14);
    const changed = await world.stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0]!.id, price: yearly.id }],
    });
    const invoice = await world.stripe.invoices.retrieve(changed.latest_invoice as string);
    expect(invoice).toMatchObject({ total: 12_000 - 600, status: 'paid' });
  });
});

describe('"Coupons and promotion codes"', () => {
  const code = async (
    params: Partial<Stripe.CouponCreateParams>,
    more: Partial<Stripe.PromotionCodeCreateParams> = {},
  ) => {
    const coupon = await world.stripe.coupons.create({ percent_off: 50, duration: 'once', ...params });
    return world.stripe.promotionCodes.create({
      promotion: { type: 'coupon', coupon: coupon.id },
      code: 'HELLO',
      ...more,
    });
  };
  const totals = async (id: string) =>
    (await world.stripe.invoices.list({ subscription: id })).data.map(({ total }) => total).toReversed();

  it('a coupon applies once, for some months or forever', async () => {
    await code({});
    const once = await subscribed({ allow_promotion_codes: true }, { promotionCode: 'hello' });
    await code({ duration: 'forever', percent_off: 10 }, { code: 'ALWAYS' });
    const always = await subscribed({ allow_promotion_codes: true }, { promotionCode: 'ALWAYS' });
    await code(
      { duration: 'repeating', duration_in_months: 2, percent_off: undefined, amount_off: 200, currency: 'usd' },
      { code: 'TWO' },
    );
    const two = await subscribed({ allow_promotion_codes: true }, { promotionCode: 'TWO' });
    advance(70);
    expect(await totals(once.subscription.id)).toEqual([600, 1_200, 1_200]);
    expect(await totals(always.subscription.id)).toEqual([1_080, 1_080, 1_080]);
    expect(await totals(two.subscription.id)).toEqual([1_000, 1_000, 1_200]);
  });

  it('a used-up or unknown promotion code is refused', async () => {
    await code({}, { max_redemptions: 1 });
    await subscribed({ allow_promotion_codes: true }, { promotionCode: 'HELLO' });
    const { id } = await checkout({ allow_promotion_codes: true });
    const pay = (promotionCode: string) =>
      world.control.act({ do: 'pay', session: id, card: '4242424242424242', promotionCode });
    expect((await pay('HELLO')).problem).toBe('This code is invalid.');
    expect((await pay('NONE')).problem).toBe('This code is invalid.');
  });
});

describe('"Update a subscription", payment_behavior', () => {
  it('error_if_incomplete leaves the subscription unchanged when the payment fails', async () => {
    const { subscription, customer } = await subscribed();
    const [card] = (await world.stripe.customers.listPaymentMethods(customer)).data;
    const change = () =>
      world.stripe.subscriptions.update(subscription.id, {
        items: [{ id: subscription.items.data[0]!.id, price: business.id }],
        proration_behavior: 'always_invoice',
        payment_behavior: 'error_if_incomplete',
      });
    await world.control.act({ do: 'bank', card: card!.id, fate: 'kept-then-declined' });
    await expect(change()).rejects.toMatchObject({ type: 'StripeCardError', code: 'card_declined' });
    const before = await world.stripe.subscriptions.retrieve(subscription.id);
    expect([before.status, before.items.data[0]!.price.id]).toEqual(['active', pro.id]);
    await world.control.act({ do: 'bank', card: card!.id, fate: 'pays' });
    expect((await change()).items.data[0]!.price.id).toBe(business.id);
  });
});

describe('"Customer portal"', () => {
  const configure = () =>
    world.stripe.billingPortal.configurations.create({
      features: {
        invoice_history: { enabled: true },
        payment_method_update: { enabled: true },
        subscription_cancel: { enabled: true },
        subscription_update: {
          enabled: true,
          default_allowed_updates: ['price'],
          proration_behavior: 'create_prorations',
          products: [{ product: business.product as string, prices: [business.id] }],
        },
      },
    });

  it('the portal needs a configuration, then cancels, resumes, switches the price and changes the card', async () => {
    const { customer, subscription } = await subscribed();
    const openPortal = () =>
      world.stripe.billingPortal.sessions.create({ customer, return_url: 'http://127.0.0.1:1/billing' });
    await expect(openPortal()).rejects.toMatchObject({ statusCode: 400 });
    await configure();
    const { url } = await openPortal();
    const press = (form: Record<string, string>) =>
      world.send(url, { method: 'POST', body: new URLSearchParams(form) });
    expect(await (await world.send(url, {})).text()).toContain('Cancel subscription');
    const { id } = subscription;
    const read = () => world.stripe.subscriptions.retrieve(id);
    expect((await press({ do: 'cancel', subscription: id })).status).toBe(303);
    expect(await read()).toMatchObject({ cancel_at_period_end: true, status: 'active' });
    await press({ do: 'keep', subscription: id });
    expect((await read()).cancel_at_period_end).toBe(false);
    await press({ do: 'switch', subscription: id, price: business.id });
    expect((await read()).items.data[0]!.price.id).toBe(business.id);
    await press({ do: 'card', number: '5555555555554444' });
    const { invoice_settings: settings } = (await world.stripe.customers.retrieve(customer)) as Stripe.Customer;
    expect(await world.stripe.paymentMethods.retrieve(settings.default_payment_method as string)).toMatchObject({
      card: { brand: 'mastercard' },
    });
    expect(await (await press({ do: 'switch', subscription: id, price: pro.id })).text()).toContain(
      'This is not available here.',
    );
  });
});

describe('"Webhooks"', () => {
  const listen = (events: Stripe.WebhookEndpointCreateParams.EnabledEvent[]) =>
    world.stripe.webhookEndpoints.create({ url: 'http://127.0.0.1:1/hooks/stripe', enabled_events: events });

  it('a webhook sends only subscribed events, with signatures that the Stripe library verifies', async () => {
    const { secret } = await listen(['checkout.session.completed']);
    await subscribed();
    await world.control.deliver({ do: 'pump' });
    expect(world.heard).toHaveLength(1);
    const [{ body, signature }] = world.heard as [(typeof world.heard)[number]];
    const now = Math.floor(world.clock.now() / 1000);
    const event = world.stripe.webhooks.constructEvent(body, signature, secret!, 300, undefined, now * 1000);
    expect(event).toMatchObject({ type: 'checkout.session.completed', object: 'event', livemode: false });
    expect(await world.stripe.events.retrieve(event.id)).toMatchObject({ id: event.id, type: event.type });
  });

  it('"Automatic retries": a webhook without a 2xx response is sent again with a new signature', async () => {
    const { secret } = await listen(['*']);
    let refuses = true;
    const heard: { body: string; signature: string }[] = [];
    world.served.emulator.deliveries.sendWith(async ({ body, headers }) => {
      heard.push({ body, signature: headers['stripe-signature']! });
      return { status: refuses ? 500 : 200, body: '', tookMs: 1 };
    });
    await world.stripe.customers.create({ email: 'a@example.org' });
    await world.control.deliver({ do: 'pump' });
    refuses = false;
    advance(0.5);
    await world.control.deliver({ do: 'pump' });
    expect(heard.map(({ body }) => (JSON.parse(body) as { id: string }).id)).toEqual([
      expect.any(String),
      (JSON.parse(heard[0]!.body) as { id: string }).id,
    ]);
    const [, again] = heard as [unknown, { body: string; signature: string }];
    world.stripe.webhooks.constructEvent(again.body, again.signature, secret!, 300, undefined, world.clock.now());
    expect(() =>
      world.stripe.webhooks.constructEvent(
        `${again.body} `,
        again.signature,
        secret!,
        300,
        undefined,
        world.clock.now(),
      ),
    ).toThrow('signature');
  });
});

describe('"Test clocks"', () => {
  it('a test clock advances only its own customers', async () => {
    const frozen = Math.floor(world.clock.now() / 1000);
    const { id: clock } = await world.stripe.testHelpers.testClocks.create({ frozen_time: frozen });
    const customer = await world.stripe.customers.create({ email: 'a@example.org', test_clock: clock });
    const { id } = await world.stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: pro.id }],
      trial_period_days: 7,
    });
    const other = await subscribed({ subscription_data: { trial_period_days: 7 } });
    await world.stripe.testHelpers.testClocks.advance(clock, { frozen_time: frozen + 8 * day });
    expect([await statusOf(id), await statusOf(other.subscription.id)]).toEqual(['past_due', 'trialing']);
  });
});

it('an invoice has a page and a PDF', async () => {
  const { invoice } = await subscribed();
  const [page, pdf] = await Promise.all([world.send(invoice.hosted_invoice_url!), world.send(invoice.invoice_pdf!)]);
  expect(await page.text()).toContain('$12.00');
  expect(pdf.headers.get('content-type')).toBe('application/pdf');
  expect((await pdf.text()).startsWith('%PDF-1.4')).toBe(true);
});
