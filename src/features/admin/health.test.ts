import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDatabase } from '#platform/db.ts';
import { createLog, errorsOf } from '#platform/log.ts';
import { enrolUser } from '../../../test/harness/second-factor.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { countCall } from '../sync/store/call-sums.ts';
import { adminContract } from './contract.ts';
import { measureSystem, watchSystem } from './health/health.ts';
import { jobs } from './jobs.ts';

let server: TestApp;
let admin: TestUser;
const heard: string[] = [];
beforeAll(async () => {
  const log = await createLog({ level: 'warn', format: 'json', destination: { write: () => undefined } });
  server = await startTestApp({ role: 'web', log });
  admin = await enrolUser(server, await signUpUser(server, 'admin@example.org'));
  await sql`update accounts.users set role = 'admin' where id = ${admin.userId}`.execute(server.app.db);
  await server.app.feed.ready();
  server.app.feed.subscribe(admin.userId, undefined, ({ topic }) => heard.push(topic));
});
afterAll(() => server.close());

const read = () => admin.as(adminContract).readHealth();
const serviceOf = async (name: string) => (await read()).services.find((one) => one.name === name);
const alertsOf = async () =>
  (await read()).alerts.map(({ rule, subject, level, endedAt }) => ({
    rule,
    subject,
    level,
    isOver: endedAt !== null,
  }));

test('a missing worker is reported as critical with an alert, which ends once a worker runs', async () => {
  expect(await serviceOf('worker')).toMatchObject({ status: 'critical', latencyMs: null, facts: { processes: 0 } });
  await watchSystem(server.app, 'server');
  expect(await alertsOf()).toContainEqual({ rule: 'service', subject: 'worker', level: 'error', isOver: false });
  await expect.poll(() => heard).toContain('console');
  expect((await read()).status).toBe('critical');

  await watchSystem(server.app, 'worker');
  expect(await serviceOf('worker')).toMatchObject({ status: 'healthy' });
  expect(await alertsOf()).toContainEqual({ rule: 'service', subject: 'worker', level: 'error', isOver: true });
});

test('system health has the version of the time zone data', async () => {
  expect((await read()).zoneData).toMatchObject({ version: process.versions.tz, days: expect.any(Number) });
});

test('system health shows latency and success rate of database and stream', async () => {
  const { services, at } = await read();
  for (const name of ['database', 'stream']) {
    const one = services.find((service) => service.name === name);
    expect(one?.latencyMs).toBeGreaterThan(0);
    expect(one?.successPct).toBe(100);
  }
  expect(services.find(({ name }) => name === 'worker')?.successPct).toBe(50);
  expect(services.find(({ name }) => name === 'mail')).toMatchObject({ status: 'warning', facts: { sent: 0 } });
  expect(at).toBeGreaterThan(0);
});

test('an unheard rejection ends no server: a probe that is published too late is only critical', async () => {
  // the other probes wait longer for a connection than the clock is moved
  const patient = openDatabase({ url: server.database.url, log: server.app.log });
  const unheard: unknown[] = [];
  const note = (reason: unknown) => unheard.push(reason);
  process.on('unhandledRejection', note);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { promise: published, resolve } = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const feed = {
      ...server.app.feed,
      publish: () => {
        asked.resolve();
        return published;
      },
    };
    const measuring = measureSystem({ ...server.app, db: patient.db, feed }, null, null);
    await asked.promise;
    vi.advanceTimersByTime(5_001);
    for (let turn = 0; turn < 5; turn += 1) await new Promise((next) => setImmediate(next));
    expect(unheard).toEqual([]);
    resolve();
    const { services } = await measuring;
    expect(services.find(({ name }) => name === 'stream')).toMatchObject({ status: 'critical', latencyMs: null });
  } finally {
    vi.useRealTimers();
    process.off('unhandledRejection', note);
    await patient.close();
  }
});

test('a queue without a worker raises an alert, which ends once the queue is empty', async () => {
  const [watchJob] = jobs;
  const { db } = server.app;
  await server.app.jobs.send(watchJob as never, {}, { key: 'watch' });
  await sql`update jobs.job set start_after = now() - interval '11 minutes' where name = 'admin.watch'`.execute(db);
  await watchSystem(server.app, 'worker');
  expect(await serviceOf('queue')).toMatchObject({ status: 'critical', facts: { due: expect.any(Number) } });
  expect((await read()).queues.find(({ name }) => name === 'admin.watch')).toMatchObject({ due: 1, running: 0 });
  expect(await alertsOf()).toContainEqual({
    rule: 'queue-late',
    subject: 'admin.watch',
    level: 'error',
    isOver: false,
  });
  await sql`delete from jobs.job where name = 'admin.watch'`.execute(db);
  await watchSystem(server.app, 'worker');
  expect(await alertsOf()).toContainEqual({ rule: 'queue-late', subject: 'admin.watch', level: 'error', isOver: true });
});

test('a provider that does not answer is critical and raises an alert', async () => {
  for (let n = 0; n < 12; n += 1)
    await countCall(server.app.db, {
      provider: 'google',
      profile: 'generic',
      end: n < 4 ? 'answered' : 'silent',
      waitedMs: n < 4 ? 120 : null,
    });
  await watchSystem(server.app, 'worker');
  expect(await serviceOf('provider')).toMatchObject({
    provider: 'google/generic',
    label: 'Google Calendar',
    status: 'critical',
    facts: { calls: 12, silent: 8 },
  });
  expect(await alertsOf()).toContainEqual({
    rule: 'service',
    subject: 'provider:google/generic',
    level: 'error',
    isOver: false,
  });
});

test('a failed request appears in the error log with its request id and raises an alert', async () => {
  const { db, log } = server.app;
  await sql`alter table admin.alerts rename to alerts_away`.execute(db);
  const answer = await server.inject({ url: '/api/admin/health', headers: { authorization: `Bearer ${admin.token}` } });
  await sql`alter table admin.alerts_away rename to alerts`.execute(db);
  expect(answer.statusCode).toBe(500);
  await errorsOf(log).write();
  const { errors } = await read();
  expect(errors[0]).toMatchObject({
    severity: 'high',
    told: 'a request failed',
    place: '/api/admin/health',
    count: 1,
    requestIds: [answer.headers['x-request-id']],
  });
  await watchSystem(server.app, 'worker');
  expect((await read()).alerts).toContainEqual(
    expect.objectContaining({ rule: 'errors', facts: { told: 'a request failed', count: 1 } }),
  );
});

test('system health shows at most ten alerts, open ones first', async () => {
  const { db } = server.app;
  await sql`insert into admin.alerts (rule, subject, level, ended_at)
    select 'queue-late', 'q' || n, 'warning', now() from generate_series(1, 30) n`.execute(db);
  const { alerts } = await read();
  expect(alerts.length).toBe(10);
  const firstOver = alerts.findIndex(({ endedAt }) => endedAt !== null);
  expect(alerts.slice(firstOver).every(({ endedAt }) => endedAt !== null)).toBe(true);
});

test('system health follows the age of the last scheduled backup', async () => {
  expect(await serviceOf('backup')).toBeUndefined();
  const app = { ...server.app, config: { ...server.app.config, backupDir: '/nowhere', backupEveryHours: 24 } };
  const backup = async () => (await measureSystem(app, null, [])).services.find(({ name }) => name === 'backup');
  expect(await backup()).toMatchObject({ status: 'warning', facts: { every: 24, noBackup: 1 } });
  const made = (hours: number) =>
    sql`insert into platform.backups (id, taken_at, file, bytes)
      values (gen_random_uuid(), now() - make_interval(hours => ${hours}), 'a', 1)`.execute(server.app.db);
  await made(100);
  expect(await backup()).toMatchObject({ status: 'critical', facts: { every: 24, hours: 100 } });
  await made(1);
  expect(await backup()).toMatchObject({ status: 'healthy', facts: { every: 24, hours: 1 } });
});
