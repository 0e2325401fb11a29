import { lockUser } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { codeMail } from './mail.ts';
import { mintMailCode } from './mint-mail-code.ts';

/** Mails a link to the address of an account: to confirm it, or to choose a new password. */
export async function sendMailCode(
  app: Pick<App, 'config' | 'clock' | 'mail'>,
  tx: Tx,
  userId: UserId,
  purpose: 'verify' | 'reset',
): Promise<void> {
  const user = await lockUser(tx, userId);
  if (user === null) return;
  const code = await mintMailCode(app, tx, { userId, email: user.email, purpose });
  await app.mail.send(tx, codeMail(purpose, user, user.email, code));
}
