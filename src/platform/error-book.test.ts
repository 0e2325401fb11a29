import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/harness/test-app.ts';
import { groupOf, listErrors, trimErrors } from './error-book.ts';
import { createLog, errorsOf, type Log } from './log.ts';

let server: TestApp;
let log: Log;
const lines: string[] = [];
beforeAll(async () => {
  log = await createLog({
    level: 'info',
    format: 'json',
    destination: { write: (line: string) => void lines.push(line) },
  });
  server = await startTestApp({ features: [], role: 'web', log });
});
afterAll(() => server.close());

const failing = (id: string) =>
  Object.assign(
    new Error(`no row ${id} for "ada@example.org"`, { cause: new Error('connect ECONNREFUSED 10.0.0.7:5432') }),
    {
      code: '42P01',
    },
  );

test('equal errors form one group with a count, a place, and the newest requests', async () => {
  for (let at = 1; at <= 7; at += 1) {
    const child = log.child({ requestId: `00000000-0000-4000-8000-00000000000${at}` });
    child.error({ err: failing(`${at}`), route: '/api/things/:id' }, 'a request failed');
  }
  log.warn(
    { err: new Error('Bearer abcdefghijklmnop was refused'), job: 'sync.pull-calendar', jobId: 'j1' },
    'job failed',
  );
  await errorsOf(log).write();
  const found = await listErrors(server.app.db, 10);
  expect(found.length).toBe(2);
  expect(found.find(({ severity }) => severity === 'medium')).toMatchObject({
    told: 'job failed',
    place: 'sync.pull-calendar',
    count: 1,
    requestIds: ['j1'],
  });
  const high = found.find(({ severity }) => severity === 'high');
  expect(high).toMatchObject({ told: 'a request failed', place: '/api/things/:id', count: 7 });
  expect(high?.requestIds.map((id) => id.at(-1))).toEqual(['7', '6', '5', '4', '3']);
  expect(high?.cause).toContain('connect ECONNREFUSED');
  expect(JSON.stringify(found)).not.toContain('abcdefghijklmnop');
  expect(lines.length).toBe(8);

  log.error({ err: failing('99'), route: '/api/things/:id' }, 'a request failed');
  await errorsOf(log).write();
  const again = (await listErrors(server.app.db, 10)).find(({ severity }) => severity === 'high');
  expect(again).toMatchObject({ count: 8, firstMs: high?.firstMs });
  expect(again?.lastMs).toBeGreaterThanOrEqual(high?.lastMs ?? Infinity);
});

test('errors with another place, message, or cause form another group; other ids and names do not', () => {
  const of = (told: string, route: string, message: string) =>
    groupOf({ level: 50, told, fields: { route, err: { type: 'Error', message } } }).fingerprint;
  const one = of('failed', '/a', 'no row 17 for "ada"');
  expect(of('failed', '/a', 'no row 4711 for "bob"')).toBe(one);
  expect(of('failed', '/b', 'no row 17 for "ada"')).not.toBe(one);
  expect(of('failed again', '/a', 'no row 17 for "ada"')).not.toBe(one);
  expect(of('failed', '/a', 'no table 17 for "ada"')).not.toBe(one);
});

test('an error that ends the process is critical, and a refusal without an error is not recorded', async () => {
  expect(groupOf({ level: 60, told: 'a bug', fields: {} }).severity).toBe('critical');
  const before = (await listErrors(server.app.db, 600)).length;
  log.warn({ host: 'h' }, 'an address was not called');
  log.info('nothing special');
  await errorsOf(log).write();
  expect((await listErrors(server.app.db, 600)).length).toBe(before);
});

test('the error list keeps at most 500 groups and drops groups not seen within the log retention', async () => {
  const { db } = server.app;
  await sql`insert into platform.errors (fingerprint, severity, told, cause, count, request_ids, last_at)
    select 'old-' || n, 'low', 't', 'c', 1, '{}', now() - n * interval '1 minute' from generate_series(1, 600) n`.execute(
    db,
  );
  await trimErrors(db, 30);
  expect((await listErrors(db, 1_000)).length).toBe(500);
  await sql`update platform.errors set last_at = now() - interval '31 days' where fingerprint <> 'old-1'`.execute(db);
  await trimErrors(db, 30);
  expect((await listErrors(db, 1_000)).map(({ fingerprint }) => fingerprint)).toEqual(['old-1']);
});
