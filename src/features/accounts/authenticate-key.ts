import type { SessionId } from '#kernel/ids.ts';
import { mintActor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import { adminAccessOf } from './rules/admin-access.ts';
import { findKey, noteKeyUse } from './store/api-keys.ts';

/** By which a key is known from the token of a session. */
export const keyPrefix = 'hfk_';

/** A program with a key acts in its maker's place, as far as its scopes go; it never counts as a recent proof. */
export async function authenticateKey(app: Pick<App, 'db'>, token: string) {
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
