import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashToken, mintToken } from '#platform/crypto.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { recordAccountEvent } from '../audit/account-log.ts';
import { recordAct } from '../audit/audit.ts';
import { impersonationMinutes } from '../rules/session.ts';
import { replaceToken } from '../store/sessions.ts';
import { endSessions, openSession } from './sessions.ts';

/**
 * A session of somebody's for an administrator who has to see what they see: short, never prolonged, over with the one it
 * was opened from, without what only a person's own hand does (`platform/own-hand`), and every request of it in the audit.
 * Its person finds it in the account log and among their sessions. Returns its token.
 */
export async function impersonateUser(
  tx: Tx,
  actor: Actor,
  userId: UserId,
  request: RequestFacts,
): Promise<{ token: string; seconds: number }> {
  await recordAccountEvent(tx, { userId, kind: 'impersonated', request: null });
  const token = await openSession(
    tx,
    { id: userId },
    {
      method: 'impersonation',
      secondFactor: true, // the administrator's own
      request,
      impersonation: { by: actor.userId, from: actor.sessionId, minutes: impersonationMinutes },
    },
  );
  return { token, seconds: impersonationMinutes * 60 };
}

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
    throw new AppError('conflict', 'NOT_IMPERSONATING', "You aren't impersonating anyone. Nothing was changed.");
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
