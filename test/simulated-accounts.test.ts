import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { connectionsContract } from '#features/connections/contract.ts';
import { syncContract } from '#features/sync/contract.ts';
import { createTestDatabase, startTestApp, type TestApp } from './harness/test-app.ts';
import { clientOf, signUpUser, type TestUser } from './harness/test-client.ts';
import type { TestDatabase } from './harness/test-cluster.ts';
import { waitFor } from './harness/wait-for.ts';

/** Simulated accounts, from one click to what stands in the calendars, with the adapters and tokens of the real thing. */

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const encryptionKeys = 'k1:9gX1rJm0WvVYQ4bq3zS0c5sTnUoK2hEwAaZbLdPfR7I=';

async function world() {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-simulated-'));
  closing.push(() => rm(dataDir, { recursive: true, force: true }));
  const database: TestDatabase = await createTestDatabase();
  closing.push(() => database.close());
  const start = async (simulatedProviders = true) => {
    const server = await startTestApp({ database, encryptionKeys, config: { dataDir, simulatedProviders } });
    closing.push(server.close);
    return server;
  };
  return { start };
}

const accountsOf = async (user: TestUser) => (await user.as(connectionsContract).listAccounts({})).accounts;

async function settled(server: TestApp, user: TestUser) {
  await server.settle(20_000);
  return waitFor('every account to be read', async () => {
    const accounts = await accountsOf(user);
    return accounts.every(({ status }) => status !== 'syncing') && accounts;
  });
}

/** Once no block waits any more. */
const mirrored = (user: TestUser) =>
  waitFor('blocks, none of which waits', async () => {
    const [group] = (await user.as(syncContract).listGroups({})).groups;
    return group !== undefined && group.counts.total > 0 && group.counts.pending === 0 && group.counts;
  });

/** Blocks of ours that stand at the providers themselves. */
async function standing(user: TestUser) {
  const count = async (provider: 'google' | 'outlook') => {
    const account = (await accountsOf(user)).find((one) => one.provider === provider);
    const answer = await fetch(new URL('/_emu/snapshot', account?.simulatedPage ?? ''));
    return (await answer.text()).split(provider === 'google' ? '"holdfast":' : '"transactionId":"h').length - 1;
  };
  return { google: await count('google'), microsoft: await count('outlook') };
}

describe('simulated accounts', () => {
  it.each(['google', 'microsoft'] as const)(
    'a simulated account at %s connects with one click, syncs, and works after a restart',
    async (provider) => {
      const { start } = await world();
      const first = await start();
      const user = await signUpUser(first, 'dana@example.org');
      const { account } = await user.as(connectionsContract).simulateConnect({ body: { provider } });
      expect(account).toMatchObject({ profile: 'simulated', needsReconnect: false, message: null });
      const [read] = await settled(first, user);
      expect(read).toMatchObject({ status: 'active', email: expect.stringMatching(/^dana@/) });
      const { calendars } = await user.as(connectionsContract).listIntegrationCalendars({});
      expect(calendars.filter(({ writable }) => writable).length).toBeGreaterThanOrEqual(2);
      expect(calendars.filter(({ isPrimary }) => isPrimary)).toHaveLength(1);
      await first.close();
      closing.pop();
      const second = await start();
      const again = { ...user, as: (contract: never) => clientOf(second, contract, user.token) } as TestUser;
      await again.as(syncContract).syncAccount({ params: { accountId: account.accountId } });
      expect(await settled(second, again)).toMatchObject([{ status: 'active', message: null }]);
    },
  );

  it('two simulated accounts mirror each other, without duplicates after a restart', async () => {
    const { start } = await world();
    const first = await start();
    const user = await signUpUser(first, 'dana@example.org');
    for (const provider of ['google', 'microsoft'] as const) {
      await user.as(connectionsContract).simulateConnect({ body: { provider } });
    }
    await settled(first, user);
    const { calendars } = await user.as(connectionsContract).listIntegrationCalendars({});
    const members = calendars
      .filter(({ isPrimary }) => isPrimary)
      .map(({ calendarId }) => ({ calendarId, isSource: true, isTarget: true }));
    expect(members).toHaveLength(2);
    await user.as(syncContract).createGroup({ body: { name: 'All', enabled: true, rule: {}, members, pairs: [] } });
    const counts = await mirrored(user);
    const stood = await standing(user);
    expect(counts).toMatchObject({ pending: 0, failed: 0, created: stood.google + stood.microsoft });
    expect(Math.min(stood.google, stood.microsoft)).toBeGreaterThan(5);
    await first.close();
    closing.pop();
    const second = await start();
    const again = { ...user, as: (contract: never) => clientOf(second, contract, user.token) } as TestUser;
    for (const { accountId } of await accountsOf(again)) {
      await again.as(syncContract).syncAccount({ params: { accountId } });
    }
    await settled(second, again);
    expect(await mirrored(again)).toEqual(counts);
    expect(await standing(again)).toEqual(stood);
  });

  it.each(['google', 'microsoft'] as const)(
    'without the link that its person has, nobody on this machine reads or changes a simulated calendar at %s',
    async (provider) => {
      const { start } = await world();
      const server = await start();
      const user = await signUpUser(server, 'dana@example.org');
      const { account } = await user.as(connectionsContract).simulateConnect({ body: { provider } });
      const page = new URL(account.simulatedPage ?? '');
      const status = async (path: string, init: RequestInit = {}) =>
        (await fetch(new URL(path, page.origin), { redirect: 'manual', ...init })).status;
      const person = `/people/${encodeURIComponent(account.email)}`;
      for (const below of ['', `/${'x'.repeat(43)}`]) {
        expect(await status(`${below}/`)).toBe(404);
        expect(await status(`${below}${person}`)).toBe(404);
        expect(await status(`${below}${person}/create`, { method: 'POST', body: 'title=x' })).toBe(404);
        for (const path of ['/token', '/common/oauth2/v2.0/token', '/o/oauth2/v2/auth', '/v1.0/me'])
          expect(await status(`${below}${path}`, { method: 'POST', headers: { authorization: 'Bearer x' } })).toBe(404);
      }
      // the links of its pages stay below the key
      const week = await fetch(page);
      expect(week.status).toBe(200);
      expect(week.url).toContain(person);
      const card = /href="([^"]+\/event[^"]+)"/.exec(await week.text())?.[1]?.replaceAll('&amp;', '&') ?? '';
      const event = new URL(card, week.url);
      expect(await status(event.href)).toBe(200);
      const body = new URLSearchParams({ do: 'delete' });
      expect(await status(event.href, { method: 'POST', body })).toBe(303);
    },
    30_000,
  );

  it('several simulated accounts at one provider have different addresses', async () => {
    const { start } = await world();
    const server = await start();
    const user = await signUpUser(server, 'dana@example.org');
    const addresses = [];
    for (let n = 0; n < 3; n += 1) {
      addresses.push(
        (await user.as(connectionsContract).simulateConnect({ body: { provider: 'google' } })).account.email,
      );
    }
    expect(addresses).toEqual(['dana@gmail.example', 'dana.2@gmail.example', 'dana.3@gmail.example']);
  });

  it('a simulated account says when simulation was switched off, and can be disconnected', async () => {
    const { start } = await world();
    const first = await start();
    const user = await signUpUser(first, 'dana@example.org');
    const { account } = await user.as(connectionsContract).simulateConnect({ body: { provider: 'google' } });
    await settled(first, user);
    await first.close();
    closing.pop();
    const second = await start(false);
    const again = { ...user, as: (contract: never) => clientOf(second, contract, user.token) } as TestUser;
    const params = { accountId: account.accountId };
    await again.as(syncContract).syncAccount({ params });
    await second.settle(20_000);
    expect(await accountsOf(again)).toMatchObject([
      { needsReconnect: true, simulatedPage: null, message: expect.stringMatching(/turned off/) },
    ]);
    await again.as(connectionsContract).disconnect({ params });
    // wait for readings that are under way, and check again some seconds later
    await expect.poll(() => accountsOf(again), { timeout: 20_000 }).toEqual([]);
  });

  it('simulated accounts are neither offered nor created when simulation is off', async () => {
    const server = await startTestApp();
    closing.push(server.close);
    const user = await signUpUser(server, 'dana@example.org');
    expect((await user.as(connectionsContract).listProviders({})).simulated).toEqual([]);
    await expect(user.as(connectionsContract).simulateConnect({ body: { provider: 'google' } })).rejects.toMatchObject({
      status: 404,
    });
  });
});
