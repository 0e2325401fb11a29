import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { endSessions } from './end-sessions.ts';
import { recordAccountEvent } from './record-account-event.ts';

/** Ends the session in every process, its open streams included. */
export async function signOut(app: Pick<App, 'db'>, actor: Actor, request: RequestFacts): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    if ((await endSessions(tx, actor.userId, { only: actor.sessionId })) > 0) {
      await recordAccountEvent(tx, { userId: actor.userId, kind: 'signed-out', request });
    }
  });
}
