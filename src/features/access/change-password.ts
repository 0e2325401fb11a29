import { demandRecentProof, lockUser, recordAccountEvent } from '#features/accounts/public.ts';
import { endLastingAccess, endSessions, renewSession } from '#features/accounts/sessions/public.ts';
import { findUser } from '#features/accounts/users/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashPassword } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { demandGoodPassword } from './demand-good-password.ts';
import { passwordChangesPerAccount } from './rules/limits.ts';
import { deleteMailCodes } from './store/mail-codes.ts';
import { savePassword } from './store/passwords.ts';
import { tellByMail } from './tell-by-mail.ts';

/**
 * Another password, or the first one of somebody who came by another door. Every other session ends, and API keys
 * and published feeds where wished; this session goes on under a new token.
 * *Errors*: AppError forbidden (REAUTHENTICATE), invalid (WEAK_PASSWORD), limited.
 */
export async function changePassword(
  app: Pick<App, 'db' | 'config' | 'clock' | 'mail' | 'news'>,
  actor: Actor,
  { newPassword, endKeys }: { newPassword: string; endKeys: boolean },
  request: RequestFacts,
): Promise<{ message: string; session_token: string }> {
  demandRecentProof(actor);
  const user = await findUser(app.db, actor.userId);
  if (user === undefined)
    throw new AppError('unauthenticated', 'UNAUTHENTICATED', 'This account does not exist any more.');
  demandGoodPassword(newPassword, user.email, 'new_password');
  await takeAllowance(app.db, passwordChangesPerAccount, actor.userId);
  const passwordHash = await hashPassword(newPassword, 'known');
  return inTransaction(app.db, async (tx) => {
    await lockUser(tx, user.id);
    const token = await renewSession(tx, actor);
    await savePassword(tx, user.id, passwordHash);
    await deleteMailCodes(tx, user.id);
    await endSessions(tx, user.id, { except: actor.sessionId });
    if (endKeys) await endLastingAccess(app, tx, user, request);
    await recordAccountEvent(tx, { userId: user.id, kind: 'password-changed', request });
    await tellByMail(app, tx, user, 'password-changed', request);
    return { message: 'Password changed. Every other device was signed out.', session_token: token };
  });
}
