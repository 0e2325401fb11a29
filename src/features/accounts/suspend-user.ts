import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { endSessions } from './end-sessions.ts';
import { accountSuspended } from './events.ts';
import { recordAccountEvent } from './record-account-event.ts';
import { isOnlyAdmin, setSuspended } from './store/users.ts';

/**
 * From here on somebody gets in nowhere, and nothing is done for them: whoever works for people hears of it in this
 * transaction. Everything of theirs is kept. False where that is so already, or they are leaving.
 * *Errors*: AppError conflict (ONLY_ADMIN).
 */
export async function suspendUser(app: Pick<App, 'news'>, tx: Tx, userId: UserId): Promise<boolean> {
  if (await isOnlyAdmin(tx, userId)) {
    throw new AppError('conflict', 'ONLY_ADMIN', 'This is the only administrator who is left. Nothing was changed.');
  }
  if (!(await setSuspended(tx, userId, true))) return false;
  await endSessions(tx, userId);
  await recordAccountEvent(tx, { userId, kind: 'suspended', request: null });
  await app.news.announce(tx, accountSuspended, { userId });
  return true;
}
