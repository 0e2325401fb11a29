import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { endLastingAccess } from './end-lasting-access.ts';
import { endSessions } from './end-sessions.ts';
import { recordAccountEvent } from './record-account-event.ts';
import { lockUser } from './store/users.ts';

/** Ends somebody's sessions on every device; the one that asks, API keys and published feeds only where wished. Gives how many sessions ended. */
export function signOutEverywhere(
  app: Pick<App, 'db' | 'clock' | 'config' | 'mail' | 'news'>,
  actor: Actor,
  { includingThis, endKeys, request }: { includingThis: boolean; endKeys: boolean; request: RequestFacts },
): Promise<number> {
  return inTransaction(app.db, async (tx) => {
    const user = endKeys ? await lockUser(tx, actor.userId) : null;
    if (user) await endLastingAccess(app, tx, user, request);
    const ended = await endSessions(tx, actor.userId, includingThis ? {} : { except: actor.sessionId });
    if (ended > 0) {
      await recordAccountEvent(tx, {
        userId: actor.userId,
        kind: 'sessions-ended',
        request,
        details: { sessions: ended, includingThis },
      });
    }
    return ended;
  });
}
