import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { endSessions } from './end-sessions.ts';
import { recordAccountEvent } from './record-account-event.ts';

/** Ends somebody's sessions on every device, the one that asks only where wished. Gives how many ended. */
export function signOutEverywhere(
  app: Pick<App, 'db'>,
  actor: Actor,
  { includingThis, request }: { includingThis: boolean; request: RequestFacts },
): Promise<number> {
  return inTransaction(app.db, async (tx) => {
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
