import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Holdfast, killAll, runToEnd, spawnHoldfast } from './harness/spawn-holdfast.ts';
import { createTestDatabase, startTestApp } from './harness/test-app.ts';
import { signUpUser, testPassword } from './harness/test-client.ts';
import type { TestDatabase } from './harness/test-cluster.ts';

/** A newer version in a directory of its own, one of whose migrations fails, started beside and after the one that runs. */

const root = join(import.meta.dirname, '..');
let dir: string;
let database: TestDatabase;
let env: Record<string, string>;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hf-newer-'));
  database = await createTestDatabase();
  const encryptionKeys = `k1:${randomBytes(32).toString('base64')}`;
  env = {
    DATABASE_URL: database.url,
    DATA_DIR: join(dir, 'data'),
    ENCRYPTION_KEYS: encryptionKeys,
    LOG_FORMAT: 'pretty',
  };
  const before = await startTestApp({ database, encryptionKeys, role: 'web' });
  await signUpUser(before, 'ada@example.org');
  await before.close();
  for (const name of ['src', 'node_modules', 'docs', 'public', 'package.json'])
    await symlink(join(root, name), join(dir, name));
  await cp(join(root, 'migrations'), join(dir, 'migrations'), { recursive: true });
}, 60_000);
afterAll(async () => {
  killAll();
  await database.close();
  await rm(dir, { recursive: true, force: true });
});

/** the code is ours by links that must not be resolved: its migrations are its own */
const startNewer = () =>
  runToEnd([relative(root, join(dir, 'src/main.ts'))], {
    ...env,
    NODE_OPTIONS: '--preserve-symlinks --preserve-symlinks-main',
  });

async function signIn({ url }: Holdfast): Promise<number> {
  const answer = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.org', password: testPassword }),
  });
  return answer.status;
}

test('a failed migration changes nothing, names its backup, and leaves the old version running', {
  timeout: 180_000,
}, async () => {
  await writeFile(
    join(dir, 'migrations/9990_newer.sql'),
    'alter table accounts.users add column half text; update accounts.users set half = email; select 1 / 0;',
  );
  const old = await spawnHoldfast({ env });
  const { code, output } = await startNewer();
  expect(code).toBe(1);
  const [said = ''] = output.split('\n').filter((line) => line.startsWith('This version could not'));
  const saved = /A backup was made before it: (\S+)\.$/.exec(said)?.[1];
  expect(said).toContain('migration 9990_newer failed (division by zero). Nothing was changed');
  expect(output).not.toContain('Holdfast is ready');
  expect(await readdir(join(dir, 'data/backups'))).toEqual([saved?.split('/').at(-1)]);
  expect(await signIn(old)).toBe(200);
  old.kill('SIGTERM');
  expect(await old.exited).toBe(0);
  const again = await spawnHoldfast({ env });
  expect(await signIn(again)).toBe(200);
  again.kill('SIGTERM');
  await again.exited;
});
