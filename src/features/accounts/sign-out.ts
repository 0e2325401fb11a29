import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { sessionEndedTopic } from '#platform/stream.ts';
import { deleteSession } from './store/sessions.ts';

/** Ends the session in every process, its open streams included. */
export async function signOut(app: Pick<App, 'db' | 'feed'>, actor: Actor): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    await deleteSession(tx, actor);
    await app.feed.publish(tx, actor.userId, sessionEndedTopic, { sessionId: actor.sessionId });
  });
}
