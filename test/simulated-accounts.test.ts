import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { connectionsContract } from '#features/connections/contract.ts';
import { syncContract } from '#features/sync/contract.ts';
import { createTestDatabase, startTestApp, type TestApp } from './harness/test-app.ts';
import { clientOf, signUpUser, type TestUser } from './harness/test-client.ts';
import type { TestDatabase } from './harness/test-cluster.ts';

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
  const start = async () => {
    const server = await startTestApp({ database, encryptionKeys, config: { dataDir, simulatedProviders: true } });
    closing.push(server.close);
    return server;
  };
  return { start };
}

const accountsOf = async (user: TestUser) => (await user.as(connectionsContract).listAccounts({})).accounts;

async function settled(server: TestApp, user: TestUser) {
  for (let turn = 0; turn < 100; turn += 1) {
    await server.settle(20_000);
    const accounts = await accountsOf(user);
    if (accounts.every(({ status }) => status !== 'syncing')) return accounts;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('never read');
}

describe('a simulated account', () => {
  it.each(['google', 'microsoft'] as const)(
    'at %s is connected by one click, read, and goes on after a restart',
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

  it('may be one of several at the same provider', async () => {
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

  it('is not offered and cannot be made where simulated accounts are switched off', async () => {
    const server = await startTestApp();
    closing.push(server.close);
    const user = await signUpUser(server, 'dana@example.org');
    expect((await user.as(connectionsContract).listProviders({})).simulated).toEqual([]);
    await expect(user.as(connectionsContract).simulateConnect({ body: { provider: 'google' } })).rejects.toMatchObject({
      status: 404,
    });
  });
});
