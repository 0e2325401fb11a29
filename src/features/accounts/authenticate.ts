import type { SessionId, UserId } from '#kernel/ids.ts';
import { type Actor, mintActor } from '#platform/actor.ts';
import { hashToken } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import type { Authenticate } from '#platform/routes.ts';
import { authenticateKey, keyPrefix } from './authenticate-key.ts';
import { recordAct } from './record-act.ts';
import { adminAccessOf } from './rules/admin-access.ts';
import { sessionSeconds } from './rules/session.ts';
import { findSession, prolongSession } from './store/sessions.ts';

/** Asked for every request, so that a session that has ended is over at once in every process. */
export const authenticate: Authenticate = async (app, token) => {
  if (token.startsWith(keyPrefix)) return authenticateKey(app, token);
  const session = await findSession(app.db, hashToken(token));
  if (!session) return null;
  if (session.due) await prolongSession(app.db, session.id);
  const impersonation = impersonationOf(session);
  return {
    actor: mintActor({
      userId: session.user_id,
      role: session.role,
      sessionId: session.id,
      adminAccess: impersonation === null ? adminAccessOf(session) : 'none',
      impersonation,
      secondFactor: session.second_factor,
      provedRecently: session.proved_recently,
    }),
    renewedForSeconds: session.due ? sessionSeconds : undefined,
    trace:
      impersonation === null
        ? undefined
        : ({ method, route, requestId }) =>
            inTransaction(app.db, (tx) =>
              recordAct(tx, {
                actorId: impersonation.by,
                action: 'impersonated_request',
                subject: { kind: 'user', id: session.user_id },
                reason: null,
                request: { id: requestId },
                details: { method, route },
              }),
            ),
  };
};

function impersonationOf(session: {
  impersonator_id: UserId | null;
  opened_from: SessionId | null;
  expires_at: Temporal.Instant;
}): Actor['impersonation'] {
  const { impersonator_id: by, opened_from: from, expires_at } = session;
  return by === null || from === null ? null : { by, from, endsMs: expires_at.epochMilliseconds };
}
