import { randomUUIDv7 } from 'node:crypto';
import { finishDeletion } from '#features/accounts/deletion/public.ts';
import { isLeaving, lockUser } from '#features/accounts/public.ts';
import { requireAllowance } from '#features/billing/public.ts';
import { countsAsCalendar } from '#features/billing/rules.ts';
import { AppError } from '#kernel/errors.ts';
import type { ConnectionId, UserId } from '#kernel/ids.ts';
import { sha256 } from '#kernel/sha256.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, isViolationOf, type Tx } from '#platform/db.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import { type Allowance, takeAllowance } from '#platform/limits.ts';
import type { RemoteCalendar } from '#providers/port.ts';
import { type CaldavProfileName, isOAuthProvider, ownCalendar } from '#providers/registry.ts';
import { saveCalendars } from './calendars.ts';
import { discoverAccount, discoverFeed } from './discovery.ts';
import { connectionLeaving } from './events.ts';
import { accountLabel, boundIdentity, secretPlace } from './rules.ts';
import { listCalendars } from './store/calendars.ts';
import {
  type Connection,
  findConnection,
  insertConnection,
  listConnections,
  setSuspended,
  updateSecret,
  updateStatus,
} from './store/connections.ts';

/** Accounts of one person, whatever the plan has: each is read again and again. */
export const mostAccounts = 100;

/**
 * Demands room for an account in the transaction that adds it. An account that is leaving does not count.
 * *Errors*: AppError conflict (TOO_MANY); as `requireAllowance`.
 */
export async function requireRoom(app: Pick<App, 'config' | 'clock'>, tx: Tx, userId: UserId): Promise<void> {
  const count = async () =>
    (await listConnections(tx, userId)).filter((one) => countsAsCalendar(one) && one.status !== 'disconnecting').length;
  await requireAllowance(app, tx, userId, { thing: 'calendars', count });
  // concurrent connections count each other
  await lockUser(tx, userId);
  if ((await count()) >= mostAccounts)
    throw new AppError('conflict', 'TOO_MANY', `You can have up to ${mostAccounts}. Disconnect one you don't need.`);
}

/** Servers that one person may have us ask for an account: each costs computing, and may be anybody's. */
const tries: Allowance = { action: 'connections.try', burst: 60, periodSeconds: 3_600 };

type NewAccount = Pick<
  Connection,
  'provider' | 'profile' | 'label' | 'baseUrl' | 'username' | 'subject' | 'addresses'
> & {
  /** Stored sealed; null where a subject names the account and nothing opens it. */
  secret: string | null;
};

const uniqueAccounts = [
  'connections_user_id_provider_base_url_username_key',
  'connections_user_id_provider_profile_subject_key',
];

/**
 * Stores an account that was seen to work, with its calendars, and has sync start reading.
 *
 * *Errors*: conflict ALREADY_CONNECTED where this person has it already; as `requireRoom`.
 */
export async function createAccount(
  app: App,
  actor: Pick<Actor, 'userId'>,
  account: NewAccount,
  calendars: RemoteCalendar[],
): Promise<ConnectionId> {
  const id = randomUUIDv7() as string as ConnectionId;
  const secret = account.secret === null ? null : app.keyring.seal(account.secret, secretPlace(id));
  try {
    await inTransaction(app.db, async (tx) => {
      if (countsAsCalendar(account)) await requireRoom(app, tx, actor.userId);
      await insertConnection(tx, { ...boundIdentity(account), id, userId: actor.userId, secret });
      await saveCalendars(app, tx, { id, userId: actor.userId }, calendars, 'always');
    });
  } catch (error) {
    if (!uniqueAccounts.some((name) => isViolationOf(error, name))) throw error;
    throw new AppError('conflict', 'ALREADY_CONNECTED', 'This account is already connected.', {
      cause: error,
    });
  }
  return id;
}

/**
 * Connects a CalDAV account: finds its calendars, keeps the password sealed, and has sync start reading.
 * *Errors*: AppError limited (`LIMITED`) after 60 tries in an hour; what its server says.
 */
export async function connectCaldav(
  app: App,
  actor: Actor,
  input: { profile: CaldavProfileName; url: string; username: string; password: string },
): Promise<ConnectionId> {
  await takeAllowance(app.db, tries, actor.userId);
  const account = await discoverAccount(app, actor, input);
  if (account.calendars.length === 0) {
    throw new AppError(
      'invalid',
      'NO_CALENDARS',
      "You're signed in, but this account has no calendar. Create one there, then connect again.",
    );
  }
  const addresses = new Set(account.addresses);
  if (input.username.includes('@')) addresses.add(input.username.toLowerCase());
  return createAccount(
    app,
    actor,
    {
      provider: 'caldav',
      profile: account.profile.name,
      label: accountLabel(input.username, account),
      baseUrl: account.baseUrl,
      username: input.username,
      subject: null,
      secret: input.password,
      addresses: [...addresses],
    },
    account.calendars,
  );
}

/**
 * Subscribes to a calendar that is published as a file. The address is stored sealed, because its holders can read the
 * calendar.
 */
export async function connectFeed(app: App, actor: Actor, address: string): Promise<ConnectionId> {
  await takeAllowance(app.db, tries, actor.userId);
  const { url, calendar } = await discoverFeed(app, actor, address);
  const { origin, host } = new URL(url);
  // the name of a calendar without one ends with its host
  const name = [host, `(${host})`].some((end) => calendar.name.endsWith(end))
    ? calendar.name
    : `${calendar.name} (${host})`;
  return createAccount(
    app,
    actor,
    {
      provider: 'ics',
      profile: 'generic',
      label: name,
      baseUrl: origin,
      // tells feeds of one publisher apart without telling the address
      username: sha256(url).slice(0, 32),
      subject: null,
      secret: url,
      addresses: [],
    },
    [calendar],
  );
}

/** A calendar that Holdfast keeps itself, for a person who has none elsewhere. One for each. */
export function connectOwn(app: App, actor: Pick<Actor, 'userId'>): Promise<ConnectionId> {
  return createAccount(
    app,
    actor,
    {
      provider: 'holdfast',
      profile: 'generic',
      label: 'Kept by Holdfast',
      baseUrl: null,
      username: null,
      // a single one exists
      subject: 'holdfast',
      secret: null,
      addresses: [],
    },
    [ownCalendar],
  );
}

/**
 * A new password for an account we know, or a new address for a feed: tried first, then stored; calendars, mirrors and
 * history stay.
 */
export async function reconnect(app: App, actor: Actor, accountId: string, password: string): Promise<void> {
  const connection = await findConnection(app.db, actor, accountId);
  if (connection === null || connection.status === 'disconnecting') {
    throw new AppError('not-found', 'NOT_FOUND', 'Account not found.');
  }
  if (isOAuthProvider(connection.provider)) {
    throw new AppError('invalid', 'NO_PASSWORD', 'This account has no password. Sign in with its provider.');
  }
  await takeAllowance(app.db, tries, actor.userId);
  const { secret, calendars } = await tryCredential(app, actor, connection, password);
  await inTransaction(app.db, async (tx) => {
    await updateSecret(tx, connection.id, app.keyring.seal(secret, secretPlace(connection.id)));
    await saveCalendars(app, tx, connection, calendars, 'always');
  });
}

async function tryCredential(
  app: App,
  actor: Actor,
  connection: Connection,
  entered: string,
): Promise<{ secret: string; calendars: RemoteCalendar[] }> {
  if (connection.provider === 'ics') {
    const { url, calendar } = await discoverFeed(app, actor, entered);
    return { secret: url, calendars: [calendar] };
  }
  const { calendars } = await discoverAccount(app, actor, {
    profile: connection.profile as CaldavProfileName,
    url: connection.baseUrl ?? '',
    username: connection.username ?? '',
    password: entered,
  });
  return { secret: entered, calendars };
}

/**
 * An account shall leave without a trace: sync removes every block it wrote there or from there, then the account.
 *
 * *Errors*: not-found; conflict DELETES_EVENTS where no provider has the events, unless their deletion was confirmed.
 */
export async function disconnect(
  app: App,
  actor: Actor,
  accountId: string,
  { deleteEvents }: { deleteEvents: boolean },
): Promise<void> {
  const connection = await findConnection(app.db, actor, accountId);
  if (connection === null) throw new AppError('not-found', 'NOT_FOUND', 'Account not found.');
  if (connection.provider === 'holdfast' && !deleteEvents)
    throw new AppError(
      'conflict',
      'DELETES_EVENTS',
      'Holdfast has the only copy of the events in this calendar. To delete them for good, confirm with delete_events=1.',
    );
  await inTransaction(app.db, async (tx) => {
    await updateStatus(tx, connection.id, 'disconnecting', null);
    await app.news.announce(tx, connectionLeaving, { connectionId: connection.id, userId: actor.userId });
    await app.feed.publish(tx, actor.userId, 'accounts');
  });
}

/**
 * One step of the deletion of an account; repeated until it answers true. It disconnects every connection, also one that
 * was made a moment ago. When none is left, the account is deleted.
 */
export async function disconnectAll(app: App, userId: UserId): Promise<boolean> {
  if (!(await isLeaving(app.db, userId))) return true;
  const connections = await listConnections(app.db, userId);
  if (connections.length === 0) {
    return finishDeletion(app, userId);
  }
  await inTransaction(app.db, async (tx) => {
    for (const { id: connectionId } of connections) {
      // said again to one that is leaving already: the work of it may have been given up
      await updateStatus(tx, connectionId, 'disconnecting', null);
      await app.news.announce(tx, connectionLeaving, { connectionId, userId });
    }
  });
  return false;
}

/** Pauses a suspended person's accounts, or resumes them: every reader and writer checks `Connection.status`. */
export async function suspendAccounts(tx: Tx, heard: { userId: string }, suspended: boolean): Promise<void> {
  await setSuspended(tx, heard.userId as UserId, suspended);
}

/** Columns of the export. A new column is left out until it is named here. */
const exportedColumns = [
  ...(['id', 'provider', 'profile', 'label', 'baseUrl', 'username', 'addresses'] as const),
  ...(['status', 'statusCode', 'statusMessage'] as const),
] satisfies (keyof Connection)[];

/** Accounts at providers and their calendars, without any access to them. */
export function exportConnections({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [
    jsonPart('connections.json', async () =>
      (await listConnections(db, userId)).map((connection) =>
        Object.fromEntries(exportedColumns.map((key) => [key, connection[key]])),
      ),
    ),
    jsonPart('calendars.json', () => listCalendars(db, userId)),
  ];
}
