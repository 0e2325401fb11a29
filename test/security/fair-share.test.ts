import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectionsContract } from '#features/connections/contract.ts';
import { inTransaction } from '#platform/db.ts';
import { startTestApp, type TestApp } from '../harness/test-app.ts';
import { signUpUser, type TestUser } from '../harness/test-client.ts';
import { waitFor } from '../harness/wait-for.ts';

/** One person's calls over HTTP while the database answers none of them. */

let server: TestApp;
let address: string;
let eager: TestUser;
let other: TestUser;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
  address = await server.listen();
  [eager, other] = [await signUpUser(server, 'eager@example.org'), await signUpUser(server, 'other@example.org')];
  await eager.as(connectionsContract).connectOwn();
});
afterAll(() => server.close());

const ask = async (user: TestUser, path: string) => {
  const answer = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${user.token}` } });
  const text = await answer.text();
  return { status: answer.status, text };
};
const week = '/api/calendars/events?from=2027-03-01T00:00:00Z&to=2027-03-08T00:00:00Z';
const blocked = async () => {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    server.app.db,
  );
  return rows.length;
};

test('a person with 60 calls at once has six connections to the database, and others are answered meanwhile', async () => {
  let running: ReturnType<typeof ask>[] = [];
  await inTransaction(server.app.db, async (tx) => {
    await sql`lock table calendar.items, calendar.spans in access exclusive mode`.execute(tx);
    // a week asks three things together: four calls at a time alone would have all ten connections
    running = Array.from({ length: 60 }, () => ask(eager, week));
    await waitFor('six statements that wait', async () => (await blocked()) === 6);
    expect((await ask(other, '/api/session')).status).toBe(200);
    expect((await ask(other, '/integrations/accounts')).status).toBe(200);
    expect((await ask(other, '/api/teams')).status).toBe(200);
    expect(await blocked()).toBe(6);
  });
  expect(new Set((await Promise.all(running)).map(({ status }) => status))).toEqual(new Set([200]));
});
