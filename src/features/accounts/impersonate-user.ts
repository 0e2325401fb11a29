import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { openSession } from './open-session.ts';
import { recordAccountEvent } from './record-account-event.ts';
import { impersonationMinutes } from './rules/session.ts';

/**
 * A session of somebody's for an administrator who has to see what they see: short, never prolonged, over with the one it
 * was opened from, without what only a person's own hand does (`platform/own-hand`), and every request of it in the audit.
 * Its person finds it in their trail and among their sessions. Gives its token.
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
