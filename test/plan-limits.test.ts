import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { analyticsContract } from '../src/features/analytics/contract.ts';
import { billingContract } from '../src/features/billing/contract.ts';
import { reconcile } from '../src/features/billing/stripe/customers.ts';
import { createAccount } from '../src/features/connections/connections.ts';
import { connectionsContract } from '../src/features/connections/contract.ts';
import { startOAuth } from '../src/features/connections/oauth/oauth.ts';
import { teamsContract } from '../src/features/teams/contract.ts';
import { workflowsContract } from '../src/features/workflows/contract.ts';
import type { Actor } from '../src/platform/actor.ts';
import { openStripeWorld, type StripeWorld } from './harness/stripe-world.ts';
import { signUpUser, type TestUser } from './harness/test-client.ts';

/** Limits of plans in the features that add things: exact, with helpful texts, and without loss of existing data. */

let world: StripeWorld;
beforeAll(async () => {
  world = await openStripeWorld();
});
afterAll(() => world.server.close());

const limited = { code: 'PLAN_LIMIT', status: 403 };

async function subscribe(user: TestUser, plan: string): Promise<void> {
  const billing = user.as(billingContract);
  expect(await world.pay((await billing.startCheckout({ body: { plan_key: plan } })).url)).toBeNull();
  await billing.refreshBilling();
}

const connect = ({ userId }: TestUser, n: number) =>
  createAccount(
    world.server.app,
    { userId } as Actor,
    {
      provider: 'ics',
      profile: 'generic',
      label: `Feed ${n}`,
      baseUrl: 'https://feeds.example',
      username: `feed-${n}`,
      subject: null,
      secret: 'https://feeds.example/1.ics',
      addresses: [],
    },
    [],
  );

test('bad input 85: fifty accounts connected at once stop at the limit of four', async () => {
  const user = await signUpUser(world.server, 'fifty@example.org');
  const ended = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => connect(user, n)));
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
  const accounts = async () => (await user.as(connectionsContract).listAccounts()).accounts;
  expect(await accounts()).toHaveLength(4);
  // Holdfast's own calendar does not count as a connection
  await user.as(connectionsContract).connectOwn();
  expect(await accounts()).toHaveLength(5);
  await subscribe(user, 'pro');
  await connect(user, 51);
  expect(await accounts()).toHaveLength(6);
});

test('teams created at once stop at the limit of the plan', async () => {
  const user = await signUpUser(world.server, 'founder@example.org');
  const teams = user.as(teamsContract);
  expect(await teams.listTeams()).toMatchObject({ may_create: false });
  await expect(teams.createTeam({ body: { name: 'Too early' } })).rejects.toMatchObject(limited);
  await subscribe(user, 'pro');
  expect(await teams.listTeams()).toMatchObject({ may_create: true });
  const ended = await Promise.allSettled(
    Array.from({ length: 6 }, (_, n) => teams.createTeam({ body: { name: `Team ${n}` } })),
  );
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await teams.listTeams()).toMatchObject({ may_create: false });
  // a deleted one can only be taken back while there is room
  const [{ id, name } = { id: '', name: '' }] = (await teams.listTeams()).teams;
  await teams.deleteTeam({ params: { teamId: id as never }, body: { name } });
  await teams.createTeam({ body: { name: 'In its place' } });
  await expect(teams.restoreTeam({ params: { teamId: id as never } })).rejects.toMatchObject(limited);
});

test('personal and team workflows count together, and a smaller plan keeps existing ones', async () => {
  const user = await signUpUser(world.server, 'automatic@example.org');
  const workflows = user.as(workflowsContract);
  const make = (team_id?: string) =>
    workflows.createWorkflow({
      body: { name: 'Thanks', template: 'thanks', ...(team_id && { team_id: team_id as never }) },
    });
  for (let n = 0; n < 5; n += 1) await make();
  await expect(make()).rejects.toMatchObject(limited);
  await subscribe(user, 'business');
  const { team } = await user.as(teamsContract).createTeam({ body: { name: 'Automatic' } });
  for (let n = 0; n < 16; n += 1) await make(team.id);
  await user.as(billingContract).changeSubscription({ body: { plan_key: 'pro' } });
  const { workflows: kept } = (await workflows.listWorkflows()) as { workflows: { active: boolean }[] };
  expect(kept.filter(({ active }) => active)).toHaveLength(21);
  await expect(make()).rejects.toMatchObject(limited);
  await expect(make(team.id)).rejects.toMatchObject(limited);
});

test('analytics reach as far back as the plan allows, and further with a larger plan', async () => {
  const user = await signUpUser(world.server, 'historian@example.org');
  const today = Temporal.Instant.fromEpochMilliseconds(world.clock.now()).toZonedDateTimeISO('UTC').toPlainDate();
  const ask = (days: number) =>
    user.as(analyticsContract).bookingTrends({
      query: { start_date: today.subtract({ days }).toString(), end_date: today.add({ days: 1 }).toString() },
    });
  const shown = async () => (await user.as(analyticsContract).listFilters()).history_days;
  expect(await shown()).toBe(90);
  await ask(90);
  await expect(ask(91)).rejects.toMatchObject(limited);
  world.advance(31);
  await sql`update billing.customers set read_at = read_at - interval '8 days'`.execute(world.server.app.db);
  await reconcile(world.server.app);
  await world.server.settle();
  await expect(ask(91 + 31)).rejects.toMatchObject(limited);
  await subscribe(user, 'business');
  await ask(400);
  expect(await shown()).toBeNull();
});

test('a user at the account limit is refused before the consent page of the provider', async () => {
  const user = await signUpUser(world.server, 'full@example.org');
  const google = { clientId: 'a', clientSecret: 'b', publicUrl: undefined };
  const app = { ...world.server.app, config: { ...world.server.app.config, google } };
  const start = () =>
    startOAuth(app as typeof world.server.app, { userId: user.userId } as Actor, { keep: () => {} } as never, {
      provider: 'google',
    });
  for (let n = 0; n < 4; n += 1) await connect(user, n);
  await expect(start()).rejects.toMatchObject({ code: 'PLAN_LIMIT', fields: { address: '/billing' } });
});
