import { mintActor } from '#platform/actor.ts';
import { hashToken } from '#platform/crypto.ts';
import type { Authenticate } from '#platform/routes.ts';
import { adminAccessOf } from './rules/admin-access.ts';
import { sessionSeconds } from './rules/session.ts';
import { findSession, prolongSession } from './store/sessions.ts';

/** Asked for every request, so that a session that has ended is over at once in every process. */
export const authenticate: Authenticate = async (app, token) => {
  const session = await findSession(app.db, hashToken(token));
  if (!session) return null;
  if (session.due) await prolongSession(app.db, session.id);
  return {
    actor: mintActor({
      userId: session.user_id,
      role: session.role,
      sessionId: session.id,
      adminAccess: adminAccessOf(session),
      secondFactor: session.second_factor,
      provedRecently: session.proved_recently,
    }),
    renewedForSeconds: session.due ? sessionSeconds : undefined,
  };
};
