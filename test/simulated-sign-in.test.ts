import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { accessContract } from '#features/access/contract.ts';
import type { Config } from '#platform/config.ts';
import { addressWithKey } from '#platform/this-machine.ts';
import { type Browser, openBrowser } from './harness/browser.ts';
import { answerThere } from './harness/give-consent.ts';
import { comeBack, exchange } from './harness/sign-in-world.ts';
import { startTestApp, type TestApp } from './harness/test-app.ts';
import { clientOf, signUpUser } from './harness/test-client.ts';

/** Sign-in at simulated providers, where anybody may choose any identity. */

let dataDir: string;
let server: TestApp;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-simulated-'));
});
afterEach(async () => {
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(config: Partial<Config> = {}) {
  const local = { simulatedProviders: true, showsMail: true, hasPublicUrl: false };
  server = await startTestApp({ config: { dataDir, ...local, ...config } });
}

async function openWithKey(sessionToken?: string): Promise<Browser> {
  const browser = openBrowser(server, sessionToken);
  await browser.go(addressWithKey(server.app, '/'));
  return browser;
}

const pageOf = ({ pathname, search }: URL) => pathname + search;
const problem = (code: string) => `/login?problem=${code}&provider=google`;

test('a browser that opened the printed address signs up and in with a simulated account', async () => {
  await start();
  const account = 'alex.morgan@gmail.example';
  const first = await exchange(...(await arrive(await openWithKey(), account)));
  expect(first).toMatchObject({ status: 200, body: { user: { email: account, role: 'admin' }, next: null } });
  const again = await exchange(...(await arrive(await openWithKey(), account)));
  expect(again.body.user_id).toBe(first.body.user_id);
});

const arrive = async (browser: Browser, account: string) =>
  [browser, await comeBack(browser, 'google', account)] as const;

test('a browser without the key of the printed address is sent to no simulated provider', async () => {
  await start();
  const { location } = await openBrowser(server).go('/auth/oauth/google/login');
  expect(pageOf(location)).toBe(problem('KEY_REQUIRED'));
  const guess = openBrowser(server);
  guess.cookies.set('holdfast-operator', 'x'.repeat(43));
  expect(pageOf((await guess.go('/auth/oauth/google/login')).location)).toBe(problem('KEY_REQUIRED'));
});

test('a return from a simulated provider without the key of the printed address signs nobody in', async () => {
  await start();
  const browser = await openWithKey();
  const { location } = await browser.go('/auth/oauth/google/login');
  const back = await answerThere(location, 'alex.morgan@gmail.example');
  browser.cookies.delete('holdfast-operator');
  expect(pageOf((await browser.go(back.href)).location)).toBe(problem('KEY_REQUIRED'));
});

test('a simulated account is linked only in a browser that opened the printed address', async () => {
  await start();
  const dana = await signUpUser(server, 'dana@example.org');
  const link = (browser: Browser) => browser.post('/api/account/identities', { provider: 'google' });
  expect(await link(openBrowser(server, dana.token))).toMatchObject({ status: 403, body: { code: 'KEY_REQUIRED' } });
  const { body } = await link(await openWithKey(dana.token));
  expect(new URL(String(body.url)).hostname).toBe('127.0.0.1');
});

test.each([
  ['with a mail server', { showsMail: false }],
  ['at an address that others reach', { publicUrl: 'https://calendar.example.org' }],
])('a server %s offers no simulated sign-in', async (_, config) => {
  await start(config);
  expect(await clientOf(server, accessContract).readSignInMethods()).toMatchObject({ google: 'off', microsoft: 'off' });
  const { location } = await openBrowser(server).go('/auth/oauth/google/login');
  expect(pageOf(location)).toBe(problem('NOT_CONFIGURED'));
});
