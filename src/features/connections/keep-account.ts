import { randomUUIDv7 } from 'node:crypto';
import { countsAsCalendar } from '#features/billing/rules.ts';
import { AppError } from '#kernel/errors.ts';
import type { ConnectionId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, isViolationOf } from '#platform/db.ts';
import type { RemoteCalendar } from '#providers/port.ts';
import { demandRoom } from './demand-room.ts';
import { secretPlace } from './rules.ts';
import { saveCalendars } from './save-calendars.ts';
import { type Connection, insertConnection } from './store/connections.ts';

export type NewAccount = Pick<
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
 * *Errors*: conflict ALREADY_CONNECTED where this person has it already; as `demandRoom`.
 */
export async function keepAccount(
  app: App,
  actor: Actor,
  account: NewAccount,
  calendars: RemoteCalendar[],
): Promise<ConnectionId> {
  const id = randomUUIDv7() as string as ConnectionId;
  const secret = account.secret === null ? null : app.keyring.seal(account.secret, secretPlace(id));
  try {
    await inTransaction(app.db, async (tx) => {
      if (countsAsCalendar(account)) await demandRoom(app, tx, actor.userId);
      await insertConnection(tx, { ...account, id, userId: actor.userId, secret });
      await saveCalendars(app, tx, { id, userId: actor.userId }, calendars, 'always');
    });
  } catch (error) {
    if (!uniqueAccounts.some((name) => isViolationOf(error, name))) throw error;
    throw new AppError('conflict', 'ALREADY_CONNECTED', 'This account is connected already. Nothing was changed.', {
      cause: error,
    });
  }
  return id;
}
