import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from './harness/free-port.ts';
import { type Holdfast, killAll, spawnHoldfast } from './harness/spawn-holdfast.ts';
import { createTestDatabase } from './harness/test-app.ts';
import type { TestDatabase } from './harness/test-cluster.ts';
import { waitFor } from './harness/wait-for.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  killAll();
  await database.close();
});

/** After what there is to greet with. */
const lastLine = 'Ctrl-C stops it.';

async function start(env: Record<string, string>): Promise<Holdfast> {
  const server = await spawnHoldfast({ args: ['--role', 'web'], env });
  await waitFor(`"${lastLine}"`, () => server.output().includes(lastLine));
  return server;
}

test('a public server prints the set-up link at start until the first administrator signs up', async () => {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: tmpdir(),
    ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
    PUBLIC_URL: address,
    PORT: String(port),
  };
  const signsUp = /signs up here, once: (\S+)/;
  const first = await start(env);
  const link = signsUp.exec(first.output())?.[1] ?? '';
  expect(link).toMatch(new RegExp(`^${address}/signup\\?setup=[\\w-]{43}$`));
  const answer = await fetch(`${address}/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: 'operator@example.org',
      password: 'violet anchor seventeen',
      setup: new URL(link).searchParams.get('setup'),
    }),
  });
  expect(answer.status).toBe(201);
  first.kill('SIGTERM');
  await first.exited;

  const second = await start(env);
  second.kill('SIGTERM');
  await second.exited;
  expect(second.output()).not.toMatch(signsUp);
}, 60_000);
