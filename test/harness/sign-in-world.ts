import { launchGoogle } from '#emulators/google/launch.ts';
import { launchMicrosoft } from '#emulators/microsoft/launch.ts';
import { systemClock } from '#platform/clock.ts';
import { type Config, loadConfig } from '#platform/config.ts';
import { createLog } from '#platform/log.ts';
import { type Browser, openBrowser, testUrl } from './browser.ts';
import { startTestApp, type TestApp } from './test-app.ts';

type Provider = 'google' | 'microsoft';

/** The product with Google and Microsoft set up as an operator would, at emulators. */
export interface SignInWorld {
  server: TestApp;
  google: Awaited<ReturnType<typeof launchGoogle>>;
  microsoft: Awaited<ReturnType<typeof launchMicrosoft>>;
  /** What the log says, line by line. */
  lines: string[];
  /** The product's clock goes so far ahead of this machine's. */
  goAhead(ms: number): void;
  close(): Promise<void>;
}

export async function startSignInWorld(more: Partial<Config> = {}): Promise<SignInWorld> {
  const [google, microsoft] = await Promise.all([launchGoogle(), launchMicrosoft()]);
  const { clientId, clientSecret, ...endpoints } = google.endpoints;
  const redirectUrisOf = (provider: Provider) => [
    `${testUrl}/provider/${provider}/callback`,
    `${testUrl}/auth/oauth/${provider}/callback`,
  ];
  await google.control.knobs({
    clients: { [clientId]: { secret: clientSecret, redirectUris: redirectUrisOf('google') } },
  });
  await microsoft.control.seed({
    apps: [{ clientId: 'holdfast', secret: 'secret', redirectUris: redirectUrisOf('microsoft') }],
  });
  const config = loadConfig({
    NODE_ENV: 'test',
    PUBLIC_URL: testUrl,
    GOOGLE_CLIENT_ID: clientId,
    GOOGLE_CLIENT_SECRET: clientSecret,
    GOOGLE_API_URL: google.baseUrl,
    GOOGLE_AUTHORIZE_URL: endpoints.authorizeUrl,
    GOOGLE_TOKEN_URL: endpoints.tokenUrl,
    GOOGLE_REVOKE_URL: endpoints.revokeUrl,
    GOOGLE_JWKS_URL: endpoints.jwksUrl,
    GOOGLE_ISSUER: endpoints.issuer,
    MICROSOFT_CLIENT_ID: 'holdfast',
    MICROSOFT_CLIENT_SECRET: 'secret',
    MICROSOFT_API_URL: microsoft.urls.graphBase,
    MICROSOFT_LOGIN_URL: microsoft.baseUrl,
  });
  let aheadMs = 0;
  const nowMs = () => systemClock.nowMs() + aheadMs;
  const clock = { ...systemClock, nowMs, now: () => Temporal.Instant.fromEpochMilliseconds(nowMs()) };
  const lines: string[] = [];
  const log = await createLog({
    level: 'info',
    format: 'json',
    destination: { write: (line) => void lines.push(line) },
  });
  const server = await startTestApp({ config: { ...config, ...more }, clock, log });
  return {
    server,
    google,
    microsoft,
    lines,
    goAhead(ms) {
      aheadMs = ms;
    },
    async close() {
      await server.close();
      await Promise.all([google.close(), microsoft.close()]);
    },
  };
}

/** What a person does on the provider's page; gives where the browser is sent then. */
export async function answerThere(authorization: URL, account: string, decision = 'allow'): Promise<URL> {
  const form = new URLSearchParams({ account, decision });
  const response = await fetch(authorization, { method: 'POST', body: form, redirect: 'manual' });
  return new URL(response.headers.get('location') ?? '');
}

/** To the provider and back, as far as our page, which has to exchange what it gets. */
export async function comeBack(browser: Browser, provider: Provider, account: string, query = ''): Promise<URL> {
  const { location } = await browser.go(`/auth/oauth/${provider}/login${query}`);
  return (await browser.go((await answerThere(location, account)).href)).location;
}

export interface SignedIn {
  status: number;
  body: Record<string, unknown>;
}

/** All of it: what `POST /auth/oauth/exchange` answers. */
export async function signInAt(
  { server }: Pick<SignInWorld, 'server'>,
  provider: Provider,
  account: string,
  how: { browser?: Browser; query?: string } = {},
): Promise<SignedIn & { browser: Browser }> {
  const browser = how.browser ?? openBrowser(server);
  const page = await comeBack(browser, provider, account, how.query);
  return { ...(await exchange(browser, page)), browser };
}

export function exchange(browser: Browser, page: URL): Promise<SignedIn> {
  const { token, provider } = Object.fromEntries(page.searchParams);
  return browser.post('/auth/oauth/exchange', { token, provider });
}
