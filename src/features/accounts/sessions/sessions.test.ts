import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import { hashToken } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import { startTestApp, type TestApp } from '../../../../test/harness/test-app.ts';
import { clientOf, signUpUser, type TestUser } from '../../../../test/harness/test-client.ts';
import { accountsContract } from '../contract.ts';
import { authenticate, demandRecentProof } from './authentication.ts';
import { endSessions, openSession, renewSession } from './sessions.ts';

// Two web processes on one database: a session that ends in one is over in the other.
let here: TestApp;
let there: TestApp;
let address: string;
beforeAll(async () => {
  here = await startTestApp({ role: 'web' });
  there = await startTestApp({ role: 'web', database: here.database });
  address = await there.listen();
  await Promise.all([here.app.feed.ready(), there.app.feed.ready()]);
});
afterAll(async () => {
  await there.close();
  await here.close();
});

const facts = { id: 'test', ip: '192.0.2.7', userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Firefox/150.0' };

async function actorOf(token: string): Promise<Actor> {
  const proven = await authenticate(here.app, token, facts);
  if (proven === null) throw new Error('the session has ended');
  return proven.actor;
}

const openAnother = (user: TestUser) =>
  openSession(here.app.db, { id: user.userId }, { method: 'password', secondFactor: false, request: facts });

const statusAt = async (server: TestApp, token: string) =>
  (await server.inject({ url: '/auth/profile', headers: { authorization: `Bearer ${token}` } })).statusCode;

/** The messages of a browser's stream, until it ends. */
async function listen(token: string) {
  const response = await fetch(`${address}/api/stream`, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  const heard = { text: '', hasEnded: false };
  void (async () => {
    for await (const chunk of response.body ?? []) heard.text += Buffer.from(chunk).toString();
    heard.hasEnded = true;
  })();
  return heard;
}

test('ending all other sessions takes effect in every process and notifies their browsers', async () => {
  const user = await signUpUser(here, 'ada@example.org');
  const stranger = await signUpUser(here, 'bob@example.org');
  const others = await Promise.all([openAnother(user), openAnother(user)]);
  const [kept, foreign, ...ended] = await Promise.all([user.token, stranger.token, ...others].map(listen));
  const { sessionId } = await actorOf(user.token);
  expect(await inTransaction(here.app.db, (tx) => endSessions(tx, user.userId, { except: sessionId }))).toBe(2);
  // An unheard notice would leave them open until the stream's own look, two minutes later.
  await expect.poll(() => ended.map((stream) => stream.hasEnded)).toEqual([true, true]);
  for (const stream of ended) expect(stream.text).toContain('{"topic":"session.ended"');
  for (const token of others) expect(await statusAt(there, token)).toBe(401);
  expect([kept?.hasEnded, foreign?.hasEnded]).toEqual([false, false]);
  expect([await statusAt(there, user.token), await statusAt(there, stranger.token)]).toEqual([200, 200]);
});

test('a rolled-back transaction ends no session', async () => {
  const user = await signUpUser(here, 'rolled-back@example.org');
  const failed = inTransaction(here.app.db, async (tx) => {
    await endSessions(tx, user.userId);
    throw new Error('rolled back');
  });
  await expect(failed).rejects.toThrow('rolled back');
  expect(await statusAt(there, user.token)).toBe(200);
});

test('GHSA-2vg6-77g8-24mp: deleting a user ends every session and open stream', async () => {
  const user = await signUpUser(here, 'deleted@example.org');
  const stream = await listen(user.token);
  await inTransaction(here.app.db, async (tx) => {
    await endSessions(tx, user.userId);
    await tx.deleteFrom('accounts.users').where('id', '=', user.userId).execute();
  });
  await expect.poll(() => stream.hasEnded, { message: 'whether the stream has ended' }).toBe(true);
  expect([await statusAt(here, user.token), await statusAt(there, user.token)]).toEqual([401, 401]);
});

test("GHSA-xg6x-h9c9-2m83: a session's role and second factor are read fresh with every request", async () => {
  const user = await signUpUser(here, 'cached@example.org');
  expect(await actorOf(user.token)).toMatchObject({ role: 'user', secondFactor: false });
  await sql`update accounts.users set role = 'admin' where id = ${user.userId}`.execute(here.app.db);
  await sql`update accounts.sessions set second_factor = true where user_id = ${user.userId}`.execute(here.app.db);
  expect(await actorOf(user.token)).toMatchObject({ role: 'admin', secondFactor: true });
});

test('a renewed session continues under a new token, and the old token is refused', async () => {
  const user = await signUpUser(here, 'renewed@example.org');
  const before = await actorOf(user.token);
  const token = await inTransaction(here.app.db, (tx) => renewSession(tx, before));
  expect([await statusAt(there, user.token), await statusAt(there, token)]).toEqual([401, 200]);
  expect((await actorOf(token)).sessionId).toBe(before.sessionId);
  expect((await clientOf(here, accountsContract, token).readProfile()).email).toBe(user.email);
  await here.app.db.deleteFrom('accounts.sessions').where('token_hash', '=', hashToken(token)).execute();
  await expect(inTransaction(here.app.db, (tx) => renewSession(tx, before))).rejects.toMatchObject({
    kind: 'unauthenticated',
  });
});

test('a sensitive action requires a proof from the last ten minutes, which only a renewal with a proof gives', async () => {
  const user = await signUpUser(here, 'proof@example.org');
  const codeOf = (actor: Actor) => {
    try {
      demandRecentProof(actor);
      return null;
    } catch (error) {
      return (error as AppError).code;
    }
  };
  const age = (minutes: number) =>
    sql`update accounts.sessions set authenticated_at = now() - make_interval(mins => ${minutes})
      where user_id = ${user.userId}`.execute(here.app.db);
  expect(codeOf(await actorOf(user.token))).toBeNull();
  await age(9);
  expect(codeOf(await actorOf(user.token))).toBeNull();
  await age(10);
  const stale = await actorOf(user.token);
  expect(codeOf(stale)).toBe('REAUTHENTICATE');
  const renewed = await inTransaction(here.app.db, (tx) => renewSession(tx, stale));
  expect(codeOf(await actorOf(renewed))).toBe('REAUTHENTICATE');
  const proven = await inTransaction(here.app.db, (tx) => renewSession(tx, stale, { secondFactor: true }));
  expect(await actorOf(proven)).toMatchObject({ provedRecently: true, secondFactor: true });
});
