import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertOwnAccount } from '../../test/harness/own-account.ts';
import { startTestApp, type TestApp } from '../../test/harness/test-app.ts';
import { signUpUser } from '../../test/harness/test-client.ts';
import { createKeyring } from './crypto.ts';
import { migrationsDir } from './migrate.ts';
import { listSealedColumns, resealAll } from './reseal.ts';

const [oldKey, newKey] = ['old', 'new'].map((name) => `${name}:${randomBytes(32).toString('base64')}`);
const before = createKeyring(`${oldKey}`);
const rotated = createKeyring(`${newKey},${oldKey}`);

let server: TestApp;
const accounts: string[] = [];
const place = (row: string) => ({ table: 'connections.connections', row, column: 'secret' });
beforeAll(async () => {
  server = await startTestApp({ role: 'web', encryptionKeys: `${oldKey}` });
  const user = await signUpUser(server, 'ada@example.org');
  for (let at = 0; at < 5; at += 1) {
    const { accountId } = await insertOwnAccount(server, user);
    accounts.push(accountId);
    const secret = before.seal(`password ${at}`, place(accountId));
    await sql`update connections.connections set secret = ${secret} where id = ${accountId}`.execute(server.app.db);
  }
  const install = before.seal('mirror', { table: 'connections.install', row: 'true', column: 'mirror_secret' });
  await sql`insert into connections.install (mirror_secret) values (${install})
    on conflict (only_one) do update set mirror_secret = excluded.mirror_secret`.execute(server.app.db);
});
afterAll(() => server.close());

const secretOf = async (id: string) =>
  (await sql<{ secret: string }>`select secret from connections.connections where id = ${id}`.execute(server.app.db))
    .rows[0]?.secret ?? '';

test('every sealed column has the comment that key rotation looks for', async () => {
  const known = (await listSealedColumns(server.app.db)).map((one) => `${one.schema}.${one.table}.${one.column}`);
  expect(known).toEqual(
    expect.arrayContaining(['connections.connections.secret', 'connections.install.mirror_secret']),
  );
  const texts = await Promise.all(
    (await readdir(migrationsDir))
      .filter((name) => /^\d/.test(name))
      .map((name) => readFile(join(migrationsDir, name), 'utf8')),
  );
  const suspicious = texts.flatMap((text) =>
    [...text.matchAll(/^ {2}(\w*(?:secret|sealed)\w*) text/gm)].map((found) => found[1]),
  );
  expect(suspicious.length).toBeGreaterThan(0);
  for (const name of suspicious)
    expect(
      known.some((one) => one.endsWith(`.${name}`)),
      name,
    ).toBe(true);
});

test('an interrupted key rotation is finished by the next run, and a third run changes nothing', async () => {
  // Somebody's row does not open: the ones before it are done, the rest waits.
  const [, , broken = ''] = accounts.toSorted();
  const good = await secretOf(broken);
  await sql`update connections.connections set secret = 'v1.gone.AAAA' where id = ${broken}`.execute(server.app.db);
  await expect(resealAll(server.app.db, rotated, 1)).rejects.toThrow(/the key gone/);
  const states = await Promise.all(accounts.toSorted().map(async (id) => rotated.isCurrent(await secretOf(id))));
  expect(states).toEqual([true, true, false, false, false]);

  await sql`update connections.connections set secret = ${good} where id = ${broken}`.execute(server.app.db);
  const results = await resealAll(server.app.db, rotated, 2);
  expect(results.find((one) => one.table === 'connections.connections' && one.column === 'secret')).toEqual({
    table: 'connections.connections',
    column: 'secret',
    changed: 3,
    total: 5,
  });
  expect(results.find((one) => one.column === 'mirror_secret')).toMatchObject({ changed: 1, total: 1 });
  const newOnly = createKeyring(`${newKey}`);
  for (const [at, id] of accounts.entries()) expect(newOnly.open(await secretOf(id), place(id))).toBe(`password ${at}`);
  expect((await resealAll(server.app.db, rotated)).every((one) => one.changed === 0)).toBe(true);
});
