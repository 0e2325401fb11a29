import { randomBytes } from 'node:crypto';
import { connectionsContract } from '#features/connections/contract.ts';
import { syncContract } from '#features/sync/contract.ts';
import { channelWorkWanted, readingWanted } from '#features/sync/events.ts';
import { createClient } from '#kernel/contract-client.ts';
import type { CalendarId, ConnectionId } from '#kernel/ids.ts';
import { loadConfig } from '#platform/config.ts';
import { inTransaction } from '#platform/db.ts';
import { createHttpServer } from '#platform/http.ts';
import { createLog } from '#platform/log.ts';
import { openApp } from '#platform/open-app.ts';
import { googleCapabilities } from '#providers/google/provider.ts';
import { microsoftCapabilities } from '#providers/microsoft/provider.ts';
import { features } from '../src/features.ts';
import { freePort } from '../test/harness/free-port.ts';
import { giveConsent } from '../test/harness/give-consent.ts';
import { caldavAccount, googleAccount, type MeshAccount, microsoftAccount } from '../test/harness/mesh-accounts.ts';
import { openAccount } from '../test/harness/open-account.ts';
import { launchMeshEmulators, type MeshEmulators } from './mesh-emulators.ts';
import { eventsOf } from './mesh-events.ts';
import { openThrowAwayDatabase } from './throw-away-database.ts';

/** How far the quotas of Google and Graph are from the real ones, at the emulators and at our gates alike. */
export type Quotas =
  | { kind: 'real' }
  /** The same number of requests in a window so many times shorter. */
  | { kind: 'faster'; factor: number }
  | { kind: 'lifted' };

export interface MeshWorld {
  accounts: MeshAccount[];
  emulators: MeshEmulators;
  /** Starts the mirroring of all calendars to all others. */
  mirror(): Promise<void>;
  /** Waits until no job runs or is due, nor any row waits. */
  settle(): Promise<void>;
  /** Runs "Sync now" on every account. */
  syncAll(): Promise<void>;
  /** Runs "Sync now" on one calendar. */
  poke(account: number, calendar: number): Promise<void>;
  /** Stops the product and starts it again; what it has learned of paces is forgotten, channels follow `push`. */
  restart(how: { quotas: Quotas; push: boolean }): Promise<void>;
  /** Marks a page as open, as a person's visit does. */
  look(): Promise<void>;
  ledgerStates(): Promise<Record<string, number>>;
  close(): Promise<void>;
}

const google = { clientId: 'holdfast-bench', clientSecret: 'a-secret-of-this-bench' };
const microsoft = {
  clientId: '5f0c6c1e-0f0a-4a58-9c2b-9d1a5a1f0d11',
  clientSecret: google.clientSecret,
  tenant: 'common',
};
const realQuotas = { google: googleCapabilities.quota, microsoft: microsoftCapabilities.quota };

/** Two accounts of Google, a mailbox of Microsoft and a CalDAV account, three calendars each, connected and read. */
export async function openMeshWorld(perCalendar: number, quotas: Quotas): Promise<MeshWorld> {
  const database = await openThrowAwayDatabase();
  const emulators = await launchMeshEmulators();
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const encryptionKeys = `bench:${randomBytes(32).toString('base64')}`;
  await register(emulators, publicUrl);

  const start = async (how: { quotas: Quotas; push: boolean }) => {
    await setQuotas(emulators, how.quotas);
    // a server that is not reachable from outside gets no notices
    return openProduct(emulators, database.url, encryptionKeys, port, how.push ? publicUrl : 'http://holdfast.example');
  };
  let product = await start({ quotas, push: true });

  const { token } = await openAccount(product.app, 'bench@example.org');
  const own = {
    fetch: ((path: string, init?: RequestInit) => fetch(`${publicUrl}${path}`, init)) as typeof fetch,
    headers: () => ({ authorization: `Bearer ${token}` }),
  };
  const connections = createClient(connectionsContract, own);
  const sync = createClient(syncContract, own);

  const kinds = ['work', 'home', 'club'];
  const accounts = [
    googleAccount(emulators.google.control, 'ada@google.example', kinds),
    googleAccount(emulators.google.control, 'ben@google.example', kinds),
    microsoftAccount(emulators.microsoft.control, 'cleo@outlook.example', kinds),
    caldavAccount(emulators.caldav, 'dora', kinds),
  ];
  const members: string[][] = [];
  const accountIds: string[] = [];
  for (const [n, account] of accounts.entries()) {
    const { provider, name } = account;
    for (const [m, calendar] of account.calendars.entries()) {
      await account.seed(calendar, eventsOf(name, m, perCalendar, 10 * n + m + 1));
    }
    if (provider === 'caldav') {
      const body = { profile: 'generic' as const, url: emulators.caldav.url, username: name, password: 'secret' };
      await connections.connectCaldav({ body });
    } else await giveConsent(publicUrl, token, { provider, account: name });
    const { calendars } = await connections.listIntegrationCalendars();
    const fresh = calendars.filter(({ accountId }) => !accountIds.includes(accountId));
    if (fresh.length !== account.calendars.length) throw new Error(`${name} shows ${fresh.length} calendars`);
    accountIds.push(fresh[0]?.accountId ?? '');
    members.push(account.calendars.map((key, m) => idOfCalendar(fresh, key, m)));
  }

  const world: MeshWorld = {
    accounts,
    emulators,
    async mirror() {
      const all = members.flat().map((calendarId) => ({ calendarId, isSource: true, isTarget: true }));
      // all instances of every series are inside
      await sync.createGroup({
        body: { name: 'All', enabled: true, rule: { futureDays: 365 }, members: all, pairs: [] },
      });
    },
    async settle() {
      const { jobs } = product.app;
      for (let quietSince = performance.now(); performance.now() - quietSince < 300; ) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        if ((await jobs.countPending()) > 0 || (await waitingRows(product.app.db)) > 0) quietSince = performance.now();
      }
    },
    async syncAll() {
      for (const accountId of accountIds) await sync.syncAccount({ params: { accountId } });
    },
    async poke(account, calendar) {
      const { db, news } = product.app;
      const calendarId = members[account]?.[calendar] as CalendarId;
      await inTransaction(db, (tx) => news.announce(tx, readingWanted, { calendarId }));
    },
    async restart(how) {
      await product.close();
      product = await start(how);
      const { db, news } = product.app;
      await inTransaction(db, async (tx) => {
        for (const id of accountIds) await news.announce(tx, channelWorkWanted, { connectionId: id as ConnectionId });
      });
      await world.settle();
    },
    look: async () => void (await connections.listAccounts()),
    async ledgerStates() {
      const rows = await product.app.db
        .selectFrom('sync.mirrors')
        .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
        .groupBy('state')
        .execute();
      return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
    },
    async close() {
      await product.close();
      await emulators.stop();
      await database.close();
      googleCapabilities.quota = realQuotas.google;
      microsoftCapabilities.quota = realQuotas.microsoft;
    },
  };
  await world.settle();
  return world;
}

const idOfCalendar = (calendars: { calendarId: string; name: string }[], key: string, position: number): string =>
  (calendars.find(({ name }) => name === key) ?? calendars[position])?.calendarId ?? '';

async function register({ google: one, microsoft: other }: MeshEmulators, publicUrl: string): Promise<void> {
  const callback = (provider: string) => `${publicUrl}/provider/${provider}/callback`;
  const { clientId, clientSecret: secret } = google;
  await one.control.knobs({ clients: { [clientId]: { secret, redirectUris: [callback('google')] } } });
  const app = { clientId: microsoft.clientId, secret, redirectUris: [callback('microsoft')] };
  await other.control.seed({ apps: [app] });
}

/**
 * Our gates keep a share of what the providers allow. Where their windows are shortened, the emulators allow as many
 * times more in theirs; else the emulators allow everything, or what a lifted world has sent would count for minutes.
 * At most so many at once, at ours and at theirs, stays as it is.
 */
async function setQuotas({ google: one, microsoft: other }: MeshEmulators, quotas: Quotas): Promise<void> {
  for (const [capabilities, real] of [
    [googleCapabilities, realQuotas.google],
    [microsoftCapabilities, realQuotas.microsoft],
  ] as const) {
    if (real === undefined) throw new Error('a provider without a quota');
    const { count, windowMs } = real;
    if (quotas.kind === 'lifted') capabilities.quota = { count: count * everything, windowMs: 1 };
    else capabilities.quota = { count, windowMs: quotas.kind === 'faster' ? windowMs / quotas.factor : windowMs };
  }
  const times = quotas.kind === 'faster' ? quotas.factor : everything;
  await one.control.knobs({ perMinutePerUser: 600 * times, perMinutePerProject: 10_000 * times });
  await other.control.knobs({ requestsPer10Minutes: 10_000 * times });
}

const everything = 10_000;

async function openProduct(
  emulators: MeshEmulators,
  databaseUrl: string,
  encryptionKeys: string,
  port: number,
  publicUrl: string,
) {
  const log = await createLog({ level: process.env.BENCH_LOG_LEVEL ?? 'error', format: 'json' });
  const { authorizeUrl, tokenUrl, revokeUrl, jwksUrl, issuer } = emulators.google.endpoints;
  const config = {
    ...loadConfig({
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: publicUrl,
      DATA_DIR: '/nonexistent',
    }),
    caldavAllowPrivate: [new URL(emulators.caldav.url).host],
    // a registration is known for the process, with the addresses it was first seen with: each world has its own
    google: { ...google },
    microsoft: { ...microsoft },
    endpoints: {
      ...loadConfig({}).endpoints,
      google: { apiUrl: emulators.google.url, authorizeUrl, tokenUrl, revokeUrl, jwksUrl, issuer },
      microsoft: { apiUrl: emulators.microsoft.urls.graphBase, loginUrl: emulators.microsoft.url },
    },
  };
  const opened = await openApp({ config, databaseUrl, encryptionKeys, log, features });
  const server = await createHttpServer(opened.app, features);
  await server.listen();
  await opened.work();
  return {
    app: opened.app,
    async close() {
      await server.close();
      await opened.stopWork(2_000);
      await opened.close();
    },
  };
}

type Db = Awaited<ReturnType<typeof openProduct>>['app']['db'];

/** Rows of the ledger that are not at rest. */
async function waitingRows(db: Db): Promise<number> {
  const row = await db
    .selectFrom('sync.mirrors')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', 'in', ['pending', 'deleting'])
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
