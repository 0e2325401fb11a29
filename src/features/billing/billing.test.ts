import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountsContract } from '#features/accounts/contract.ts';
import { inTransaction } from '#platform/db.ts';
import { readMails } from '../../../test/harness/read-mails.ts';
import { enrolUser } from '../../../test/harness/second-factor.ts';
import { openStripeWorld, type StripeWorld } from '../../../test/harness/stripe-world.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { requireAllowance } from './billing.ts';
import { billingContract } from './contract.ts';
import { sendNotices } from './mail.ts';
import { reconcile } from './stripe/customers.ts';

describe('billing without a Stripe key', () => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startTestApp({ role: 'web' });
  });
  afterAll(() => server.close());

  test('an install without a Stripe key includes everything, stores nothing and sells nothing', async () => {
    const billing = (await signUpUser(server, 'self@example.org')).as(billingContract);
    expect(await billing.readBilling()).toMatchObject({
      billing: 'off',
      source: 'off',
      limits: { calendars: null, teams: null, workflows: null, historyDays: null },
      plans: [],
    });
    const { rows } = await sql`select from billing.people`.execute(server.app.db);
    expect(rows).toEqual([]);
    await expect(billing.startCheckout({ body: { plan_key: 'pro' } })).rejects.toMatchObject({ code: 'BILLING_OFF' });
    await expect(billing.openPortal()).rejects.toMatchObject({ code: 'BILLING_OFF' });
  });

  test('an install without a Stripe key refuses webhooks', async () => {
    const answer = await server.inject({ method: 'POST', url: '/hooks/stripe', payload: '{}' });
    expect([answer.statusCode, answer.body]).toEqual([400, '']);
  });
});

describe('billing with Stripe', () => {
  let world: StripeWorld;
  let boss: TestUser;
  beforeAll(async () => {
    world = await openStripeWorld();
    boss = await enrolUser(world.server, await signUpUser(world.server, 'boss@example.org'));
  });
  afterAll(() => world.server.close());
  beforeEach(() => sql`delete from platform.limits`.execute(world.server.app.db));

  const lastAct = async () => {
    const { rows } = await sql<{ action: string; reason: string; details: unknown }>`
      select action, reason, details from accounts.audit order by position desc limit 1`.execute(world.server.app.db);
    return rows[0];
  };

  let people = 0;
  async function somebody() {
    people += 1;
    const user = await signUpUser(world.server, `person-${people}@example.org`);
    return { user, billing: user.as(billingContract) };
  }
  const customerOf = async ({ userId }: TestUser) => {
    const { rows } = await sql<{ id: string }>`select id from billing.customers where user_id = ${userId}`.execute(
      world.server.app.db,
    );
    return rows[0]!.id;
  };
  async function subscriber(plan = 'pro') {
    const one = await somebody();
    const { url } = await one.billing.startCheckout({ body: { plan_key: plan } });
    expect(await world.pay(url)).toBeNull();
    return { ...one, customer: await customerOf(one.user), shown: await one.billing.refreshBilling() };
  }
  const settled = async () => {
    await reconcile(world.server.app);
    await world.server.settle();
  };
  const ageReadings = () =>
    sql`update billing.customers set read_at = read_at - interval '2 days'`.execute(world.server.app.db);

  test('a trial begins with the first request, lasts its days, and then allows no additions', async () => {
    const { billing } = await somebody();
    const shown = await billing.readBilling();
    expect(shown).toMatchObject({ source: 'trial', plan: { key: 'trial', amount: 0 }, status: null, invoices: [] });
    expect(shown.trialEndsAt).toBe(world.clock.now() + 30 * 86_400_000);
    expect(shown.plans.map(({ key }) => key)).toEqual(['trial', 'pro', 'business']);
    world.advance(30);
    expect(await billing.readBilling()).toMatchObject({
      source: 'none',
      plan: null,
      limits: { calendars: 0, teams: 0 },
    });
  });

  test('a paid checkout grants the plan, keeps remaining trial days free, and lists the invoices', async () => {
    const { shown } = await subscriber();
    expect(shown).toMatchObject({
      source: 'subscription',
      plan: { key: 'pro' },
      status: 'trialing',
      nextInvoiceAmount: 1_200,
      currency: 'usd',
    });
    expect(shown.nextInvoiceDate).toBe(shown.trialEndsAt);
    const late = await somebody();
    await late.billing.readBilling();
    world.advance(31);
    const { url } = await late.billing.startCheckout({ body: { plan_key: 'business' } });
    await world.pay(url);
    const paid = await late.billing.refreshBilling();
    expect(paid).toMatchObject({ source: 'subscription', plan: { key: 'business' }, status: 'active' });
    expect(paid.invoices).toMatchObject([{ amount: 2_900, status: 'paid', pdfUrl: expect.stringContaining('/pdf') }]);
  });

  test('returning from an unpaid checkout grants nothing', async () => {
    const { billing } = await somebody();
    await billing.readBilling();
    world.advance(31);
    const { url } = await billing.startCheckout({ body: { plan_key: 'pro' } });
    expect(await billing.refreshBilling()).toMatchObject({ source: 'none', status: null });
    expect(await world.pay(url, '4000000000000002')).not.toBeNull();
    expect(await billing.refreshBilling()).toMatchObject({ source: 'none' });
  });

  test('a checkout sells only offered plans, and a second subscription is refused', async () => {
    const { billing } = await somebody();
    for (const plan of ['trial', 'free', 'enterprise', 'none-such'])
      await expect(billing.startCheckout({ body: { plan_key: plan } })).rejects.toMatchObject({ code: 'NOT_ON_OFFER' });
    const first = await billing.startCheckout({ body: { plan_key: 'pro' } });
    const second = await billing.startCheckout({ body: { plan_key: 'business' } });
    expect(await world.pay(first.url)).not.toBeNull();
    expect(await world.pay(second.url)).toBeNull();
    await billing.refreshBilling();
    await expect(billing.startCheckout({ body: { plan_key: 'pro' } })).rejects.toMatchObject({ code: 'SUBSCRIBED' });
  });

  test('concurrent requests of one user create one Stripe customer', async () => {
    const { user, billing } = await somebody();
    await Promise.all(Array.from({ length: 8 }, () => billing.openPortal()));
    const { data } = await world.stripe.customers.list({ email: user.email });
    expect(data).toHaveLength(1);
    expect(data[0]!.id).toBe(await customerOf(user));
  });

  test('an upgrade is paid at once or changes nothing, and a downgrade applies without a payment', async () => {
    const { billing, customer } = await subscriber();
    world.advance(30);
    expect(await billing.refreshBilling()).toMatchObject({ status: 'active', plan: { key: 'pro' } });
    const up = await billing.changeSubscription({ body: { plan_key: 'business' } });
    expect(up).toMatchObject({ plan: { key: 'business' }, status: 'active' });
    expect(up.invoices[0]).toMatchObject({ status: 'paid' });
    expect(await billing.changeSubscription({ body: { plan_key: 'pro' } })).toMatchObject({ plan: { key: 'pro' } });
    const [card] = (await world.stripe.customers.listPaymentMethods(customer)).data;
    await world.control.act({ do: 'bank', card: card!.id, fate: 'kept-then-declined' });
    await expect(billing.changeSubscription({ body: { plan_key: 'business' } })).rejects.toMatchObject({
      code: 'CARD_DECLINED',
    });
    expect(await billing.refreshBilling()).toMatchObject({ plan: { key: 'pro' }, status: 'active' });
  });

  test('a cancelled subscription lasts to the end of its paid period and can be kept until then', async () => {
    const { billing } = await subscriber();
    const cancelled = await billing.cancelSubscription();
    expect(cancelled).toMatchObject({ status: 'trialing', source: 'subscription', nextInvoiceDate: null });
    expect(cancelled.cancelAt).not.toBeNull();
    expect(await billing.keepSubscription()).toMatchObject({ cancelAt: null, nextInvoiceAmount: 1_200 });
    const { cancelAt } = await billing.cancelSubscription();
    world.clock.set(cancelAt!);
    // no webhook has arrived yet, nor does one now
    expect(await billing.readBilling()).toMatchObject({ source: 'none' });
    expect(await billing.refreshBilling()).toMatchObject({ source: 'none', status: 'canceled', cancelAt: null });
    await expect(billing.keepSubscription()).rejects.toMatchObject({ code: 'NOT_SUBSCRIBED' });
  });

  test('an unpaid invoice has days of grace, then entitles to nothing until it is paid', async () => {
    await world.control.knobs({ afterRetries: 'past_due' });
    const { billing, customer } = await subscriber();
    const [card] = (await world.stripe.customers.listPaymentMethods(customer)).data;
    await world.control.act({ do: 'bank', card: card!.id, fate: 'kept-then-declined' });
    world.advance(30.1);
    const due = await billing.refreshBilling();
    expect(due).toMatchObject({ status: 'past_due', source: 'subscription', plan: { key: 'pro' } });
    expect(due.invoices[0]).toMatchObject({ status: 'open', nextAttempt: expect.any(Number) });
    world.clock.set(due.graceUntil! - 1);
    expect(await billing.refreshBilling()).toMatchObject({ source: 'subscription' });
    world.clock.set(due.graceUntil!);
    expect(await billing.refreshBilling()).toMatchObject({
      source: 'none',
      status: 'past_due',
      limits: { workflows: 0 },
    });
    await world.control.act({ do: 'bank', card: card!.id, fate: 'pays' });
    await world.stripe.invoices.pay(due.invoices[0]!.id);
    expect(await billing.refreshBilling()).toMatchObject({ source: 'subscription', status: 'active' });
  });

  const notices = async ({ email }: TestUser) => {
    await Promise.all([1, 2].map(() => sendNotices(world.server.app, AbortSignal.timeout(60_000))));
    return (await readMails(world.server, email)).map(({ kind }) => kind).filter((kind) => kind.startsWith('billing.'));
  };

  test('the trial reminder is mailed once, three days before the end, and not while suspended', async () => {
    const [one, other] = [await somebody(), await somebody()];
    const { trialEndsAt } = await one.billing.readBilling();
    await other.billing.readBilling();
    const suspend = (at: unknown) =>
      sql`update accounts.users set suspended_at = ${at} where id = ${other.user.userId}`.execute(world.server.app.db);
    await suspend(sql`now()`);
    world.clock.set(trialEndsAt! - 3 * 86_400_000 - 1);
    expect(await notices(one.user)).toEqual([]);
    world.advance(0.1);
    expect(await notices(one.user)).toEqual(['billing.trial']);
    expect(await notices(other.user)).toEqual([]);
    await suspend(null);
    world.advance(1);
    expect(await notices(one.user)).toEqual(['billing.trial']);
    expect(await notices(other.user)).toEqual(['billing.trial']);
    const [mail] = (await readMails(world.server, one.user.email)).filter(({ kind }) => kind === 'billing.trial');
    expect(mail!.links).toEqual([expect.stringMatching(/\/billing$/)]);
  });

  test('a subscriber is mailed before the first payment, after a failed one, and once the subscription has ended', async () => {
    await world.control.knobs({ afterRetries: 'past_due' });
    const { user, billing, customer, shown } = await subscriber();
    expect(await notices(user)).toEqual([]);
    world.clock.set(shown.trialEndsAt! - 86_400_000);
    expect(await notices(user)).toEqual(['billing.first-payment']);
    const [card] = (await world.stripe.customers.listPaymentMethods(customer)).data;
    await world.control.act({ do: 'bank', card: card!.id, fate: 'kept-then-declined' });
    world.advance(1.1);
    await billing.refreshBilling();
    expect(await notices(user)).toEqual(['billing.first-payment', 'billing.failed']);
    world.advance(5);
    await billing.refreshBilling();
    expect(await notices(user)).toEqual(['billing.first-payment', 'billing.failed']);
    const [subscription] = (await world.stripe.subscriptions.list({ customer })).data;
    await world.stripe.subscriptions.cancel(subscription!.id);
    await billing.refreshBilling();
    expect(await notices(user)).toEqual(['billing.first-payment', 'billing.failed', 'billing.ended']);
    world.advance(15);
    expect(await notices(user)).toHaveLength(3);
  });

  test('a webhook triggers a refresh from Stripe, and a lost webhook is made up for by reconciliation', async () => {
    const { user, billing } = await somebody();
    const { url } = await billing.startCheckout({ body: { plan_key: 'pro' } });
    await world.pay(url);
    const events = await world.eventsOf(await customerOf(user));
    expect(await world.tell(events.at(-1)!)).toBe(200);
    await world.server.settle();
    expect(await billing.readBilling()).toMatchObject({ status: 'trialing' });
    const other = await somebody();
    await world.pay((await other.billing.startCheckout({ body: { plan_key: 'business' } })).url);
    await settled();
    expect(await other.billing.readBilling()).toMatchObject({ plan: { key: 'business' } });
    world.advance(31);
    await ageReadings();
    await settled();
    expect(await other.billing.readBilling()).toMatchObject({ status: 'active' });
  });

  test('bad input 67: a webhook with a wrong signature, age, mode or account is refused', async () => {
    const { customer } = await subscriber();
    const [event] = await world.eventsOf(customer);
    const fresh = (id: string) => ({ ...event!, id });
    const now = world.clock.now();
    expect(await world.tell(fresh('evt_secret'), { secret: 'whsec_another0123456789' })).toBe(400);
    expect(await world.tell(fresh('evt_old'), { atMs: now - 301_000 })).toBe(400);
    expect(
      await world.tell(fresh('evt_changed'), { change: (body) => JSON.stringify(JSON.parse(body), null, 2) }),
    ).toBe(400);
    expect(await world.tell(fresh('evt_live'), { live: true })).toBe(400);
    expect(await world.tell(fresh('evt_account'), { account: 'acct_1OTHER' })).toBe(400);
    const unsigned = await world.server.inject({
      method: 'POST',
      url: '/hooks/stripe',
      payload: JSON.stringify(event),
    });
    expect([unsigned.statusCode, unsigned.body]).toEqual([400, '']);
    expect(await world.tell({ ...fresh('evt_unknown'), type: 'radar.something_new' })).toBe(200);
    expect(await world.tell(fresh('evt_once'), { atMs: now - 299_000 })).toBe(200);
    expect(await world.tell(fresh('evt_once'))).toBe(200);
    const { rows } = await sql<{ id: string }>`
      select id from billing.events where id like 'evt\_%' and id not like 'evt\_0%' order by id`.execute(
      world.server.app.db,
    );
    expect(rows.map(({ id }) => id).filter((id) => /^evt_[a-z]+$/.test(id))).toEqual(['evt_once', 'evt_unknown']);
  });

  test("a webhook's content is not trusted and only triggers a refresh from Stripe", async () => {
    const { billing, customer } = await subscriber();
    const events = await world.eventsOf(customer);
    const created = events.find(({ type }) => type === 'customer.subscription.created')!;
    const object = { ...(created.data.object as object), status: 'canceled', items: { data: [] } };
    expect(await world.tell({ ...created, id: 'evt_lie', data: { object } })).toBe(200);
    await world.server.settle();
    expect(await billing.readBilling()).toMatchObject({ status: 'trialing', plan: { key: 'pro' } });
  });

  test('bad input 85: fifty concurrent additions are accepted exactly up to the plan limit', async () => {
    const { user, billing } = await somebody();
    await billing.readBilling();
    const { app } = world.server;
    await sql`create table if not exists things (user_id uuid)`.execute(app.db);
    const add = () =>
      inTransaction(app.db, async (tx) => {
        const count = async () => {
          const { rows } = await sql<{
            n: number;
          }>`select count(*) as n from things where user_id = ${user.userId}`.execute(tx);
          return rows[0]!.n;
        };
        await requireAllowance(app, tx, user.userId, { thing: 'calendars', count });
        await sql`insert into things values (${user.userId})`.execute(tx);
      });
    const ended = await Promise.allSettled(Array.from({ length: 50 }, add));
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    const refusals = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(['PLAN_LIMIT']));
    expect(refusals[0].message).toBe(
      'Your plan (Free Trial) has 4 calendar accounts, and you have 4. To add more, choose another plan under Billing.',
    );
  });

  test('a customer deleted at Stripe loses the subscription and can subscribe again', async () => {
    const { user, billing, customer } = await subscriber();
    await world.control.act({ do: 'delete-customer', customer });
    for (const event of await world.eventsOf(customer)) await world.tell(event);
    await world.server.settle();
    expect(await billing.readBilling()).toMatchObject({ status: null, source: 'trial' });
    const { url } = await billing.startCheckout({ body: { plan_key: 'pro' } });
    expect(await world.pay(url)).toBeNull();
    expect(await customerOf(user)).not.toBe(customer);
  });

  test('deleting an account ends its subscription and deletes the customer at Stripe and here', async () => {
    const { user, customer } = await subscriber();
    await user.as(accountsContract).deleteAccount({ body: { email: user.email } });
    await world.server.settle();
    expect(await world.stripe.customers.retrieve(customer)).toMatchObject({ deleted: true });
    const { data } = await world.stripe.subscriptions.list({ customer, status: 'all' });
    expect(data.map(({ status }) => status)).toEqual(['canceled']);
    // news of it that come afterwards are of nobody
    for (const event of await world.eventsOf(customer)) expect(await world.tell(event)).toBe(200);
    await world.server.settle();
    for (const table of ['customers', 'departures'])
      expect(
        (
          await sql`select from ${sql.table(`billing.${table}`)} where ${sql.ref(table === 'customers' ? 'id' : 'customer_id')} = ${customer}`.execute(
            world.server.app.db,
          )
        ).rows,
      ).toEqual([]);
    expect(
      (await sql`select from billing.people where user_id = ${user.userId}`.execute(world.server.app.db)).rows,
    ).toEqual([]);
  });

  test('deleting an account during a Stripe outage ends the subscription once Stripe is back', async () => {
    const { user, customer } = await subscriber();
    await world.control.addFaults({ name: 'broken', variant: 'unavailable', times: 0 });
    await user.as(accountsContract).deleteAccount({ body: { email: user.email } });
    await world.server.settle();
    await world.control.clearFaults();
    expect((await world.stripe.subscriptions.list({ customer })).data).toHaveLength(1);
    await settled();
    expect(await world.stripe.customers.retrieve(customer)).toMatchObject({ deleted: true });
  });

  test('a changed plan keeps the price of subscribers and applies its limits at once', async () => {
    const { billing: before } = await subscriber('business');
    const console = boss.as(billingContract);
    const planOf = async () => (await console.listPlans()).plans.find(({ key }) => key === 'business')!;
    const { revision, amount } = await planOf();
    const change = { revision, amount: 3_100, teams: 3, reason: 'costs have risen' };
    await console.changePlan({ params: { planKey: 'business' }, body: change });
    expect(await lastAct()).toMatchObject({
      action: 'pricing_change',
      reason: 'costs have risen',
      details: { before: amount, after: 3_100 },
    });
    await expect(console.changePlan({ params: { planKey: 'business' }, body: change })).rejects.toMatchObject({
      code: 'STALE',
    });
    expect(await before.refreshBilling()).toMatchObject({ nextInvoiceAmount: 2_900, limits: { teams: 3 } });
    const { shown } = await subscriber('business');
    expect(shown.nextInvoiceAmount).toBe(3_100);
    const back = { revision: (await planOf()).revision, amount: 2_900, teams: null, reason: 'as it was' };
    await console.changePlan({ params: { planKey: 'business' }, body: back });
  });

  test('bad input 86: a trial has 1 to 365 days, and repeated extensions never exceed a year', async () => {
    const console = boss.as(billingContract);
    const { plans } = await console.listPlans();
    const { revision } = plans.find(({ key }) => key === 'trial')!;
    for (const days of [0, 366, -1, 1e9, Number.NaN]) {
      const answer = await world.server.inject({
        method: 'PATCH',
        url: '/api/admin/billing/plans/trial',
        headers: { authorization: `Bearer ${boss.token}` },
        payload: { revision, trial_days: days, reason: 'too much' },
      });
      expect([answer.statusCode, answer.json().detail.code]).toEqual([400, 'INVALID_INPUT']);
    }
    await expect(
      console.changePlan({ params: { planKey: 'pro' }, body: { revision: 1, trial_days: 5, reason: 'no trial' } }),
    ).rejects.toMatchObject({ code: 'NOT_OF_THIS_PLAN' });
    const { user, billing } = await somebody();
    const email = user.email;
    const seen = (await console.findTrial({ query: { email } })).ends_at!;
    const press = (ends_at: number) => console.extendTrial({ body: { email, ends_at, reason: 'asked for it' } });
    const pressed = await Promise.allSettled([press(seen), press(seen), press(seen)]);
    expect(pressed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await billing.readBilling()).trialEndsAt).toBe(seen + 7 * 86_400_000);
    expect(await lastAct()).toMatchObject({ action: 'trial_extension', reason: 'asked for it', details: { days: 7 } });
    let end = seen + 7 * 86_400_000;
    for (let times = 1; times < 100; times += 1) {
      const longer = await press(end).catch(({ code }: { code: string }) => code);
      if (longer === 'LIMITED') await sql`delete from platform.limits`.execute(world.server.app.db);
      else if (typeof longer === 'string') {
        expect(longer).toBe('TRIAL_LIMIT');
        break;
      } else end = longer.ends_at!;
    }
    expect(end - seen).toBeLessThanOrEqual(335 * 86_400_000);
    await expect(console.findTrial({ query: { email: 'nobody@example.org' } })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('the admin invoice list returns every invoice once, page by page', async () => {
    const { user, billing } = await subscriber();
    world.advance(31);
    await billing.refreshBilling();
    const console = boss.as(billingContract);
    const ids: string[] = [];
    let next: string | null = null;
    let emails: string[] = [];
    do {
      const page: Awaited<ReturnType<typeof console.listAllInvoices>> = await console.listAllInvoices({
        query: next === null ? {} : { before: next },
      });
      ids.push(...page.invoices.map(({ id }) => id));
      emails = [...emails, ...page.invoices.map(({ email }) => email)];
      next = page.next;
    } while (next !== null);
    expect(new Set(ids).size).toBe(ids.length);
    expect(emails).toContain(user.email);
    await expect(console.listAllInvoices({ query: { before: 'x; drop' } })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  test('a rate-limited Stripe request is retried, then reported as unavailable', async () => {
    const { billing } = await subscriber();
    await world.control.addFaults({ name: 'too-many', variant: 'second', times: 2 });
    expect((await billing.openPortal()).url).toMatch(/^http/);
    await world.control.addFaults({ name: 'too-many', variant: 'second', times: 0 });
    await expect(billing.openPortal()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await world.control.clearFaults();
  });

  test('a Stripe outage is reported as unavailable and keeps the subscription', async () => {
    const { billing } = await subscriber();
    await world.control.addFaults({ name: 'broken', variant: 'unavailable', times: 0 });
    await expect(billing.openPortal()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await world.control.clearFaults();
    expect(await billing.readBilling()).toMatchObject({ source: 'subscription' });
  });
});
