import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { type ExportPart, jsonPart, listPart } from '#platform/export-part.ts';
import { forgetEntries } from '#platform/feed.ts';
import { forgetMails } from '#platform/mail-outbox.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { recordAccountEvent } from '../audit/account-log.ts';
import { accountLeaving } from '../events.ts';
import { accountDeleted } from '../mail.ts';
import { canonicalEmail } from '../rules/email.ts';
import { demandRecentProof } from '../sessions/authentication.ts';
import { endSessions } from '../sessions/sessions.ts';
import { listOwnKeys } from '../store/api-keys.ts';
import { deleteUser, findLeaver, hasFarewell, listRemains, markLeaving } from '../store/deletion.ts';
import { getOwnRow, listSessionRows, listTrailRows } from '../store/exports.ts';
import { getUser, isOnlyAdmin } from '../store/users.ts';

/**
 * Starts the deletion of an account at its person's request. From now on nobody signs in to it. Data that other
 * features have elsewhere is removed first, and `finishDeletion` takes the rest.
 *
 * *Errors*: AppError forbidden (REAUTHENTICATE), invalid (WRONG_EMAIL), conflict (ONLY_ADMIN).
 */
export async function deleteAccount(
  app: Pick<App, 'db' | 'news'>,
  actor: Actor,
  typed: string,
  request: RequestFacts,
): Promise<void> {
  demandRecentProof(actor);
  await inTransaction(app.db, async (tx) => {
    const { email } = await getUser(tx, actor);
    if (canonicalEmail(typed) !== email) {
      const message = "This isn't the email address of this account. Nothing was deleted.";
      throw new AppError('invalid', 'WRONG_EMAIL', message, { fields: { email: message } });
    }
    if (await isOnlyAdmin(tx, actor.userId)) {
      throw new AppError(
        'conflict',
        'ONLY_ADMIN',
        "You're the only administrator, and other people use this server. Make one of them an administrator first (npm run admin -- grant <email>). Nothing was deleted.",
      );
    }
    await startDeletion(app, tx, actor.userId, request);
  });
}

/**
 * An account begins to leave: nobody gets in, what others keep of it elsewhere is removed, and then the rest. False where
 * it does so already. `request` is null where the operator's hand is behind it.
 */
export async function startDeletion(
  app: Pick<App, 'news'>,
  tx: Tx,
  userId: UserId,
  request: RequestFacts | null,
): Promise<boolean> {
  if (!(await markLeaving(tx, userId))) return false;
  await recordAccountEvent(tx, { userId, kind: 'deletion-asked', request });
  await endSessions(tx, userId);
  await app.news.announce(tx, accountLeaving, { userId });
  return true;
}

/**
 * The last step of leaving, once nothing of the person is kept elsewhere: everything that is theirs goes with one row, and
 * a last mail says so, and what could not be removed. Does nothing for somebody who stays or is gone. False while somebody
 * else has still to be told.
 */
export function finishDeletion(app: Pick<App, 'config' | 'db' | 'mail'>, userId: UserId): Promise<boolean> {
  return inTransaction(app.db, async (tx) => {
    const leaver = await findLeaver(tx, userId);
    if (leaver === undefined) return true;
    if (await hasFarewell(tx, userId)) return false;
    const remains = await listRemains(tx, userId);
    await forgetMails(tx, userId);
    await forgetEntries(tx, userId);
    await deleteUser(tx, userId);
    await app.mail.send(tx, accountDeleted(leaver, remains));
    return true;
  });
}

/** Profile, preferences, sessions, keys, and account log of a person; nothing that proves who they are. */
export function exportAccount({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [
    jsonPart('account.json', () => getOwnRow(db, userId)),
    jsonPart('sessions.json', () => listSessionRows(db, userId)),
    jsonPart('api-keys.json', () => listOwnKeys(db, userId)),
    listPart('security-trail.json', (page: { after: number | null; limit: number }) => listTrailRows(db, userId, page)),
  ];
}
