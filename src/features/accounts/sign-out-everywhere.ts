import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { endApiKeys } from './end-api-keys.ts';
import { endSessions } from './end-sessions.ts';
import { recordAccountEvent } from './record-account-event.ts';
import { lockUser } from './store/users.ts';

/** Ends somebody's sessions on every device; the one that asks, and API keys, only where wished. Gives how many sessions ended. */
export function signOutEverywhere(
  app: Pick<App, 'db' | 'clock' | 'config' | 'mail'>,
  actor: Actor,
  { includingThis, endKeys, request }: { includingThis: boolean; endKeys: boolean; request: RequestFacts },
): Promise<number> {
  return inTransaction(app.db, async (tx) => {
    const user = endKeys ? await lockUser(tx, actor.userId) : null;
    if (user) await endApiKeys(app, tx, user, { madeWithoutFactor: false }, { request });
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
