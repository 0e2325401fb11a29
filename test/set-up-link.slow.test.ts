import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#platform/db.ts';
import { createLog } from '#platform/log.ts';
import { runCommand } from '../scripts/admin/run-command.ts';
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

async function askForLink(): Promise<void> {
  const { db, close } = openDatabase({ url: database.url, log: await createLog({ level: 'silent', format: 'json' }) });
  await runCommand(db, ['set-up-link']);
  await close();
}

/** After what there is to greet with. */
const lastLine = 'Ctrl-C stops it.';

async function start(env: Record<string, string>): Promise<Holdfast> {
  const server = await spawnHoldfast({ args: ['--role', 'web'], env });
  await waitFor(`"${lastLine}"`, () => server.output().includes(lastLine));
  return server;
}

test('a public server prints the set-up link at its first start only, and again when asked to', async () => {
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
  const printed = async () => {
    const server = await start(env);
    server.kill('SIGTERM');
    await server.exited;
    return signsUp.exec(server.output())?.[1] ?? null;
  };
  const link = (await printed()) ?? '';
  expect(link).toMatch(new RegExp(`^${address}/signup\\?setup=[\\w-]{43}$`));
  expect(await printed()).toBeNull();
  await askForLink();
  expect(await printed()).toBe(link);
  await askForLink();
  const first = await start(env);
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
  await askForLink();
  expect(await printed()).toBeNull();
}, 60_000);
