import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertOwnAccount } from '../../../test/harness/own-account.ts';
import { enrolUser } from '../../../test/harness/second-factor.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { countCall } from '../sync/store/call-sums.ts';
import { adminContract } from './contract.ts';
import { watchSystem } from './health/health.ts';
import { getOverview } from './overview/overview.ts';

let server: TestApp;
let admin: TestUser;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
  admin = await enrolUser(server, await signUpUser(server, 'admin@example.org'));
  await sql`update accounts.users set role = 'admin', zone = 'Europe/Berlin' where id = ${admin.userId}`.execute(
    server.app.db,
  );
});
afterAll(() => server.close());

const api = () => admin.as(adminContract);

test('overview counts stay as stored until they are counted again', async () => {
  expect((await api().readOverview()).counts).toBeNull();
  const first = (await api().countNow()).counts;
  expect(first).toMatchObject({ people: { all: 1, administrators: 1, active: 1 }, accounts: [], billing: null });
  expect(first?.regions).toEqual([{ name: 'Europe', people: 1 }]);

  const { db } = server.app;
  const ada = await signUpUser(server, 'ada@example.org');
  await insertOwnAccount(server, ada);
  await sql`update accounts.sessions set last_seen_at = now() - interval '31 days' where user_id = ${ada.userId}`.execute(
    db,
  );
  expect((await api().readOverview()).counts).toEqual(first);
  const second = (await api().countNow()).counts;
  expect(second).toMatchObject({
    people: { all: 2, active: 1, joined: 2 },
    integrations: [],
    accounts: [{ provider: 'caldav', profile: 'generic', all: 1, lost: 0 }],
  });
});

test('the overview shows the last health check and the sync calls to external providers', async () => {
  const { db } = server.app;
  for (const end of ['answered', 'answered', 'answered', 'auth'] as const)
    await countCall(db, { provider: 'caldav', profile: 'generic', end, waitedMs: end === 'auth' ? null : 80 });
  // built-in calendars are no integration
  await countCall(db, { provider: 'holdfast', profile: 'generic', end: 'answered', waitedMs: 1 });
  await watchSystem(server.app, 'worker');
  const overview = await api().readOverview();
  expect(overview.sync).toMatchObject({ calls: 4, synced: 3, errorPct: 25, issues: [{ kind: 'auth', count: 1 }] });
  expect(overview.integrations).toMatchObject([{ name: 'caldav/generic', accounts: 1, calls: 4 }]);
  expect(overview.health.services.map(({ name }) => name)).toContain('database');
});

test('the overview reads stored counts without reading the users table', async () => {
  const { db } = server.app;
  await sql`alter table accounts.users rename to users_away`.execute(db);
  try {
    // authentication reads people too: asked without it
    expect((await getOverview(server.app)).counts?.people.all).toBe(2);
  } finally {
    await sql`alter table accounts.users_away rename to users`.execute(db);
  }
});
