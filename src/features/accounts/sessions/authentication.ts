import { AppError } from '#kernel/errors.ts';
import type { SessionId, UserId } from '#kernel/ids.ts';
import { type Actor, mintActor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import type { Authenticate } from '#platform/routes.ts';
import { recordAct } from '../audit/audit.ts';
import { adminAccessOf } from '../rules/admin-access.ts';
import { recentProofMinutes, sessionSeconds } from '../rules/session.ts';
import { findKey, noteKeyUse } from '../store/api-keys.ts';
import { findSession, prolongSession } from '../store/sessions.ts';

/** By which a key is known from the token of a session. */
export const keyPrefix = 'hfk_';

/** A program with a key acts in its maker's place, as far as its scopes go; it never counts as a recent proof. */
async function authenticateKey(app: Pick<App, 'db'>, token: string) {
  const key = await findKey(app.db, hashToken(token));
  if (key === undefined) return null;
  if (key.due) await noteKeyUse(app.db, key.id);
  return {
    actor: mintActor({
      userId: key.userId,
      role: key.role,
      // no session has this id: what is asked about "this session" finds none
      sessionId: key.id as SessionId,
      adminAccess: adminAccessOf(key),
      impersonation: null,
      secondFactor: key.second_factor,
      provedRecently: false,
      scopes: key.scopes,
    }),
  };
}

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

/**
 * Lets only somebody through who has proved within the last ten minutes who they are: an open browser is not enough to
 * take an account over. The browser then asks and repeats the act (`useReauthentication`).
 * *Errors*: AppError forbidden (REAUTHENTICATE); declare it in the endpoint's contract.
 */
export function demandRecentProof(actor: Actor): void {
  if (actor.provedRecently) return;
  throw new AppError(
    'forbidden',
    'REAUTHENTICATE',
    `Confirm it's you. Your last confirmation was more than ${recentProofMinutes} minutes ago.`,
  );
}
