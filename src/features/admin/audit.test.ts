import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { recordAct } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { enrolUser } from '../../../test/harness/second-factor.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { adminContract } from './contract.ts';

let server: TestApp;
let boss: TestUser;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
  boss = await enrolUser(server, await signUpUser(server, 'boss@example.org'));
});
afterAll(() => server.close());
beforeEach(() => forge(sql`delete from accounts.audit`));

/** As somebody could who has the database. */
const forge = (change: ReturnType<typeof sql>) =>
  inTransaction(server.app.db, async (tx) => {
    await sql`alter table accounts.audit disable trigger refuse_change`.execute(tx);
    await change.execute(tx);
    await sql`alter table accounts.audit enable trigger refuse_change`.execute(tx);
  });

const act = (note: string, actorId: UserId | null = boss.userId) =>
  inTransaction(server.app.db, (tx) =>
    recordAct(tx, { actorId, action: 'plan_update', reason: note, request: null, details: { days: 7 } }),
  );

const verify = () => boss.as(adminContract).verifyAudit();
const positions = async () => {
  const { rows } = await sql<{ position: number }>`
    select position from accounts.audit order by position`.execute(server.app.db);
  return rows.map(({ position }) => position);
};

test('entries of many at once make one chain without a gap, and what is rolled back leaves none', async () => {
  const stopped = inTransaction(server.app.db, async (tx) => {
    await recordAct(tx, { actorId: null, action: 'login', reason: null, request: null });
    throw new Error('stopped');
  });
  await Promise.all([...Array.from({ length: 40 }, (_, at) => act(`act ${at}`)), stopped.catch(() => undefined)]);
  expect(await positions()).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  expect(await verify()).toMatchObject({ entries: 40, broken: null, head: { position: 40 } });
  const { rows } = await sql`select from accounts.audit_pending`.execute(server.app.db);
  expect(rows).toEqual([]);
});

test('several acts of one transaction stand in their order, and none waits for a transaction that is not over', async () => {
  await inTransaction(server.app.db, async (tx) => {
    await recordAct(tx, { actorId: boss.userId, action: 'login', reason: null, request: null });
    // would wait for ever where the lock of the chain were taken with the first act
    await act('while the other goes on');
    await recordAct(tx, { actorId: boss.userId, action: 'plan_update', reason: 'the second', request: null });
  });
  const { rows } = await sql<{ action: string }>`
    select action, reason from accounts.audit order by position`.execute(server.app.db);
  expect(rows).toEqual([
    { action: 'plan_update', reason: 'while the other goes on' },
    { action: 'login', reason: null },
    { action: 'plan_update', reason: 'the second' },
  ]);
  expect(await verify()).toMatchObject({ entries: 3, broken: null });
});

test('the database refuses to change, remove or empty what is written', async () => {
  await act('the first');
  for (const change of [
    sql`update accounts.audit set reason = 'another'`,
    sql`delete from accounts.audit`,
    sql`truncate accounts.audit`,
  ]) {
    await expect(change.execute(server.app.db)).rejects.toThrow('the audit only grows');
  }
  expect(await positions()).toEqual([1]);
});

test('whoever gets round that is found out: a changed word, a removed entry, a new beginning, a lost hash', async () => {
  for (let at = 1; at <= 5; at++) await act(`act ${at}`);
  await forge(sql`update accounts.audit set reason = 'nothing happened' where position = 3`);
  expect(await verify()).toMatchObject({ entries: 0, broken: { position: 3, kind: 'changed' } });
  await forge(sql`update accounts.audit set reason = 'act 3' where position = 3`);
  expect(await verify()).toMatchObject({ entries: 5, broken: null });
  await forge(sql`update accounts.audit set at = at - interval '1 microsecond' where position = 4`);
  expect(await verify()).toMatchObject({ broken: { position: 4, kind: 'changed' } });
  await forge(sql`delete from accounts.audit where position = 4`);
  expect(await verify()).toMatchObject({ broken: { position: 4, kind: 'missing' } });
  await forge(sql`delete from accounts.audit where position < 3`);
  expect(await verify()).toMatchObject({ broken: { position: 1, kind: 'missing' } });
});
