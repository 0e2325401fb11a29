import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RemoteCalendar } from '#providers/port.ts';
import { type CaldavProfileName, isOAuthProvider } from '#providers/registry.ts';
import { discoverAccount } from './discover-account.ts';
import { discoverFeed } from './discover-feed.ts';
import { secretPlace } from './rules.ts';
import { saveCalendars } from './save-calendars.ts';
import type { Connection } from './store/connections.ts';
import { findConnection, updateSecret } from './store/connections.ts';

/**
 * A new password for an account we know, or a new address for a feed: tried first, then stored; calendars, mirrors and
 * history stay.
 */
export async function reconnect(app: App, actor: Actor, accountId: string, password: string): Promise<void> {
  const connection = await findConnection(app.db, actor, accountId);
  if (connection === null || connection.status === 'disconnecting') {
    throw new AppError('not-found', 'NOT_FOUND', 'There is no such account.');
  }
  if (isOAuthProvider(connection.provider)) {
    throw new AppError('invalid', 'NO_PASSWORD', 'This account has no password here: it signs in at its provider.');
  }
  const { secret, calendars } = await tryCredential(app, connection, password);
  await inTransaction(app.db, async (tx) => {
    await updateSecret(tx, connection.id, app.keyring.seal(secret, secretPlace(connection.id)));
    await saveCalendars(app, tx, connection, calendars, 'always');
  });
}

async function tryCredential(
  app: App,
  connection: Connection,
  entered: string,
): Promise<{ secret: string; calendars: RemoteCalendar[] }> {
  if (connection.provider === 'ics') {
    const { url, calendar } = await discoverFeed(app, entered);
    return { secret: url, calendars: [calendar] };
  }
  const { calendars } = await discoverAccount(app, {
    profile: connection.profile as CaldavProfileName,
    url: connection.baseUrl ?? '',
    username: connection.username ?? '',
    password: entered,
  });
  return { secret: entered, calendars };
}
