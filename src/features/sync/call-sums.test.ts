import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { type SyncWorld, startSyncWorld } from '../../../test/harness/sync-world.ts';
import { syncContract } from './contract.ts';
import { listCallSums, trimCallSums } from './store/call-sums.ts';

let world: SyncWorld;
afterEach(() => world.close());

const later = async (duration: Temporal.DurationLike) => {
  world.clock.advance(duration);
  await world.pass();
};
const caldavNow = async () =>
  (await listCallSums(world.server.app.db, 1)).filter(({ provider }) => provider === 'caldav');

test('every pull is counted by its outcome and by the latency of its provider', async () => {
  world = await startSyncWorld();
  const { db } = world.server.app;
  world.left.put('a.ics', 'UID:a@x\nSUMMARY:A\nDTSTART:20270302T150000Z\nDTEND:20270302T160000Z');
  await world.pass();
  const [first] = await caldavNow();
  expect(first?.answered).toBeGreaterThanOrEqual(2);
  expect(first).toMatchObject({ auth: 0, limited: 0, refused: 0, silent: 0 });
  expect(first?.latency.length).toBe(11);
  expect(first?.latency.reduce((sum, one) => sum + one, 0)).toBe(first?.answered);

  const { rows: before } = await sql<{ count: number }>`select count(*)::int as count from sync.pulls`.execute(db);
  expect(before[0]?.count).toBeGreaterThanOrEqual(2);
  world.right.user.password = 'changed';
  await later({ minutes: 90 });
  const [second] = await caldavNow();
  expect(second?.answered).toBeGreaterThan(first?.answered ?? 0);
  expect(second?.auth).toBeGreaterThanOrEqual(1);
  // a connection with a refused password is not called again, so its count of failures stays
  await later({ minutes: 90 });
  expect((await caldavNow())[0]?.auth).toBe(second?.auth);
  const { accountId } = world.right;
  await expect(world.person.as(syncContract).syncAccount({ params: { accountId } })).rejects.toMatchObject({
    code: 'NEEDS_RECONNECT',
  });
});

test('call counts of a provider and hour are bounded, and deleted after a month', async () => {
  world = await startSyncWorld();
  const { db } = world.server.app;
  for (let n = 0; n < 8; n += 1) await later({ minutes: 30 });
  const { rows } = await sql<{ count: number }>`
    select max(count)::int as count from (select count(*) from sync.call_sums group by provider, profile, hour) per`.execute(
    db,
  );
  expect(rows[0]?.count).toBeLessThanOrEqual(4);
  await sql`update sync.call_sums set hour = hour - interval '32 days'`.execute(db);
  await trimCallSums(db);
  expect(await listCallSums(db, 24 * 40)).toEqual([]);
});
