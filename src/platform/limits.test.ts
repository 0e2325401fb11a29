import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/harness/test-app.ts';
import type { TestDatabase } from '../../test/harness/test-cluster.ts';
import { type DatabaseHandle, openDatabase } from './db.ts';
import {
  type Allowance,
  networkOf,
  restoreAllowance,
  takeAllowance,
  takeAllowances,
  takeNetworkAllowance,
  trimLimits,
  tryNetworkAllowance,
} from './limits.ts';
import { createLog } from './log.ts';

let database: TestDatabase;
let handles: DatabaseHandle[];
beforeAll(async () => {
  database = await createTestDatabase();
  const log = await createLog({ level: 'silent', format: 'json' });
  // Two pools stand for two processes.
  handles = [openDatabase({ url: database.url, log }), openDatabase({ url: database.url, log })];
});
afterAll(async () => {
  for (const handle of handles) await handle.close();
  await database.close();
});

const db = (at = 0) => (handles[at % 2] as DatabaseHandle).db;
const allowance: Allowance = { action: 'test', burst: 5, periodSeconds: 100 };
const take = (subject: string, at = 0) =>
  takeAllowance(db(at), allowance, subject).then(
    () => 'taken',
    (error: { code: string }) => error.code,
  );

test('fifty concurrent attempts in two processes get exactly the allowed burst', async () => {
  const outcomes = await Promise.all(Array.from({ length: 50 }, (_, at) => take('crowd', at)));
  expect(outcomes.filter((one) => one === 'taken')).toHaveLength(5);
  expect(outcomes.filter((one) => one === 'LIMITED')).toHaveLength(45);
  expect(await take('somebody else')).toBe('taken');
});

test('a rate limit refills evenly, and a refusal names the wait', async () => {
  for (let at = 0; at < 5; at += 1) await take('slow', at);
  const error = await takeAllowance(db(), allowance, 'slow').catch((one: unknown) => one);
  expect(error).toMatchObject({ kind: 'limited', message: 'Too many attempts. Try again in 20 s.' });
  // Twenty seconds later, as the database sees it.
  await sql`update platform.limits set full_at = full_at - interval '20 seconds'`.execute(db());
  expect([await take('slow'), await take('slow')]).toEqual(['taken', 'LIMITED']);
  await restoreAllowance(db(), allowance, 'slow');
  expect(await Promise.all([1, 2, 3, 4, 5, 6].map((at) => take('slow', at)))).toEqual(
    expect.arrayContaining(['taken', 'LIMITED']),
  );
});

test('several subjects are checked at once, and each has its own rate limit', async () => {
  for (let at = 0; at < 5; at += 1) await take('spent', at);
  const taken = await takeAllowances(db(), allowance, ['fresh', 'spent', 'other', 'fresh']);
  expect([...taken].toSorted()).toEqual(['fresh', 'other']);
  expect(await Promise.all([1, 2, 3, 4, 5].map((at) => take('fresh', at)))).toContain('LIMITED');
});

test('concurrent attempts of many subjects are batched, and each subject gets its own limit', async () => {
  const subjects = Array.from({ length: 20 }, (_, n) => `guest ${n}`);
  const outcomes = await Promise.all(
    Array.from({ length: 7 }, () => subjects.map((subject) => take(subject)))
      .flat()
      .map(async (outcome, n) => [subjects[n % 20], await outcome]),
  );
  for (const subject of subjects) {
    const own = outcomes.filter(([of]) => of === subject).map(([, outcome]) => outcome);
    expect(own.filter((outcome) => outcome === 'taken')).toHaveLength(5);
    expect(own.filter((outcome) => outcome === 'LIMITED')).toHaveLength(2);
  }
});

test('expired rate limits are removed, and no subject is stored in the clear', async () => {
  await take('ada@example.org');
  const { rows } = await sql<{ text: string }>`select encode(key, 'escape') as text from platform.limits`.execute(db());
  expect(rows.some(({ text }) => text.includes('ada'))).toBe(false);
  await sql`update platform.limits set full_at = now() - interval '1 second'`.execute(db());
  expect(await trimLimits(db())).toBe(rows.length);
});

test('CVE-2026-45364: all addresses of one /64 count as one network, in any spelling', () => {
  for (const one of ['2001:db8:0:7::1', '2001:0DB8::7:ffff:0:0:1', '2001:db8:0:7:1:2:3:4'])
    expect(networkOf(one), one).toBe('2001:db8:0:7::/64');
  for (const one of ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201']) expect(networkOf(one), one).toBe('192.0.2.1');
  expect(networkOf('2001:db8:0:8::1')).not.toBe(networkOf('2001:db8:0:7::1'));
});

test('an IPv6 site has three times the allowance of one of its networks, and IPv4 has no site', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => takeNetworkAllowance(db(), allowance, `2001:db8:5:${n.toString(16)}::1`)),
  );
  const taken = outcomes.filter((one) => one.status === 'fulfilled').length;
  expect([taken >= allowance.burst * 3, taken < 20]).toEqual([true, true]);
  await takeNetworkAllowance(db(), allowance, '2001:db8:6::1');
  for (let n = 1; n <= 20; n += 1) await takeNetworkAllowance(db(), allowance, `192.0.2.${n}`);
  const tried = await Promise.all(
    Array.from({ length: 20 }, (_, n) => tryNetworkAllowance(db(), allowance, `2001:db8:7:${n.toString(16)}::1`)),
  );
  expect(tried.filter(Boolean)).toHaveLength(allowance.burst * 3);
});
