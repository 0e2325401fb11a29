import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectionsContract } from '#features/connections/contract.ts';
import { type Browser, openBrowser, testUrl } from './harness/browser.ts';
import { answerThere, type Decision } from './harness/give-consent.ts';
import { launchOAuthProviders, type OAuthProviders } from './harness/oauth-providers.ts';
import { startTestApp, type TestApp } from './harness/test-app.ts';
import { signUpUser, type TestUser } from './harness/test-client.ts';

/** Connecting by OAuth as a browser does it: what comes back to the page, and what is stored. */

let providers: OAuthProviders;
let server: TestApp;
let people = 0;
let dana: TestUser;

beforeAll(async () => {
  providers = await launchOAuthProviders(testUrl);
  const { google, microsoft, config } = providers;
  await microsoft.control.seed({ account: 'dana@contoso.example', demo: true });
  await google.control.seed({ account: 'dana@gmail.example', demo: true });
  await google.control.seed({ account: 'work@gmail.example', demo: true });
  server = await startTestApp({ config });
});
afterAll(async () => {
  await server?.close();
  await providers?.close();
});
beforeEach(async () => {
  people += 1;
  dana = await signUpUser(server, `dana${people}@example.org`);
});

const outcomeOf = ({ location }: { location: URL }) => ({
  page: location.origin + location.pathname,
  ...Object.fromEntries(location.searchParams),
});

async function connect(
  browser: Browser,
  account: string,
  options: Decision & { provider?: string; accountId?: string } = {},
) {
  const { provider = 'google', accountId, ...how } = options;
  const query = accountId === undefined ? '' : `?accountId=${accountId}`;
  const { location } = await browser.go(`/provider/${provider}/start${query}`);
  return outcomeOf(await browser.go((await answerThere(location, account, how)).href));
}

const accounts = async () => (await dana.as(connectionsContract).listAccounts({})).accounts;
const firstAccount = async () => (await accounts())[0]?.accountId ?? '';
const calendars = async () => (await dana.as(connectionsContract).listIntegrationCalendars({})).calendars;
const page = `${testUrl}/integrations`;

describe('start of an OAuth connection', () => {
  it('an OAuth connection asks for the fewest scopes and refuses a return URL on another site', async () => {
    const browser = openBrowser(server, dana.token);
    const { status, location } = await browser.go(`/provider/google/start?returnUrl=${encodeURIComponent(page)}`);
    expect([status, location.origin]).toEqual([303, providers.google.baseUrl]);
    expect(location.searchParams.get('scope')?.split(' ').toSorted()).toEqual([
      'email',
      'https://www.googleapis.com/auth/calendar.calendarlist.readonly',
      'https://www.googleapis.com/auth/calendar.events',
      'https://www.googleapis.com/auth/calendar.events.freebusy',
      'openid',
    ]);
    for (const evil of [
      'https://evil.example/integrations',
      '//evil.example',
      'http://localhost.evil.example/',
      'javascript:alert(1)',
      'http://user@localhost/x',
      'https://localhost/integrations',
      '\\\\evil.example',
    ]) {
      const refused = await openBrowser(server, dana.token).go(
        `/provider/google/start?returnUrl=${encodeURIComponent(evil)}`,
      );
      expect(outcomeOf(refused), evil).toMatchObject({
        page,
        status: 'error',
        message: expect.stringMatching(/must begin with/),
      });
    }
  });

  it('an OAuth connection ignores a session token in the URL', async () => {
    const { location } = await openBrowser(server).go(`/provider/google/start?session_token=${dana.token}`);
    expect(outcomeOf({ location })).toEqual({ page, status: 'error', message: 'Authentication required' });
  });
});

describe('callback of an OAuth connection', () => {
  it('an OAuth callback connects the account with its calendars, for any number of accounts', async () => {
    const browser = openBrowser(server, dana.token);
    expect(await connect(browser, 'dana@gmail.example')).toEqual({ page, connected: 'google', status: 'success' });
    expect(await connect(browser, 'work@gmail.example')).toMatchObject({ status: 'success' });
    expect(await connect(browser, 'dana@contoso.example', { provider: 'microsoft' })).toEqual({
      page,
      connected: 'microsoft',
      status: 'success',
    });
    expect((await accounts()).map(({ email, provider }) => `${provider} ${email}`)).toEqual([
      'google dana@gmail.example',
      'google work@gmail.example',
      'outlook dana@contoso.example',
    ]);
    expect((await calendars()).length).toBeGreaterThanOrEqual(6);
    expect(browser.cookies.has('holdfast-note')).toBe(false);
  });

  it('an OAuth callback for a connected account reconnects it and keeps its calendars', async () => {
    const browser = openBrowser(server, dana.token);
    await connect(browser, 'dana@gmail.example');
    const before = await calendars();
    await connect(browser, 'dana@gmail.example');
    expect(await accounts()).toHaveLength(1);
    expect((await calendars()).map(({ calendarId }) => calendarId)).toEqual(before.map(({ calendarId }) => calendarId));
  });

  it('a reconnection with another account changes nothing and names both accounts', async () => {
    const browser = openBrowser(server, dana.token);
    await connect(browser, 'dana@gmail.example');
    const accountId = await firstAccount();
    const outcome = await connect(browser, 'work@gmail.example', { accountId });
    expect(outcome).toMatchObject({
      status: 'error',
      message: expect.stringMatching(/signed in as work@gmail\.example, but you were reconnecting dana@gmail\.example/),
    });
    expect(await accounts()).toHaveLength(1);
  });

  it('an account connected without a required scope is incomplete until the scope is granted', async () => {
    const browser = openBrowser(server, dana.token);
    // a person nobody has asked before: what was granted once is granted with every later yes
    const account = `new${people}@gmail.example`;
    await providers.google.control.seed({ account, demo: true });
    const outcome = await connect(browser, account, { without: 'calendar.events' });
    expect(outcome).toMatchObject({
      status: 'error',
      message: expect.stringMatching(/permissions are missing: “View and edit events on all your calendars”/),
    });
    const [incomplete] = await accounts();
    expect(incomplete).toMatchObject({
      needsReconnect: true,
      message: expect.stringMatching(/permissions are missing/),
    });
    expect(await calendars()).toEqual([]);
    expect(await connect(browser, account, { accountId: incomplete?.accountId ?? '' })).toMatchObject({
      status: 'success',
    });
    expect(await accounts()).toMatchObject([{ needsReconnect: false, message: null }]);
    expect((await calendars()).length).toBeGreaterThan(0);
  });

  it('a denied consent connects nothing', async () => {
    const browser = openBrowser(server, dana.token);
    const message = expect.stringMatching(/didn.t give Holdfast access to Google/);
    expect(await connect(browser, 'dana@gmail.example', { decision: 'deny' })).toMatchObject({
      page,
      status: 'error',
      message,
    });
    // the page shows what the server says, once, and nothing of its address
    expect((await browser.post('/api/connections/outcome', {})).body).toEqual({ message });
    expect((await browser.post('/api/connections/outcome', {})).body).toEqual({ message: null });
    expect(await accounts()).toEqual([]);
  });

  it.each([
    ['in another browser', async (back: URL) => openBrowser(server, dana.token).go(back.href)],
    [
      'as somebody else in the same browser',
      async (back: URL, browser: Browser) => {
        browser.cookies.set('holdfast', (await signUpUser(server, `other${people}@example.org`)).token);
        return browser.go(back.href);
      },
    ],
    [
      'at the callback of the other provider',
      async (back: URL, browser: Browser) => browser.go(back.href.replace('/google/', '/microsoft/')),
    ],
    [
      'with a state of its own',
      async (back: URL, browser: Browser) => {
        back.searchParams.set('state', 'mine');
        return browser.go(back.href);
      },
    ],
    ['with nothing but a fragment', async (back: URL, browser: Browser) => browser.go(back.origin + back.pathname)],
  ])('an OAuth callback %s is refused, and nothing is connected', async (_, arrive) => {
    const browser = openBrowser(server, dana.token);
    const { location } = await browser.go('/provider/google/start');
    const outcome = outcomeOf(await arrive(await answerThere(location, 'dana@gmail.example'), browser));
    expect(outcome).toMatchObject({
      page,
      status: 'error',
      message: expect.stringMatching(/started in another browser/),
    });
    expect(await accounts()).toEqual([]);
  });

  it('an OAuth callback used twice is refused the second time', async () => {
    const browser = openBrowser(server, dana.token);
    const { location } = await browser.go('/provider/google/start');
    const note = browser.cookies.get('holdfast-note') ?? '';
    const back = await answerThere(location, 'dana@gmail.example');
    expect(outcomeOf(await browser.go(back.href))).toMatchObject({ status: 'success' });
    browser.cookies.set('holdfast-note', note);
    expect(outcomeOf(await browser.go(back.href))).toMatchObject({
      status: 'error',
      message: expect.stringMatching(/started in another browser/),
    });
  });

  it('an OAuth callback says when the provider refuses the registration of this server', async () => {
    await providers.google.control.addFaults({ name: 'G3', op: 'token.code' });
    const outcome = await connect(openBrowser(server, dana.token), 'dana@gmail.example');
    await providers.google.control.clearFaults();
    expect(outcome).toMatchObject({
      status: 'error',
      message: expect.stringMatching(/doesn.t accept this server's registration/),
    });
    expect(await accounts()).toEqual([]);
  });
});

describe('disconnection of an OAuth account', () => {
  it('a disconnected Google account is revoked at Google, and its tokens are deleted', async () => {
    const account = `leaver${people}@gmail.example`;
    await providers.google.control.seed({ account, demo: true });
    await connect(openBrowser(server, dana.token), account);
    const accountId = await firstAccount();
    await dana.as(connectionsContract).disconnect({ params: { accountId } });
    await expect.poll(accounts).toEqual([]);
    await server.settle();
    expect((await providers.google.control.snapshot()).accounts[account]).toMatchObject({ refreshTokens: 0 });
    const { rows } = await sql`
      select connection_id from connections.tokens where connection_id = ${accountId}
      union all select id from connections.revocations`.execute(server.app.db);
    expect(rows).toEqual([]);
  });

  it('a disconnected account keeps a Google grant that another user of the server needs', async () => {
    const account = `shared${people}@gmail.example`;
    await providers.google.control.seed({ account, demo: true });
    const other = await signUpUser(server, `flatmate${people}@example.org`);
    await connect(openBrowser(server, other.token), account);
    await connect(openBrowser(server, dana.token), account);
    const accountId = await firstAccount();
    await dana.as(connectionsContract).disconnect({ params: { accountId } });
    await expect.poll(accounts).toEqual([]);
    await server.settle();
    expect((await providers.google.control.snapshot()).accounts[account]?.refreshTokens).toBeGreaterThan(0);
  });
});
