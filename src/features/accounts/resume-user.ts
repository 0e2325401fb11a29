import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { accountResumed } from './events.ts';
import { recordAccountEvent } from './record-account-event.ts';
import { setSuspended } from './store/users.ts';

/** They can sign in again, and what rested goes on. False where nobody is suspended. */
export async function resumeUser(app: Pick<App, 'news'>, tx: Tx, userId: UserId): Promise<boolean> {
  if (!(await setSuspended(tx, userId, false))) return false;
  await recordAccountEvent(tx, { userId, kind: 'resumed', request: null });
  await app.news.announce(tx, accountResumed, { userId });
  return true;
}
