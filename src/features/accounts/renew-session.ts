import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import { hashToken, mintToken } from '#platform/crypto.ts';
import type { Tx } from '#platform/db.ts';
import { replaceToken } from './store/sessions.ts';

/**
 * Gives the session of this request a new token; the old one is nobody's when the transaction commits. After a change
 * of rights, so that a token that was overheard or planted before is worth nothing after. With `proof` the person has
 * just proved again who they are. The caller sets the cookie (`sessionSeconds`) and gives the token in its answer.
 * *Errors*: AppError unauthenticated where the session has ended meanwhile.
 * *Source*: OWASP ASVS 5.0 7.2.4.
 */
export async function renewSession(
  tx: Tx,
  actor: Actor,
  proof?: { method?: string; secondFactor?: boolean },
): Promise<string> {
  const token = mintToken();
  if (!(await replaceToken(tx, actor, hashToken(token), proof))) {
    throw new AppError('unauthenticated', 'UNAUTHENTICATED', 'Authentication required');
  }
  return token;
}
