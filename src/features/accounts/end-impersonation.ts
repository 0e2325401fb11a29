import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashToken, mintToken } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { endSessions } from './end-sessions.ts';
import { recordAccountEvent } from './record-account-event.ts';
import { recordAct } from './record-act.ts';
import { replaceToken } from './store/sessions.ts';

/**
 * Ends a session in somebody else's place and gives the administrator's own back, under a new token, as the browser has
 * let go of the old one; null where that has ended. *Errors*: AppError conflict (NOT_IMPERSONATING).
 */
export async function endImpersonation(
  app: Pick<App, 'db'>,
  actor: Actor,
  request: RequestFacts,
): Promise<string | null> {
  const { impersonation, userId } = actor;
  if (impersonation === null) {
    throw new AppError('conflict', 'NOT_IMPERSONATING', 'You are here as yourself. Nothing was changed.');
  }
  const token = mintToken();
  return inTransaction(app.db, async (tx) => {
    const ended = await endSessions(tx, userId, { only: actor.sessionId });
    if (ended > 0) {
      await recordAccountEvent(tx, { userId, kind: 'impersonation-ended', request: null });
      await recordAct(tx, {
        actorId: impersonation.by,
        action: 'impersonation_end',
        subject: { kind: 'user', id: userId },
        reason: null,
        request,
      });
    }
    const isThere = await replaceToken(tx, { sessionId: impersonation.from }, hashToken(token), undefined);
    return isThere ? token : null;
  });
}
