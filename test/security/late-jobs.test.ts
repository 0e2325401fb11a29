import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askedMail, failedSignIn } from '#features/access/jobs.ts';
import { accountLeaving } from '#features/accounts/events.ts';
import { makeJob } from '#features/takeout/jobs.ts';
import type { UserId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { wireSchema } from '#platform/openapi.ts';
import { features } from '../../src/features.ts';
import { sampleOf } from '../harness/sample-input.ts';
import { startTestApp, type TestApp } from '../harness/test-app.ts';

/** Row 92 of the security test plan: jobs that were written by somebody else, or whose person is gone. */

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

const jobs = features.flatMap((feature) => feature.jobs ?? []);

test('every job refuses a payload with extra or wrong fields', () => {
  expect(jobs.length).toBeGreaterThan(15);
  for (const { name, payload } of jobs) {
    const sample = sampleOf(wireSchema(payload)) as Record<string, unknown>;
    for (const wrong of [null, 'x', 7, [], { ...sample, extra: 1 }]) {
      expect(payload.safeParse(wrong).success, `${name}: ${JSON.stringify(wrong)}`).toBe(false);
    }
    for (const key of Object.keys(sample)) {
      expect(payload.safeParse({ ...sample, [key]: { $ne: null } }).success, `${name}.${key}`).toBe(false);
    }
  }
});

test('a job for a deleted user ends and leaves nothing', async () => {
  const { app } = server;
  const request = { id: 'test', ip: '192.0.2.1' };
  const userId = randomUUIDv7() as UserId;
  await app.jobs.send(askedMail, { userId, wanted: 'reset', request });
  await app.jobs.send(askedMail, { userId: null, wanted: 'verify', request });
  await app.jobs.send(failedSignIn, { userId, request });
  await app.jobs.send(makeJob, { exportId: userId }, { key: userId });
  await inTransaction(app.db, (tx) => app.news.announce(tx, accountLeaving, { userId }));
  await server.settle();
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from platform.mails)::int + (select count(*) from accounts.trail)::int as n`.execute(
    app.db,
  );
  expect(rows).toEqual([{ n: 0 }]);
  const { rows: failed } = await sql<{ n: number }>`
    select count(*)::int as n from jobs.job where state in ('failed', 'retry')`.execute(app.db);
  expect(failed).toEqual([{ n: 0 }]);
});
