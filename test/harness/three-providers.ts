import { type LaunchedEmulator, launch as launchCaldav } from '../../src/emulators/caldav/launch.ts';
import { connectionsContract } from '../../src/features/connections/contract.ts';
import { findOAuthAccess } from '../../src/features/connections/oauth/access.ts';
import { saveGrant } from '../../src/features/connections/oauth/oauth.ts';
import { redirectUriOf } from '../../src/features/connections/oauth/rules.ts';
import type { CalendarId, UserId } from '../../src/kernel/ids.ts';
import type { Config } from '../../src/platform/config.ts';
import { finishAuthorization, startAuthorization } from '../../src/platform/oauth.ts';
import type { OAuthProviderName } from '../../src/providers/registry.ts';
import { answerThere } from './give-consent.ts';
import { launchOAuthProviders, type OAuthProviders } from './oauth-providers.ts';
import type { TestApp } from './test-app.ts';
import type { TestUser } from './test-client.ts';

/** A CalDAV server beside them. */
export interface ThreeProviders extends OAuthProviders {
  caldav: LaunchedEmulator;
  config: OAuthProviders['config'] & Pick<Config, 'caldavAllowPrivate'>;
  /** Makes an account with one empty calendar and connects it, without the way through a browser. */
  connect(server: TestApp, person: TestUser, provider: OAuthProviderName, name: string): Promise<ConnectedCalendar>;
  connectCaldav(person: TestUser, name: string): Promise<ConnectedCalendar>;
}

export interface ConnectedCalendar {
  accountId: string;
  calendarId: CalendarId;
}

export async function launchThreeProviders(publicUrl: string): Promise<ThreeProviders> {
  const [caldav, oauth] = await Promise.all([launchCaldav(), launchOAuthProviders(publicUrl)]);
  const { google, microsoft } = oauth;
  const { host } = new URL(caldav.url);

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
    const { searchParams: parameters } = await answerThere(new URL(url), account);
    const calls = { fetch: app.apiFetch, nowMs: () => app.clock.nowMs() };
    const granted = await finishAuthorization(calls, access.client, { parameters, redirectUri, challenge });
    const { id } = await saveGrant(app, person.userId as UserId, { ...kind, accountId: null }, access, granted);
    return calendarOf(person, id);
  };

  return {
    ...oauth,
    caldav,
    env: { ...oauth.env, CALDAV_ALLOW_PRIVATE: host },
    config: { ...oauth.config, caldavAllowPrivate: [host] },
    connect,
    async connectCaldav(person, name) {
      await caldav.seed([{ user: name, calendar: 'work', objects: [] }]);
      const { account } = await person.as(connectionsContract).connectCaldav({
        body: { profile: 'generic', url: caldav.url, username: name, password: 'secret' },
      });
      return calendarOf(person, account.accountId);
    },
    close: async () => void (await Promise.all([caldav.stop(), oauth.close()])),
  };
}

async function calendarOf(person: TestUser, accountId: string): Promise<ConnectedCalendar> {
  const { calendars } = await person.as(connectionsContract).listIntegrationCalendars();
  const own = calendars.find((one) => one.accountId === accountId);
  if (own === undefined) throw new Error('the account has no calendar');
  return { accountId, calendarId: own.calendarId as CalendarId };
}
