import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runs } from '../../../test/harness/law-budget.ts';
import { openStripeWorld, type StripeWorld } from '../../../test/harness/stripe-world.ts';
import { signUpUser } from '../../../test/harness/test-client.ts';
import { billingContract } from './contract.ts';
import { dunningDays, lateNewsDays } from './rules.ts';
import { listInvoices } from './store/invoices.ts';
import { findPerson } from './store/people.ts';
import { fetchCustomer, reconcile } from './stripe/customers.ts';

let world: StripeWorld;
beforeAll(async () => {
  world = await openStripeWorld();
});
afterAll(() => world.server.close());

/** An act of one customer at Stripe, and the time that passes after it. */
const deeds = fc.array(
  fc.record({
    deed: fc.constantFrom(
      'buy-pro',
      'buy-business',
      'switch',
      'cancel',
      'keep',
      'end',
      'card-fails',
      'card-works',
      'wait',
    ),
    days: fc.constantFrom(0, 0, 1, 5, 15, 31),
    /** How many of the notices that are under way come in now. */
    heard: fc.nat({ max: 6 }),
  }),
  { minLength: 1, maxLength: 8 },
);
type Deed = (typeof deeds extends fc.Arbitrary<infer D> ? D : never)[number]['deed'];

let people = 0;

test('a subscription ends up as Stripe has it, whatever the order, loss or repetition of webhooks', async () => {
  const { server, stripe } = world;
  await fc.assert(
    fc.asyncProperty(deeds, fc.array(fc.nat(), { minLength: 40, maxLength: 40 }), async (steps, dice) => {
      people += 1;
      const user = await signUpUser(server, `any-${people}@example.org`);
      const billing = user.as(billingContract);
      await billing.openPortal();
      const { rows } = await sql<{
        id: string;
      }>`select id from billing.customers where user_id = ${user.userId}`.execute(server.app.db);
      const customer = rows[0]!.id;
      let at = 0;
      const die = (sides: number) => dice[at++ % dice.length]! % sides;
      const told = new Set<string>();
      for (const { deed, days, heard } of steps) {
        await carryOut(deed, customer, billing);
        world.advance(days);
        const waiting = (await world.eventsOf(customer)).filter(({ id }) => !told.has(id));
        for (let n = 0; n < heard && waiting.length > 0; n += 1) {
          // any of them, however late; now and then it is kept, to come again
          const event = waiting[die(waiting.length)]!;
          if (die(4) > 0) told.add(event.id);
          expect(await world.tell(event)).toBe(200);
        }
      }
      await server.settle();
      // all others are lost
      await sql`update billing.customers set read_at = read_at - interval '8 days'`.execute(server.app.db);
      await reconcile(server.app);
      await server.settle();

      const real = (await fetchCustomer({ stripe }, customer))!;
      const kept = (await findPerson(server.app.db, user.userId, false))!;
      const byId = <T extends { id: string }>(list: T[]) => list.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      expect(byId(kept.subscriptions)).toMatchObject(byId(real.subscriptions));
      expect(byId(await listInvoices(server.app.db, customer, 100))).toEqual(
        byId(real.invoices.filter(({ status }) => status !== 'draft')),
      );

      const { source } = await billing.readBilling();
      const now = world.clock.now();
      const pays = real.subscriptions.some(
        ({ status, unpaidSinceMs }) =>
          status === 'active' ||
          status === 'trialing' ||
          (status === 'past_due' && unpaidSinceMs !== null && now < unpaidSinceMs + dunningDays * 86_400_000),
      );
      expect(source === 'subscription').toBe(pays);
      // a trial of ours, or nothing
      if (!pays) expect(source).toBe(now < kept.trial!.endsMs ? 'trial' : 'none');
    }),
    { numRuns: runs(12) },
  );
}, 120_000);

test('a subscription without news from Stripe entitles to nothing after the allowed delay', async () => {
  const user = await signUpUser(world.server, 'deaf@example.org');
  const billing = user.as(billingContract);
  await world.pay((await billing.startCheckout({ body: { plan_key: 'pro' } })).url);
  const { trialEndsAt } = await billing.refreshBilling();
  world.clock.set(trialEndsAt! + lateNewsDays * 86_400_000 - 1);
  expect(await billing.readBilling()).toMatchObject({ source: 'subscription' });
  world.advance(1);
  expect(await billing.readBilling()).toMatchObject({ source: 'none' });
});

async function carryOut(deed: Deed, customer: string, billing: { startCheckout: unknown }): Promise<void> {
  const { stripe, control } = world;
  const live = (await stripe.subscriptions.list({ customer })).data[0];
  const buy = async (plan: string) => {
    type Start = (input: { body: { plan_key: string } }) => Promise<{ url: string }>;
    const started = await (billing.startCheckout as Start)({ body: { plan_key: plan } }).catch(() => null);
    if (started !== null) await world.pay(started.url);
  };
  const cards = async (fate: 'pays' | 'kept-then-declined') => {
    for (const { id } of (await stripe.customers.listPaymentMethods(customer)).data)
      await control.act({ do: 'bank', card: id, fate });
  };
  switch (deed) {
    case 'buy-pro':
      return buy('pro');
    case 'buy-business':
      return buy('business');
    case 'switch': {
      const other = (await stripe.prices.list({ limit: 10 })).data.find(
        ({ id }) => id !== live?.items.data[0]?.price.id,
      );
      if (live !== undefined && other !== undefined)
        await stripe.subscriptions.update(live.id, { items: [{ id: live.items.data[0]!.id, price: other.id }] });
      return;
    }
    case 'cancel':
    case 'keep':
      if (live !== undefined) await stripe.subscriptions.update(live.id, { cancel_at_period_end: deed === 'cancel' });
      return;
    case 'end':
      if (live !== undefined) await stripe.subscriptions.cancel(live.id);
      return;
    case 'card-fails':
      return cards('kept-then-declined');
    case 'card-works':
      return cards('pays');
    case 'wait':
  }
}
