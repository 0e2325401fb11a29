import { afterEach, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestAppOptions } from '../../../../test/harness/test-app.ts';
import { clientOf, signUpUser, testPassword } from '../../../../test/harness/test-client.ts';
import { accessContract } from '../contract.ts';
import { findSetUpLink } from './registration.ts';

let server: TestApp;
afterEach(() => server.close());

async function start(config: TestAppOptions['config']) {
  server = await startTestApp({ role: 'web', config });
  return server.app;
}

const signUp = (email: string, setup?: string) =>
  clientOf(server, accessContract).signup({ body: { email, password: testPassword, ...(setup ? { setup } : {}) } });
const roleOf = async (email: string) =>
  (await server.app.db.selectFrom('accounts.users').select('role').where('email', '=', email).executeTakeFirstOrThrow())
    .role;
const tokenOf = (link: string | null) => new URL(link ?? '').searchParams.get('setup') ?? '';

test('the first account of a local install becomes administrator, and the sign-up shows where to read its mail', async () => {
  const app = await start({ hasPublicUrl: false, showsMail: true });
  expect(await findSetUpLink(app)).toBeNull();
  expect((await signUp('first@example.org')).mailAt).toBe('/dev/mail');
  await signUp('second@example.org');
  expect([await roleOf('first@example.org'), await roleOf('second@example.org')]).toEqual(['admin', 'user']);
});

test('the set-up link of a public server creates exactly one administrator, and signing up first creates none', async () => {
  const app = await start({});
  await signUp('early@example.org');
  expect(await roleOf('early@example.org')).toBe('user');
  const link = await findSetUpLink(app);
  expect(link).toMatch(/^http:\/\/localhost\/signup\?setup=[\w-]{43}$/);
  const refusal = { status: 403, code: 'SET_UP_ENDED' };
  await expect(signUp('guess@example.org', 'x'.repeat(43))).rejects.toMatchObject(refusal);
  // An address that is taken does not spend it.
  await expect(signUp('early@example.org', tokenOf(link))).rejects.toMatchObject({ code: 'EMAIL_EXISTS' });

  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, (_, n) => signUp(`operator${n}@example.org`, tokenOf(link))),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const admins = await app.db.selectFrom('accounts.users').select('id').where('role', '=', 'admin').execute();
  expect(admins).toHaveLength(1);
  expect(await findSetUpLink(app)).toBeNull();
  // Not even once its administrator has gone.
  await app.db.deleteFrom('accounts.users').where('role', '=', 'admin').execute();
  expect(await findSetUpLink(app)).toBeNull();
  await expect(signUp('late@example.org', tokenOf(link))).rejects.toMatchObject(refusal);
});

test('a server that has an administrator offers no set-up link', async () => {
  const app = await start({});
  const link = await findSetUpLink(app);
  await signUpUser(server, 'granted@example.org');
  expect(await roleOf('granted@example.org')).toBe('admin');
  expect(await findSetUpLink(app)).toBeNull();
  await expect(signUp('late@example.org', tokenOf(link))).rejects.toMatchObject({ code: 'SET_UP_ENDED' });
});
