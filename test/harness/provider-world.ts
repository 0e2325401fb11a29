import { randomBytes } from 'node:crypto';
import { type CaldavEmulator, createCaldav } from '../../src/emulators/caldav/emulator.ts';
import type { QuirkProfile } from '../../src/emulators/caldav/quirks.ts';
import { connectRemote, type RemoteEmulator } from '../../src/emulators/caldav/remote.ts';
import { type Clock, createClock } from '../../src/emulators/kit/clock.ts';
import { listen } from '../../src/emulators/kit/listen.ts';
import { connectionsContract } from '../../src/features/connections/contract.ts';
import { syncContract } from '../../src/features/sync/contract.ts';
import type { CalendarId } from '../../src/kernel/ids.ts';
import type { Log } from '../../src/platform/log.ts';
import type { FixedClock } from './fixed-clock.ts';
import { freePort } from './free-port.ts';
import { giveConsent } from './give-consent.ts';
import { launchOAuthProviders, type OAuthProviders } from './oauth-providers.ts';
import { startTestApp, type TestApp } from './test-app.ts';
import { signUpUser, type TestUser } from './test-client.ts';
import { waitFor } from './wait-for.ts';

export interface Connected {
  accountId: string;
  /** In the order in which the provider lists them. */
  calendars: { calendarId: CalendarId; name: string }[];
}

export type ProviderName = 'google' | 'microsoft';

/**
 * The product with an emulated Google, Microsoft and CalDAV server, over real sockets: accounts are connected by OAuth,
 * notices arrive at the product's own port.
 */
export interface ProviderWorld {
  server: TestApp;
  person: TestUser;
  google: OAuthProviders['google'];
  microsoft: OAuthProviders['microsoft'];
  /** A CalDAV server beside them, which sends no notices. */
  caldav: RemoteEmulator;
  caldavEmulator: CaldavEmulator;
  /** Signs in at the provider as this account and gives access; what the browser came back with. */
  consent(provider: ProviderName, account: string, accountId?: string): Promise<URLSearchParams>;
  /** The same, and the account as it then stands. */
  connect(provider: ProviderName, account: string): Promise<Connected>;
  /** An account of the CalDAV server, its password `secret`. */
  connectCaldav(username: string): Promise<Connected>;
  /** All of these calendars block each other. */
  mirror(calendarIds: CalendarId[], rule?: object): Promise<void>;
  /** A further process that works on the same database. */
  openWorker(): Promise<TestApp>;
  /** Waits until no job runs or is due, and no notice is on its way to the product. */
  settle(): Promise<void>;
  /** Reads every account and lets everything that follows from it happen. */
  pass(): Promise<void>;
  close(): Promise<void>;
}

export interface ProviderWorldOptions {
  /** Both sides live by it; absent: real time. */
  clock?: FixedClock;
  /** Server profile of the CalDAV emulator. */
  caldavProfile?: QuirkProfile;
  /** Notices are sent; default true. */
  push?: boolean;
  /** Silent by default. */
  log?: Log;
}

export async function startProviderWorld(options: ProviderWorldOptions = {}): Promise<ProviderWorld> {
  const { clock } = options;
  const emulated = (): Clock => (clock === undefined ? createClock() : createClock(null, () => clock.nowMs()));
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const oauth = await launchOAuthProviders(publicUrl, emulated);
  const { google, microsoft } = oauth;
  const servedCaldav = createCaldav(emulated(), options.caldavProfile);
  const caldav = await listen(servedCaldav);
  if (options.push === false) {
    for (const { control } of [google, microsoft]) await control.deliver({ do: 'lose', share: 1 });
  }
  const ofAll = {
    encryptionKeys: `test:${randomBytes(32).toString('base64')}`,
    ...(clock === undefined ? {} : { clock }),
    ...(options.log === undefined ? {} : { log: options.log }),
    config: {
      port,
      publicUrl,
      caldavAllowPrivate: [new URL(caldav.url).host],
      ...oauth.config,
    },
  };
  const server = await startTestApp(ofAll);
  await server.listen();
  const person = await signUpUser(server, 'person@example.org');
  const connections = person.as(connectionsContract);
  const sync = person.as(syncContract);

  const deliveries = [google, microsoft].map(({ emulator }) => emulator.deliveries);
  const countNotices = () => deliveries.reduce((sum, one) => sum + one.list().length, 0);

  const consent: ProviderWorld['consent'] = (provider, account, accountId) =>
    giveConsent(publicUrl, person.token, { provider, account, accountId });

  const calendarsOf = async (accountId: string): Promise<Connected['calendars']> => {
    const { calendars } = await connections.listIntegrationCalendars();
    return calendars
      .filter((one) => one.accountId === accountId)
      .map((one) => ({ calendarId: one.calendarId as CalendarId, name: one.name }));
  };

  const world: ProviderWorld = {
    server,
    person,
    google,
    microsoft,
    caldav: connectRemote(caldav.url),
    caldavEmulator: servedCaldav.emulator,
    consent,
    async connect(provider, account) {
      const before = new Set((await connections.listAccounts()).accounts.map((one) => one.accountId));
      const outcome = await consent(provider, account);
      if (outcome.get('status') !== 'success') throw new Error(`not connected: ${outcome.toString()}`);
      const { accounts } = await connections.listAccounts();
      const accountId = accounts.find((one) => !before.has(one.accountId))?.accountId ?? '';
      return { accountId, calendars: await calendarsOf(accountId) };
    },
    async connectCaldav(username) {
      const { account } = await connections.connectCaldav({
        body: { profile: 'generic', url: caldav.url, username, password: 'secret' },
      });
      return { accountId: account.accountId, calendars: await calendarsOf(account.accountId) };
    },
    async mirror(calendarIds, rule = {}) {
      const members = calendarIds.map((calendarId) => ({ calendarId, isSource: true, isTarget: true }));
      await sync.createGroup({ body: { name: 'All', enabled: true, rule, members, pairs: [] } });
      await world.settle();
    },
    openWorker: () => startTestApp({ ...ofAll, role: 'worker', database: server.database }),
    async settle() {
      // A job causes notices, and a notice causes jobs.
      await waitFor(
        'an empty job queue and no notice on its way',
        async () => {
          const noticesBefore = countNotices();
          await server.settle(60_000);
          return !deliveries.some((one) => one.isBusy()) && countNotices() === noticesBefore;
        },
        { timeoutMs: 60_000, intervalMs: 5 },
      );
    },
    async pass() {
      const { accounts } = await connections.listAccounts();
      for (const { accountId, disconnecting, needsReconnect } of accounts) {
        if (!disconnecting && !needsReconnect) await sync.syncAccount({ params: { accountId } });
      }
      await world.settle();
    },
    async close() {
      await server.close();
      await oauth.close();
      await caldav.close();
    },
  };
  return world;
}

/** An event in an emulator's answer. */
export type Json = Record<string, unknown>;
