import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertOwnAccount } from '../../../test/harness/own-account.ts';
import { enrolUser } from '../../../test/harness/second-factor.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { countCall } from '../sync/store/call-sums.ts';
import { adminContract } from './contract.ts';
import { resyncJob } from './integrations/integrations.ts';
import { countEverything } from './overview/overview.ts';

let server: TestApp;
let admin: TestUser;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
  admin = await enrolUser(server, await signUpUser(server, 'admin@example.org'));
  await sql`update accounts.users set role = 'admin' where id = ${admin.userId}`.execute(server.app.db);
});
afterAll(() => server.close());

const api = () => admin.as(adminContract);
const caldav = async () => (await api().readIntegrations()).integrations.find(({ provider }) => provider === 'caldav');
const kind = { provider: 'caldav', profile: 'generic' };

/** An account whose calendars are followed, and cannot be read. */
async function failingAccount(failures: number) {
  const { db } = server.app;
  const { accountId, calendarId } = await insertOwnAccount(server, admin);
  await sql`update connections.calendars set failures = ${failures}, error_code = 'TIMEOUT' where id = ${calendarId}`.execute(
    db,
  );
  await sql`insert into sync.pulls (calendar_id, user_id, connection_id, next_pull_at, failures)
    values (${calendarId}, ${admin.userId}, ${accountId}, now() + interval '1 day', ${failures})
    on conflict (calendar_id) do update set next_pull_at = excluded.next_pull_at, failures = excluded.failures`.execute(
    db,
  );
  return { accountId, calendarId };
}

const dueAt = async (calendarId: string) => {
  const { rows } = await sql<{ due: boolean; failures: number }>`
    select next_pull_at <= now() as due, failures from sync.pulls where calendar_id = ${calendarId}`.execute(
    server.app.db,
  );
  return rows[0];
};

test('integrations show call statistics per provider and the worst accounts with masked addresses', async () => {
  const { db } = server.app;
  const bad = await failingAccount(3);
  const worse = await failingAccount(7);
  await countCall(db, { ...kind, end: 'answered', waitedMs: 70 });
  await countCall(db, { ...kind, end: 'silent', waitedMs: null });
  await countEverything(server.app);
  const found = await caldav();
  expect(found).toMatchObject({
    accounts: 2,
    lost: 0,
    calls: 2,
    synced: 1,
    errorPct: 50,
    uptimePct: 100,
    p50Ms: 75,
    issues: [{ kind: 'silent', count: 1 }],
  });
  expect(found?.worst).toMatchObject([
    { accountId: worse.accountId, address: 'hom*****', failures: 7, calendars: 1, code: 'TIMEOUT' },
    { accountId: bad.accountId, failures: 3 },
  ]);
});

test('a resync of one account or a whole provider makes its calendars due and is audited with its reason', async () => {
  const { db } = server.app;
  const one = await failingAccount(4);
  const other = await failingAccount(5);
  await api().resync({ body: { ...kind, accountId: one.accountId as never, reason: 'they asked for it' } });
  expect(await dueAt(one.calendarId)).toEqual({ due: true, failures: 0 });
  expect(await dueAt(other.calendarId)).toEqual({ due: false, failures: 5 });

  await api().resync({ body: { ...kind, reason: 'the outage is over' } });
  await resyncJob.handle(server.app, { ...kind, after: null }, AbortSignal.timeout(5_000), {} as never);
  expect(await dueAt(other.calendarId)).toEqual({ due: true, failures: 0 });
  const { rows } = await sql<{ reason: string; subject_id: string | null }>`
    select reason, subject_id from accounts.audit where action = 'integration_resync' order by position`.execute(db);
  expect(rows).toEqual([
    { reason: 'they asked for it', subject_id: one.accountId },
    { reason: 'the outage is over', subject_id: null },
  ]);
});

test('a resync of an unknown account is answered with 404', async () => {
  await expect(
    api().resync({ body: { ...kind, accountId: '00000000-0000-4000-8000-000000000000' as never, reason: 'why not' } }),
  ).rejects.toMatchObject({ status: 404 });
});
