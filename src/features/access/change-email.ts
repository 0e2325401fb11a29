import { demandRecentProof, lockUser, recordAccountEvent } from '#features/accounts/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import { noMoreMails } from '#platform/recipients.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { codeMail } from './mail.ts';
import { mintMailCode } from './mint-mail-code.ts';
import { readAddress } from './read-address.ts';
import { addressChangesPerAccount } from './rules/limits.ts';
import { whereMailIs } from './rules/where-mail-is.ts';
import { tellByMail } from './tell-by-mail.ts';

/**
 * Has a link mailed to the address that the account is to have, and a warning to the one it has. Nothing changes before
 * that link is used (`verifyEmail`), which is also when a taken address is refused: the answer here tells nobody.
 * *Errors*: AppError forbidden (REAUTHENTICATE), invalid (no address, or the same), limited.
 */
export async function changeEmail(
  app: Pick<App, 'db' | 'config' | 'clock' | 'mail'>,
  actor: Actor,
  typed: string,
  request: RequestFacts,
): Promise<{ message: string; mailAt: string | null }> {
  demandRecentProof(actor);
  const email = readAddress(typed);
  await takeAllowance(app.db, addressChangesPerAccount, actor.userId);
  await inTransaction(app.db, async (tx) => {
    const user = await lockUser(tx, actor.userId);
    if (user === null || user.email === email) {
      const message = 'This is the address of your account already.';
      throw new AppError('invalid', 'INVALID_INPUT', message, { fields: { email: message } });
    }
    const code = await mintMailCode(app, tx, { userId: user.id, email, purpose: 'change-email' });
    await recordAccountEvent(tx, { userId: user.id, kind: 'email-change-asked', request, details: { to: email } });
    const unproved = { share: 'account', sender: user.id } as const;
    if (!(await app.mail.send(tx, { ...codeMail('change-email', user, email, code), unproved }))) throw noMoreMails();
    await tellByMail(app, tx, user, 'address-change-asked', request, { fact: 'newAddress', name: email });
  });
  return { message: 'Open the link that was sent to your new address.', mailAt: whereMailIs(app.config) };
}
