import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessContract } from '#features/access/contract.ts';
import { calendarContract } from '#features/calendar/contract.ts';
import type { Contract } from '#kernel/contract.ts';
import { createLog } from '#platform/log.ts';
import { dumpDatabase, findInDump, holdsText } from './harness/dump-database.ts';
import { type FixedClock, fixedClock } from './harness/fixed-clock.ts';
import { insertOwnAccount } from './harness/own-account.ts';
import { readMails } from './harness/read-mails.ts';
import { codeOf } from './harness/second-factor.ts';
import { startTestApp, type TestApp } from './harness/test-app.ts';
import { clientOf, type TestUser } from './harness/test-client.ts';

/**
 * An attacker copies the whole database, or the logs. The data belongs to a person with every kind of secret, in use at
 * that moment.
 */

const email = 'ada@example.org';
const passwords = {
  first: 'copper lantern forty-two',
  second: 'silver lantern forty-three',
  third: 'golden lantern 44',
};
const appPassword = 'app password';

interface Secrets {
  [what: string]: string;
}

let server: TestApp;
let clock: FixedClock;
let secrets: Secrets;
let logs = '';

beforeAll(async () => {
  clock = fixedClock();
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logs += String(chunk);
      done();
    },
  });
  const log = await createLog({ level: 'trace', format: 'json', destination });
  server = await startTestApp({ clock, log });
  secrets = await live();
}, 60_000);
afterAll(() => server.close());

const as = <const C extends Contract>(contract: C, token?: string) => clientOf(server, contract, token);
const codeIn = (link: string | undefined) => new URL(link ?? '').searchParams.get('code') ?? '';

async function lastLink(kind: RegExp): Promise<string> {
  await server.settle();
  const mails = await readMails(server, email);
  const link = mails.findLast((mail) => kind.test(mail.kind))?.links[0];
  if (link === undefined) throw new Error(`no such mail among ${mails.map((mail) => mail.kind).join(', ')}`);
  return link;
}

/** Signs up, confirms, signs in, sets up a second factor, and leaves codes, challenges, tokens and feeds unused. */
async function live(): Promise<Secrets> {
  const stranger = as(accessContract);
  await stranger.signup({ body: { email, password: passwords.first } });
  const verification = codeIn(await lastLink(/verif/));
  await stranger.resetPassword({ body: { email, code: verification, new_password: passwords.first } });
  const first = await stranger.login({ body: { email, password: passwords.first } });
  const signedIn = as(accessContract, first.session_token ?? '');
  const enrolment = await signedIn.startEnrolment({ body: {} });
  const enrolled = await signedIn.finishEnrolment({
    body: { session: enrolment.session, code: codeOf(enrolment.base32Secret, server) },
  });
  const session = enrolled.session_token ?? '';
  const changed = await as(accessContract, session).changePassword({ body: { new_password: passwords.second } });
  const waiting = await stranger.login({ body: { email, password: passwords.second } });
  await stranger.forgotPassword({ body: { email } });
  const reset = codeIn(await lastLink(/reset|forgot/));
  const owner = {
    userId: enrolled.user_id,
    token: changed.session_token,
    email,
  } as TestUser;
  await insertOwnAccount(server, owner);
  const { feeds } = await as(calendarContract, changed.session_token).publishFeed({ params: { content: 'busy' } });
  const backupCodes = Object.fromEntries(enrolled.backupCodes.map((code, at) => [`backup code ${at + 1}`, code]));
  return {
    'first password': passwords.first,
    'second password': passwords.second,
    'session token': changed.session_token,
    'session token before': session,
    'challenge of a sign-in': waiting.session ?? '',
    'challenge of the enrolment': enrolment.session,
    'key of the authenticator': enrolment.base32Secret,
    'code of the verification': verification,
    'code of the reset': reset,
    'password of a calendar account': appPassword,
    'address of a feed': feeds[0]?.url?.split('/').at(-1)?.replace('.ics', '') ?? '',
    ...backupCodes,
  };
}

const signIn = () => as(accessContract).login({ body: { email, password: passwords.second } });
/** Returns the code of the next time step, because the current one is used up. */
const rightCode = () => codeOf(secrets['key of the authenticator'] ?? '', server, 1);

test('a database dump contains no token, code, or password in any encoding', async () => {
  const dump = await dumpDatabase(server.app.db);
  // the searched data is in the dump
  expect(findInDump(dump, email)).not.toEqual([]);
  for (const table of ['access.passwords', 'access.totp', 'access.backup_codes', 'access.challenges', 'platform.mails'])
    expect(dump.get(table)?.length, table).toBeGreaterThan(0);
  for (const [what, secret] of Object.entries(secrets)) {
    expect(secret, what).not.toBe('');
    expect(findInDump(dump, secret), what).toEqual([]);
  }
});

test('the debug logs contain no token, code, or password', async () => {
  expect(logs.length).toBeGreaterThan(1_000);
  for (const [what, secret] of Object.entries(secrets)) expect(holdsText(logs, secret), what).toBe(false);
});

test('no value in a database dump works as a session, code, challenge, or feed address', async () => {
  const text = [...(await dumpDatabase(server.app.db)).values()].flat().join('\n');
  const words = new Set<string>();
  for (const [word] of text.matchAll(/[A-Za-z0-9_+/=.$,-]{16,400}/g)) {
    words.add(word);
    const hex = /^(?:\\\\?x)?((?:[0-9a-f]{2}){8,})$/.exec(word)?.[1];
    if (hex !== undefined) {
      words.add(Buffer.from(hex, 'hex').toString('base64url'));
      words.add(Buffer.from(hex, 'hex').toString('base64'));
    }
  }
  for (const [, hex = ''] of text.matchAll(/\\x([0-9a-f]{16,})/g)) {
    words.add(hex);
    words.add(Buffer.from(hex, 'hex').toString('base64url'));
  }
  expect(words.size).toBeGreaterThan(20);

  const tried: Record<string, number> = {};
  const refused = async (door: string, answer: Promise<{ statusCode: number }>, word: string) => {
    const { statusCode } = await answer;
    tried[door] = (tried[door] ?? 0) + 1;
    expect(statusCode, `${door} for ${word}`).toBeGreaterThanOrEqual(400);
  };
  const post = (url: string, payload: object) => server.inject({ method: 'POST', url, payload });
  const { session } = await signIn();
  for (const word of words) {
    await sql`delete from platform.limits`.execute(server.app.db);
    await refused(
      'bearer',
      server.inject({ url: '/auth/profile', headers: { authorization: `Bearer ${word}` } }),
      word,
    );
    await refused(
      'cookie',
      server.inject({ url: '/auth/profile', headers: { cookie: `holdfast=${encodeURIComponent(word)}` } }),
      word,
    );
    await refused(
      'reset',
      post('/auth/password/reset', { email, code: word.slice(0, 100), new_password: passwords.third }),
      word,
    );
    await refused('verification', post('/auth/verify-email', { email, code: word.slice(0, 100) }), word);
    await refused('challenge', post('/auth/mfa/verify', { session: word.slice(0, 200), code: rightCode() }), word);
    await refused('feed', server.inject({ url: `/feeds/${encodeURIComponent(word)}.ics` }), word);
    // with a challenge that is good, and stays so
    await sql`update access.challenges set attempts = 0`.execute(server.app.db);
    await refused('backup code', post('/auth/mfa/backup/consume', { session, code: word.slice(0, 60) }), word);
  }
  expect(Object.keys(tried)).toHaveLength(7);
});

test('real secrets work where values from a database dump are refused', async () => {
  await sql`delete from platform.limits`.execute(server.app.db);
  const profile = await server.inject({
    url: '/auth/profile',
    headers: { authorization: `Bearer ${secrets['session token']}` },
  });
  expect(profile.statusCode).toBe(200);
  expect((await server.inject({ url: `/feeds/${secrets['address of a feed']}.ics` })).statusCode).toBe(200);
  const { session } = await signIn();
  const verified = await as(accessContract).verifyMfa({ body: { session: session ?? '', code: rightCode() } });
  expect(verified.session_token).not.toBeNull();
  const backup = await as(accessContract).consumeBackupCode({
    body: { session: secrets['challenge of a sign-in'] ?? '', code: secrets['backup code 1'] ?? '' },
  });
  expect(backup.session_token).not.toBeNull();
  const reset = await as(accessContract).resetPassword({
    body: { email, code: secrets['code of the reset'] ?? '', new_password: passwords.third },
  });
  expect(reset.message).not.toBe('');
});
