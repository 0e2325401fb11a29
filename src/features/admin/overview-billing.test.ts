import { expect, test } from 'vitest';
import { billingContract } from '#features/billing/contract.ts';
import { openStripeWorld } from '../../../test/harness/stripe-world.ts';
import { signUpUser } from '../../../test/harness/test-client.ts';
import { countEverything, getOverview } from './overview/overview.ts';
import { listUsers } from './users/users.ts';

test('the admin overview counts users by plan, monthly revenue and payments', async () => {
  const world = await openStripeWorld();
  const { server } = world;
  try {
    const counted = async () => {
      await countEverything(server.app);
      return (await getOverview(server.app)).counts?.billing;
    };
    const join = async (name: string) => (await signUpUser(server, `${name}@example.org`)).as(billingContract);
    // the first person never reads their billing
    const [, trying, paying] = [await join('silent'), await join('trying'), await join('paying')];
    await trying.readBilling();
    await paying.readBilling();
    expect(await counted()).toMatchObject({ states: [], monthly: [], paid: [] });
    expect((await counted())?.tiers).toEqual([
      { name: 'Free Trial', people: 2 },
      { name: '', people: 1 },
    ]);
    // the table of users says the same
    const plans = async () => (await listUsers(server.app, {})).people.map(({ plan }) => plan ?? 'everything').sort();
    expect(await plans()).toEqual(['', 'Free Trial', 'Free Trial']);

    world.advance(31);
    expect((await counted())?.tiers).toEqual([{ name: '', people: 3 }]);
    const { url } = await paying.startCheckout({ body: { plan_key: 'business' } });
    expect(await world.pay(url)).toBeNull();
    await paying.refreshBilling();
    expect(await counted()).toEqual({
      tiers: [
        { name: 'Business', people: 1 },
        { name: '', people: 2 },
      ],
      states: [{ name: 'active', people: 1 }],
      monthly: [{ currency: 'usd', amount: 2_900 }],
      paid: [{ currency: 'usd', amount: 2_900 }],
    });
  } finally {
    await server.close();
  }
});
