import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { endSessions } from './end-sessions.ts';
import { accountLeaving } from './events.ts';
import { recordAccountEvent } from './record-account-event.ts';
import { markLeaving } from './store/users.ts';

/**
 * An account begins to leave: nobody gets in, what others keep of it elsewhere is removed, and then the rest. False where
 * it does so already. `request` is null where the operator's hand is behind it.
 */
export async function leaveForGood(
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
