import { type LaunchedEmulator, launch as launchCaldav } from '../../src/emulators/caldav/launch.ts';
import { endpointsAt, type LaunchedGoogle, launchGoogle } from '../../src/emulators/google/launch.ts';
import { launchMicrosoft, type MicrosoftEmulator } from '../../src/emulators/microsoft/launch.ts';
import { connectionsContract } from '../../src/features/connections/contract.ts';
import { findOAuthAccess } from '../../src/features/connections/find-oauth-access.ts';
import { keepGrant } from '../../src/features/connections/keep-grant.ts';
import { redirectUriOf } from '../../src/features/connections/rules/oauth-return.ts';
import type { CalendarId, UserId } from '../../src/kernel/ids.ts';
import { finishAuthorization, startAuthorization } from '../../src/platform/oauth.ts';
import type { OAuthProviderName } from '../../src/providers/registry.ts';
import type { TestApp } from './test-app.ts';
import type { TestUser } from './test-client.ts';

/** Google, Microsoft and a CalDAV server on ports of this machine, as an operator would configure the real ones. */
export interface ThreeProviders {
  caldav: LaunchedEmulator;
  google: LaunchedGoogle;
  microsoft: MicrosoftEmulator;
  /** The same as environment of a process. */
  env: Record<string, string>;
  /** Makes an account with one empty calendar and connects it, without the way through a browser. */
  connect(server: TestApp, person: TestUser, provider: OAuthProviderName, name: string): Promise<ConnectedCalendar>;
  connectCaldav(person: TestUser, name: string): Promise<ConnectedCalendar>;
  close(): Promise<void>;
}

export interface ConnectedCalendar {
  accountId: string;
  calendarId: CalendarId;
}

const client = { clientId: 'holdfast.example', clientSecret: 'emulated-secret' };

export async function launchThreeProviders(publicUrl: string): Promise<ThreeProviders> {
  const [caldav, google, microsoft] = await Promise.all([launchCaldav(), launchGoogle(), launchMicrosoft()]);
  const { clientId, clientSecret: secret } = client;
  await google.control.knobs({
    clients: { [clientId]: { secret, redirectUris: [redirectUriOf(publicUrl, 'google')] } },
  });
  await microsoft.control.seed({ apps: [{ clientId, secret, redirectUris: [redirectUriOf(publicUrl, 'microsoft')] }] });
  const { authorizeUrl, tokenUrl, revokeUrl, jwksUrl, issuer } = endpointsAt(google.baseUrl, clientId, secret);

  const connect = async (server: TestApp, person: TestUser, provider: OAuthProviderName, name: string) => {
    const account = `${name}@${provider}.example`;
    if (provider === 'google') await google.control.seed({ account, timeZone: 'Europe/Berlin', calendars: [{}] });
    else await microsoft.control.seed({ account, calendars: [{ key: 'calendar', name: 'Calendar', isDefault: true }] });
    const { app } = server;
    const kind = { provider, profile: 'generic' };
    const access = await findOAuthAccess(app, kind);
    if (access === null) throw new Error(`${provider} is not configured`);
    const redirectUri = redirectUriOf(publicUrl, provider);
    const { url, challenge } = await startAuthorization(access.client, {
      redirectUri,
      scopes: access.scopes,
      loginHint: account,
    });
    const form = new URLSearchParams({ account, decision: 'allow' });
    for (const scope of new URL(url).searchParams.get('scope')?.split(' ') ?? []) form.append('scope', scope);
    const answer = await fetch(url, { method: 'POST', body: form, redirect: 'manual' });
    const parameters = new URL(answer.headers.get('location') ?? '').searchParams;
    const calls = { fetch: app.apiFetch, nowMs: () => app.clock.nowMs() };
    const granted = await finishAuthorization(calls, access.client, { parameters, redirectUri, challenge });
    const { id } = await keepGrant(app, person.userId as UserId, { ...kind, accountId: null }, access, granted);
    return calendarOf(person, id);
  };

  return {
    caldav,
    google,
    microsoft,
    env: {
      CALDAV_ALLOW_PRIVATE: new URL(caldav.url).host,
      GOOGLE_CLIENT_ID: clientId,
      GOOGLE_CLIENT_SECRET: secret,
      GOOGLE_API_URL: google.baseUrl,
      GOOGLE_AUTHORIZE_URL: authorizeUrl,
      GOOGLE_TOKEN_URL: tokenUrl,
      GOOGLE_REVOKE_URL: revokeUrl,
      GOOGLE_JWKS_URL: jwksUrl,
      GOOGLE_ISSUER: issuer,
      MICROSOFT_CLIENT_ID: clientId,
      MICROSOFT_CLIENT_SECRET: secret,
      MICROSOFT_API_URL: `${microsoft.baseUrl}/v1.0`,
      MICROSOFT_LOGIN_URL: microsoft.baseUrl,
    },
    connect,
    async connectCaldav(person, name) {
      await caldav.seed([{ user: name, calendar: 'work', objects: [] }]);
      const { account } = await person.as(connectionsContract).connectCaldav({
        body: { profile: 'generic', url: caldav.url, username: name, password: 'secret' },
      });
      return calendarOf(person, account.accountId);
    },
    close: async () => void (await Promise.all([caldav.stop(), google.close(), microsoft.close()])),
  };
}

async function calendarOf(person: TestUser, accountId: string): Promise<ConnectedCalendar> {
  const { calendars } = await person.as(connectionsContract).listIntegrationCalendars();
  const own = calendars.find((one) => one.accountId === accountId);
  if (own === undefined) throw new Error('the account has no calendar');
  return { accountId, calendarId: own.calendarId as CalendarId };
}
