import { lockUser } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { takeMail } from '#platform/recipients.ts';
import { codeMail } from './mail.ts';
import { mintMailCode } from './mint-mail-code.ts';
import { listIdentitiesOf } from './store/identities.ts';

/**
 * Mails a link to the address of an account: to confirm it, or to choose a new password. Who is to confirm an account that
 * was made at a provider reads what opens it, as somebody else may have made it. False: the address is unproved, and gets no
 * more mails for now.
 */
export async function sendMailCode(
  app: Pick<App, 'config' | 'clock' | 'mail'>,
  tx: Tx,
  userId: UserId,
  purpose: 'verify' | 'reset',
): Promise<boolean> {
  const user = await lockUser(tx, userId);
  if (user === null) return false;
  // one sender for all accounts: each may have an address of the same mailbox
  const source = { share: 'account', sender: 'sign-up' } as const;
  const isProved = user.email_verified_at !== null;
  // before a code is made, which would end the link that the reader has
  if (!isProved && !(await takeMail(tx, user.email, source))) return false;
  const code = await mintMailCode(app, tx, { userId, email: user.email, purpose });
  const [madeAt] = purpose === 'verify' ? await listIdentitiesOf(tx, userId) : [];
  const mail = codeMail(purpose, user, user.email, code, madeAt);
  return app.mail.send(tx, isProved ? mail : { ...mail, unproved: { ...source, as: 'counted' } });
}
