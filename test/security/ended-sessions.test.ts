import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessContract } from '#features/access/contract.ts';
import { accountsContract } from '#features/accounts/contract.ts';
import { openSession } from '#features/accounts/sessions/public.ts';
import type { PasskeyId } from '#kernel/ids.ts';
import { runCommand } from '../../scripts/admin/run-command.ts';
import { readLink } from '../harness/read-link.ts';
import { enrolUser } from '../harness/second-factor.ts';
import { startTestApp, type TestApp } from '../harness/test-app.ts';
import { clientOf, signUpUser, type TestUser } from '../harness/test-client.ts';

/** Row 41 of the security test plan: what was open before a change is over after it, also in another process. */

let here: TestApp;
let there: TestApp;
let address: string;
beforeAll(async () => {
  here = await startTestApp();
  there = await startTestApp({ role: 'web', database: here.database });
  address = await there.listen();
  await Promise.all([here.app.feed.ready(), there.app.feed.ready()]);
});
afterAll(async () => {
  await there.close();
  await here.close();
});

const facts = { id: 'test', ip: '192.0.2.7', userAgent: undefined };
const openAnother = (user: TestUser) =>
  openSession(here.app.db, { id: user.userId }, { method: 'password', secondFactor: true, request: facts });
const statusThere = async (headers: Record<string, string>) =>
  (await there.inject({ url: '/auth/profile', headers })).statusCode;

/** Whether a browser's stream at the other process has been ended. */
async function listenThere(token: string) {
  const response = await fetch(`${address}/api/stream`, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  const heard = { hasEnded: false };
  void (async () => {
    for await (const _ of response.body ?? []);
    heard.hasEnded = true;
  })();
  return heard;
}

const insertPasskey = async ({ userId }: TestUser) => {
  const id = randomUUID() as PasskeyId;
  await sql`insert into access.passkeys (id, user_id, credential_id, public_key, is_synced, name)
    values (${id}, ${userId}, uuid_send(${id}::uuid), '', false, 'Key')`.execute(here.app.db);
  return id;
};
const insertIdentity = async ({ userId }: TestUser) => {
  const id = randomUUID();
  await sql`insert into access.identities (id, user_id, provider, issuer, subject, label)
    values (${id}, ${userId}, 'google', 'https://issuer.example', ${id}, 'x@example.org')`.execute(here.app.db);
  return id;
};
const byHand = async (command: 'grant' | 'revoke' | 'mfa-off', { email }: TestUser) => {
  const { failed, lines } = await runCommand(here.app.db, [command, email]);
  expect(failed, lines.join()).toBe(false);
};

/** Changes by name. Preparation runs before the sessions are opened; the returned function makes the change. */
const changes: Record<string, (user: TestUser) => Promise<() => Promise<unknown>>> = {
  'another password': async (user) => () =>
    user.as(accessContract).changePassword({ body: { new_password: 'orchard lantern ninety' } }),
  'a password that was reset by mail': async (user) => {
    const stranger = clientOf(here, accessContract);
    await stranger.forgotPassword({ body: { email: user.email } });
    await here.settle();
    const { code } = await readLink(here, user.email);
    return () => stranger.resetPassword({ body: { email: user.email, code, new_password: 'orchard lantern ninety' } });
  },
  'another address': async (user) => {
    const email = `moved-${user.email}`;
    await user.as(accessContract).changeEmail({ body: { email } });
    const { code } = await readLink(here, email);
    return () => clientOf(here, accessContract).verifyEmail({ body: { email, code } });
  },
  'a second factor': async (user) => () => enrolUser(here, user),
  'no second factor any more': async (user) => {
    const enrolled = await enrolUser(here, user);
    return () => enrolled.as(accessContract).disableMfa();
  },
  'a second factor that the operator turned off': async (user) => {
    await enrolUser(here, user);
    return () => byHand('mfa-off', user);
  },
  'a passkey less': async (user) => {
    const passkeyId = await insertPasskey(user);
    return () => user.as(accessContract).removePasskey({ params: { passkeyId } });
  },
  'an identity less': async (user) => {
    const identityId = await insertIdentity(user);
    return () => user.as(accessContract).unlinkIdentity({ params: { identityId } });
  },
  'the rights of an administrator': async (user) => () => byHand('grant', user),
  'no rights of an administrator any more': async (user) => {
    await sql`update accounts.users set role = 'admin' where id = ${user.userId}`.execute(here.app.db);
    return () => byHand('revoke', user);
  },
  'signing out everywhere': async (user) => () =>
    user.as(accountsContract).logoutEverywhere({ body: { includingThis: false } }),
  'the end of the account': async (user) => () =>
    user.as(accountsContract).deleteAccount({ body: { email: user.email } }),
};

describe('sessions after an account change', () => {
  test.each(Object.keys(changes))(
    'CVE-2023-37919, GHSA-2vg6-77g8-24mp: earlier sessions end in every process after %s',
    async (name) => {
      const user = await signUpUser(here, `${name.replace(/\W+/g, '-')}@example.org`);
      const stranger = await signUpUser(here, `not-${name.replace(/\W+/g, '-')}@example.org`);
      const change = await changes[name]?.(user);
      const [bearer, cookie] = [await openAnother(user), await openAnother(user)];
      const stream = await listenThere(bearer);
      expect(await statusThere({ authorization: `Bearer ${bearer}` })).toBe(200);
      expect(await statusThere({ cookie: `holdfast=${cookie}` })).toBe(200);
      expect(stream.hasEnded).toBe(false);

      await change?.();
      expect(await statusThere({ authorization: `Bearer ${bearer}` })).toBe(401);
      expect(await statusThere({ cookie: `holdfast=${cookie}` })).toBe(401);
      // An unheard notice would leave it open until the stream's own look, two minutes later.
      await expect.poll(() => stream.hasEnded, { message: 'whether the stream has ended' }).toBe(true);
      expect(await statusThere({ authorization: `Bearer ${stranger.token}` })).toBe(200);
    },
  );
});
