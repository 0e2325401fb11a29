import { AppError } from '#kernel/errors.ts';
import type { SessionId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { endSessions } from './end-sessions.ts';
import { recordAccountEvent } from './record-account-event.ts';

/**
 * Ends one of somebody's own sessions. Asks for no recent proof: who finds a stranger's session must be able to end it.
 * *Errors*: AppError not-found, for another person's too.
 */
export async function revokeSession(
  app: Pick<App, 'db'>,
  actor: Actor,
  sessionId: SessionId,
  request: RequestFacts,
): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    if ((await endSessions(tx, actor.userId, { only: sessionId })) === 0) {
      throw new AppError('not-found', 'NOT_FOUND', 'This session has ended already.');
    }
    await recordAccountEvent(tx, { userId: actor.userId, kind: 'session-ended', request });
  });
}
