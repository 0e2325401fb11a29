import { randomUUIDv7 } from 'node:crypto';
import { AppError } from '#kernel/errors.ts';
import type { ConnectionId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, isViolationOf } from '#platform/db.ts';
import type { CaldavProfileName } from '#providers/registry.ts';
import { discoverAccount } from './discover-account.ts';
import { accountLabel, secretPlace } from './rules.ts';
import { saveCalendars } from './save-calendars.ts';
import { insertConnection } from './store/connections.ts';

/** Connects a CalDAV account: finds its calendars, keeps the password sealed, and has sync start reading. */
export async function connectCaldav(
  app: App,
  actor: Actor,
  input: { profile: CaldavProfileName; url: string; username: string; password: string },
): Promise<ConnectionId> {
  const account = await discoverAccount(app, input);
  if (account.calendars.length === 0) {
    throw new AppError(
      'invalid',
      'NO_CALENDARS',
      'The sign-in worked, but this account has no calendar for events. Create one there, then connect again.',
    );
  }
  const id = randomUUIDv7() as string as ConnectionId;
  const addresses = new Set(account.addresses);
  if (input.username.includes('@')) addresses.add(input.username.toLowerCase());
  try {
    await inTransaction(app.db, async (tx) => {
      await insertConnection(tx, {
        id,
        userId: actor.userId,
        provider: 'caldav',
        profile: account.profile.name,
        label: accountLabel(input.username, account),
        baseUrl: account.baseUrl,
        username: input.username,
        secret: app.keyring.seal(input.password, secretPlace(id)),
        addresses: [...addresses],
      });
      await saveCalendars(app, tx, { id, userId: actor.userId }, account.calendars, 'always');
    });
  } catch (error) {
    if (!isViolationOf(error, 'connections_user_id_provider_base_url_username_key')) throw error;
    throw new AppError('conflict', 'ALREADY_CONNECTED', 'This account is connected already. Nothing was changed.', {
      cause: error,
    });
  }
  return id;
}
