import { systemClock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { createLog } from '#platform/log.ts';
import { type Browser, openBrowser, testUrl } from './browser.ts';
import { answerThere } from './give-consent.ts';
import { launchOAuthProviders, type OAuthProviders } from './oauth-providers.ts';
import { startTestApp, type TestApp } from './test-app.ts';

type Provider = 'google' | 'microsoft';

/** The product with Google and Microsoft set up as an operator would, at emulators. */
export interface SignInWorld {
  server: TestApp;
  google: OAuthProviders['google'];
  microsoft: OAuthProviders['microsoft'];
  /** Lines of the log. */
  lines: string[];
  /** The product's clock goes so far ahead of this machine's. */
  goAhead(ms: number): void;
  close(): Promise<void>;
}

export async function startSignInWorld(more: Partial<Config> = {}): Promise<SignInWorld> {
  const { google, microsoft, config, close } = await launchOAuthProviders(testUrl);
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
      await close();
    },
  };
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
