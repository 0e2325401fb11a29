import { lockUser, recordAccountEvent } from '#features/accounts/public.ts';
import { endLastingAccess, endSessions } from '#features/accounts/sessions/public.ts';
import { confirmAddress } from '#features/accounts/users/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import type { App } from '#platform/app.ts';
import { hashPassword } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { checkMailCode, codeInvalid } from './check-mail-code.ts';
import type { accessContract } from './contract.ts';
import { demandGoodPassword } from './demand-good-password.ts';
import { demandStaying } from './demand-staying.ts';
import { deleteIdentitiesOf } from './store/identities.ts';
import { deleteMailCodes, spendMailCode } from './store/mail-codes.ts';
import { savePassword } from './store/passwords.ts';
import { tellByMail } from './tell-by-mail.ts';

type Reset = typeof accessContract.resetPassword;

/**
 * A new password for whoever reads the mailbox of an account; that also proves its address. All sessions, API keys and published feeds end,
 * and what else was mailed is void, a change of address too. It signs nobody in, so a second factor is asked for as ever.
 * *Errors*: AppError invalid (CODE_INVALID, WEAK_PASSWORD: the code stays good), forbidden (ACCOUNT_LEAVING), limited.
 */
export async function resetPassword(
  app: Pick<App, 'db' | 'config' | 'clock' | 'mail' | 'news'>,
  body: Input<Reset>['body'],
  request: RequestFacts,
): Promise<Output<Reset>> {
  const given = await checkMailCode(app, body, ['reset'], request);
  demandGoodPassword(body.new_password, given.email, 'new_password');
  const passwordHash = await hashPassword(body.new_password, 'known');
  await inTransaction(app.db, async (tx) => {
    const user = await lockUser(tx, given.userId);
    if (user === null || !(await spendMailCode(tx, given))) throw codeInvalid();
    demandStaying(user);
    if (!(await confirmAddress(tx, user.id, given.email))) throw codeInvalid();
    // Identities that a squatter of the address linked must not sign in once it is confirmed.
    if (user.email_verified_at === null) await deleteIdentitiesOf(tx, user.id);
    await savePassword(tx, user.id, passwordHash);
    await deleteMailCodes(tx, user.id);
    await endSessions(tx, user.id);
    await endLastingAccess(app, tx, user, request);
    await recordAccountEvent(tx, { userId: user.id, kind: 'password-reset', request });
    await tellByMail(app, tx, user, 'password-reset', request);
  });
  return { message: 'Password reset successfully. Please log in with your new password.' };
}
