import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiError } from '#kernel/api-error.ts';
import type { ConnectionId, UserId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { mostListed, saveCalendars } from './calendars.ts';
import { mostAccounts, requireRoom } from './connections.ts';
import { connectionsContract } from './contract.ts';
import { boundIdentity } from './rules.ts';
import { insertConnection } from './store/connections.ts';

let server: TestApp;
let user: TestUser;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
  user = await signUpUser(server, 'dana@example.org');
});
afterAll(() => server.close());

const account = (id: ConnectionId, userId: UserId, subject: string) => ({
  id,
  userId,
  provider: 'google' as const,
  profile: 'generic' as const,
  label: subject,
  baseUrl: null,
  username: null,
  secret: null,
  subject,
  addresses: [],
});
const calendar = (ref: string, name: string) => ({ ref, name, writable: true, primary: false });

test('of an account that lists thousands of calendars 500 are stored, with short names and references', async () => {
  const id = randomUUIDv7() as string as ConnectionId;
  const { userId } = user;
  const many = Array.from({ length: 3_000 }, (_, n) => calendar(`/c/${n}/`, `${n} ${'n'.repeat(5_000)}😀`));
  // an index takes no reference of this length
  const odd = calendar(`/c/${Array.from({ length: 4_000 }, (_, n) => n.toString(36)).join('')}/`, 'odd');
  await inTransaction(server.app.db, async (tx) => {
    await insertConnection(tx, account(id, userId, 'dana'));
    await saveCalendars(server.app, tx, { id, userId }, [odd, ...many], 'if-changed');
  });
  const { rows } = await sql<{ n: number; name: number; odd: number }>`
    select count(*)::int as n, max(length(name))::int as name, count(*) filter (where name = 'odd')::int as odd
    from connections.calendars where connection_id = ${id}`.execute(server.app.db);
  expect(rows).toEqual([{ n: mostListed, name: 200, odd: 0 }]);
});

test('a person connects 100 accounts, and no more', async () => {
  const { userId } = await signUpUser(server, 'many@example.org');
  const newId = () => randomUUIDv7() as string as ConnectionId;
  const demand = () => inTransaction(server.app.db, (tx) => requireRoom(server.app, tx, userId));
  await inTransaction(server.app.db, async (tx) => {
    for (let n = 1; n < mostAccounts; n += 1) await insertConnection(tx, account(newId(), userId, `user${n}`));
  });
  await demand();
  await inTransaction(server.app.db, (tx) => insertConnection(tx, account(newId(), userId, 'last')));
  await expect(demand()).rejects.toMatchObject({ code: 'TOO_MANY' });
});

test('no account has more than a hundred addresses or a label of more than 320 characters', async () => {
  const { userId } = await signUpUser(server, 'aliases@example.org');
  const insert = (identity: { label: string; addresses: string[] }) =>
    inTransaction(server.app.db, (tx) => {
      const id = randomUUIDv7() as string as ConnectionId;
      return insertConnection(tx, { ...account(id, userId, id), ...identity });
    });
  const addresses = Array.from({ length: 5_000 }, (_, n) => `a${n}@example.org`);
  const label = 'l'.repeat(319);
  const told = { label: `${label}😀${'l'.repeat(9_000)}`, addresses: [`${label}@example.org`, ...addresses] };
  await expect(insert({ ...told, addresses: [] })).rejects.toThrow('connections_label_check');
  await expect(insert({ ...told, label })).rejects.toThrow('connections_addresses_check');
  const bounded = boundIdentity(told);
  expect(bounded).toEqual({ label: `${label}\uFFFD`, addresses: addresses.slice(0, 100) });
  await insert(bounded);
});

test('a person tries to connect an account 60 times an hour, and no more', async () => {
  const trying = await signUpUser(server, 'trying@example.org');
  const { connectFeed } = trying.as(connectionsContract);
  const answers: string[] = [];
  for (let n = 0; n < 61; n += 1) {
    const refused = await connectFeed({ body: { url: 'no feed' } }).catch((error: unknown) => error);
    answers.push((refused as ApiError).code);
  }
  expect(answers.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 'NOT_A_FEED'));
  expect(answers[60]).toBe('LIMITED');
});
