import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessContract } from '#features/access/contract.ts';
import { accountsContract } from '#features/accounts/contract.ts';
import { openBrowser } from './harness/browser.ts';
import { answerThere } from './harness/give-consent.ts';
import { readMails } from './harness/read-mails.ts';
import { comeBack, exchange, type SignInWorld, signInAt, startSignInWorld } from './harness/sign-in-world.ts';
import { clientOf, signUpUser } from './harness/test-client.ts';

/** Signing in and up at providers as a browser does it, and linking them to accounts. */

let world: SignInWorld;
beforeAll(async () => {
  world = await startSignInWorld();
});
afterAll(() => world?.close());

const profileOf = (token: unknown) => clientOf(world.server, accountsContract, String(token)).readAccountProfile({});

describe('provider sign-up and sign-in', () => {
  it('a Google sign-in creates an account once and finds it again', async () => {
    await world.google.control.seed({ account: 'ada@gmail.example', name: 'Ada Lovelace' });
    const first = await signInAt(world, 'google', 'ada@gmail.example', { query: '?timezone=Asia/Tokyo' });
    expect(first).toMatchObject({
      status: 200,
      body: { user: { email: 'ada@gmail.example', role: 'user' }, next: null, session: null },
    });
    expect(first.browser.cookies.get('holdfast')).toBe(first.body.session_token);
    const profile = await profileOf(first.body.session_token);
    expect(profile).toMatchObject({ email: 'ada@gmail.example', timezone: 'Asia/Tokyo' });
    const again = await signInAt(world, 'google', 'ada@gmail.example');
    expect(again.body.user_id).toBe(first.body.user_id);
    expect(again.body.session_token).not.toBe(first.body.session_token);
    expect(await readMails(world.server, 'ada@gmail.example')).toEqual([]);
  });

  it('a provider sign-in asks only for identity scopes and no offline access', async () => {
    const { location } = await openBrowser(world.server).go('/auth/oauth/google/login');
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      prompt: 'select_account',
      redirect_uri: 'http://localhost/auth/oauth/google/callback',
    });
    expect(location.searchParams.has('access_type')).toBe(false);
    expect(location.searchParams.get('nonce')?.length).toBeGreaterThan(40);
  });

  it('a provider sign-in finds the account by issuer and subject, also after its address changed', async () => {
    const { body } = await signInAt(world, 'google', 'renamed@gmail.example');
    const { users } = world.google.emulator.world;
    const user = users.get('renamed@gmail.example');
    if (user === undefined) throw new Error('nobody there');
    users.set('new-name@gmail.example', { ...user, email: 'new-name@gmail.example' });
    const again = await signInAt(world, 'google', 'new-name@gmail.example');
    expect(again.body).toMatchObject({ user_id: body.user_id, user: { email: 'renamed@gmail.example' } });
  });

  it('a Microsoft sign-in trusts the addresses of personal accounts and verified domains', async () => {
    await world.microsoft.control.seed({ account: 'grace@outlook.example', personal: true });
    await world.microsoft.control.seed({ account: 'grace@contoso.example', domainVerified: true });
    expect(await signInAt(world, 'microsoft', 'grace@outlook.example')).toMatchObject({ status: 200 });
    expect(await signInAt(world, 'microsoft', 'grace@contoso.example')).toMatchObject({ status: 200 });
  });

  it('an unverified address from a provider is confirmed by mail', async () => {
    await world.microsoft.control.seed({ account: 'kay@fabrikam.example' });
    const fields = { email: 'kay@fabrikam.example' };
    const refused = { status: 403, body: { code: 'EMAIL_NOT_VERIFIED', fields } };
    const first = await signInAt(world, 'microsoft', 'kay@fabrikam.example');
    expect(first).toMatchObject(refused);
    expect(await signInAt(world, 'microsoft', 'kay@fabrikam.example')).toMatchObject(refused);
    const mails = await readMails(world.server, 'kay@fabrikam.example');
    expect(mails).toHaveLength(1);
    const link = new URL(mails[0]?.links[0] ?? '');
    const { email = '', code = '' } = Object.fromEntries(link.searchParams);
    const opened = await first.browser.post('/auth/verify-email', { email, code });
    expect(opened.body).toMatchObject({ signed_in: true });
    expect(await signInAt(world, 'microsoft', 'kay@fabrikam.example')).toMatchObject({
      status: 200,
      body: { user: { email: 'kay@fabrikam.example' } },
    });
  });

  it('an identity of a stranger with the address of somebody else signs nobody in once its owner opens the link', async () => {
    await world.microsoft.control.seed({ account: 'owner@fabrikam.example' });
    await signInAt(world, 'microsoft', 'owner@fabrikam.example');
    const [mail] = await readMails(world.server, 'owner@fabrikam.example');
    const { email = '', code = '' } = Object.fromEntries(new URL(mail?.links[0] ?? '').searchParams);
    const owner = clientOf(world.server, accessContract);
    const opened = await owner.verifyEmail({ body: { email, code } });
    expect(opened).toMatchObject({ signed_in: false, choose_password: true });
    await owner.resetPassword({ body: { email, code, new_password: 'lantern orchard seven' } });
    expect(await signInAt(world, 'microsoft', email)).toMatchObject({ status: 409, body: { code: 'EMAIL_EXISTS' } });
  });

  it('a provider sign-up without the set-up link creates no administrator', async () => {
    const { rows } = await sql<{ role: string }>`select distinct role from accounts.users`.execute(world.server.app.db);
    expect(rows).toEqual([{ role: 'user' }]);
  });

  it('a provider sign-in never links to an existing account with the same address', async () => {
    const dana = await signUpUser(world.server, 'dana@gmail.example');
    expect(await signInAt(world, 'google', 'dana@gmail.example')).toMatchObject({
      status: 409,
      body: {
        code: 'EMAIL_EXISTS',
        message: 'This address already has an account. Sign in with your password, then link Google under Security.',
      },
    });
    expect((await dana.as(accessContract).listIdentities()).identities).toEqual([]);
  });

  it('a provider sign-in asks for the second factor and gives no session before it', async () => {
    expect((await signInAt(world, 'google', 'careful@gmail.example')).body.next).toBeNull();
    await sql`update accounts.users set mfa_enabled_at = now() where email = 'careful@gmail.example'`.execute(
      world.server.app.db,
    );
    const { status, body, browser } = await signInAt(world, 'google', 'careful@gmail.example');
    expect([status, body.next, body.session_token]).toEqual([200, 'MFA_REQUIRED', null]);
    expect(browser.cookies.has('holdfast')).toBe(false);
    for (const token of [body.session, body.session_token]) {
      await expect(profileOf(token)).rejects.toMatchObject({ status: 401 });
    }
  });

  it('a provider sign-in returns to the requested page', async () => {
    const page = await comeBack(openBrowser(world.server), 'google', 'wish@gmail.example', '?from=%2Fmeetings');
    expect([page.pathname, page.searchParams.get('provider'), page.searchParams.get('from')]).toEqual([
      '/',
      'google',
      '/meetings',
    ]);
  });

  it('a denied provider sign-in is reported on the sign-in page', async () => {
    const browser = openBrowser(world.server);
    const { location } = await browser.go('/auth/oauth/microsoft/login');
    const back = await browser.go((await answerThere(location, 'x@contoso.example', { decision: 'deny' })).href);
    expect(back.location.pathname + back.location.search).toBe('/login?problem=DENIED&provider=microsoft');
  });

  it('two concurrent provider sign-ups create one account', async () => {
    await world.google.control.seed({ account: 'twice@gmail.example' });
    const [one, other] = [openBrowser(world.server), openBrowser(world.server)];
    const pages = [
      await comeBack(one, 'google', 'twice@gmail.example'),
      await comeBack(other, 'google', 'twice@gmail.example'),
    ] as const;
    const answers = await Promise.all([exchange(one, pages[0]), exchange(other, pages[1])]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0].body.user_id).toBe(answers[1].body.user_id);
  });
});

describe('configured sign-in providers', () => {
  it('the list of sign-in providers is public', async () => {
    expect(await clientOf(world.server, accessContract).readSignInMethods()).toEqual({
      google: 'on',
      microsoft: 'on',
      apple: 'soon',
      zoho: 'soon',
    });
  });

  it('a sign-in at a provider that is not configured returns to the sign-in page', async () => {
    const { location } = await openBrowser(world.server).go('/auth/oauth/apple/login');
    expect(location.pathname + location.search).toBe('/login?problem=NOT_CONFIGURED&provider=apple');
  });
});

describe('identity linking', () => {
  async function link(token: string, provider: 'google' | 'microsoft', account: string) {
    const browser = openBrowser(world.server, token);
    const { status, body } = await browser.post('/api/account/identities', { provider });
    if (status !== 200) return { status, body, page: '' };
    const { location } = await browser.go((await answerThere(new URL(String(body.url)), account)).href);
    return { status, body, page: location.pathname + location.search };
  }

  it('a linked Google account signs in to the account of its user, whatever its address', async () => {
    const lee = await signUpUser(world.server, 'lee@example.org');
    expect((await link(lee.token, 'google', 'lee.private@gmail.example')).page).toBe('/profile/security?linked=google');
    const { identities } = await lee.as(accessContract).listIdentities();
    expect(identities).toMatchObject([{ provider: 'google', service: 'Google', label: 'lee.private@gmail.example' }]);
    const { body } = await signInAt(world, 'google', 'lee.private@gmail.example');
    expect(body).toMatchObject({ user_id: lee.userId, user: { email: 'lee@example.org' } });
    // once more changes nothing
    expect((await link(lee.token, 'google', 'lee.private@gmail.example')).page).toBe('/profile/security?linked=google');
    expect((await lee.as(accessContract).listIdentities()).identities).toHaveLength(1);
  });

  it('an identity belongs to one account only', async () => {
    const [mine, theirs] = [
      await signUpUser(world.server, 'mine@example.org'),
      await signUpUser(world.server, 'theirs@example.org'),
    ];
    await link(mine.token, 'google', 'shared@gmail.example');
    expect((await link(theirs.token, 'google', 'shared@gmail.example')).page).toBe(
      '/profile/security?problem=IDENTITY_TAKEN&provider=google',
    );
    expect((await theirs.as(accessContract).listIdentities()).identities).toEqual([]);
    expect((await signInAt(world, 'google', 'shared@gmail.example')).body.user_id).toBe(mine.userId);
  });

  it('linking and unlinking an identity require recent reauthentication', async () => {
    const { token, userId, as } = await signUpUser(world.server, 'stale@example.org');
    await link(token, 'google', 'stale@gmail.example');
    const [identity] = (await as(accessContract).listIdentities()).identities;
    await sql`update accounts.sessions set authenticated_at = now() - interval '11 minutes' where user_id = ${userId}`.execute(
      world.server.app.db,
    );
    expect(await link(token, 'google', 'other@gmail.example')).toMatchObject({
      status: 403,
      body: { code: 'REAUTHENTICATE' },
    });
    const browser = openBrowser(world.server, token);
    expect(await browser.post(`/api/account/identities/${identity?.id}`, {}, 'DELETE')).toMatchObject({
      status: 403,
      body: { code: 'REAUTHENTICATE' },
    });
  });

  it('an unlinked identity no longer signs in, and other sessions end', async () => {
    const { token, as, userId } = await signUpUser(world.server, 'leaver@example.org');
    await world.microsoft.control.seed({ account: 'leaver@contoso.example', domainVerified: true });
    await link(token, 'microsoft', 'leaver@contoso.example');
    const other = await signInAt(world, 'microsoft', 'leaver@contoso.example');
    expect(other.body.user_id).toBe(userId);
    const [identity] = (await as(accessContract).listIdentities()).identities;
    const params = { identityId: identity?.id ?? '' };
    expect((await as(accessContract).unlinkIdentity({ params })).identities).toEqual([]);
    await expect(profileOf(other.body.session_token)).rejects.toMatchObject({ status: 401 });
    expect((await profileOf(token)).user_id).toBe(userId);
    // the address is free again: a new sign-in with it is a new person
    expect((await signInAt(world, 'microsoft', 'leaver@contoso.example')).body.user_id).not.toBe(userId);
    const { rows } = await sql<{ kind: string }>`
      select kind from accounts.trail where user_id = ${userId} and kind like 'identity%' order by id`.execute(
      world.server.app.db,
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['identity-linked', 'identity-unlinked']);
    // and their mail is the alarm of whose account it is
    const mails = await readMails(world.server, 'leaver@example.org');
    expect(mails.map(({ kind }) => kind)).toEqual(['access.identity-linked', 'access.identity-unlinked']);
    for (const { content } of mails) expect(JSON.stringify(content)).toMatch(/Microsoft: leaver.*contoso/);
  });

  it('the last sign-in method cannot be unlinked, also by two concurrent requests', async () => {
    const { body } = await signInAt(world, 'google', 'only@gmail.example');
    const token = String(body.session_token);
    const api = clientOf(world.server, accessContract, token);
    const [only] = (await api.listIdentities()).identities;
    const unlink = (id = '') => api.unlinkIdentity({ params: { identityId: id } });
    await expect(unlink(only?.id)).rejects.toMatchObject({ status: 409, code: 'LAST_WAY_IN' });
    await link(token, 'google', 'second@gmail.example');
    const ids = (await api.listIdentities()).identities.map(({ id }) => id);
    expect(ids).toHaveLength(2);
    const ends = await Promise.allSettled(ids.map(unlink));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await api.listIdentities()).identities).toHaveLength(1);
  });

  it('an identity of another user cannot be unlinked', async () => {
    const [mine, theirs] = [
      await signUpUser(world.server, 'owner@example.org'),
      await signUpUser(world.server, 'nosy@example.org'),
    ];
    await link(mine.token, 'google', 'owner@gmail.example');
    const [identity] = (await mine.as(accessContract).listIdentities()).identities;
    const params = { identityId: identity?.id ?? '' };
    await expect(theirs.as(accessContract).unlinkIdentity({ params })).rejects.toMatchObject({ status: 404 });
  });
});
