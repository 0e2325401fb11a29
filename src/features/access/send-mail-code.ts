import { lockUser } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { codeMail } from './mail.ts';
import { mintMailCode } from './mint-mail-code.ts';
import { listIdentitiesOf } from './store/identities.ts';

/**
 * Mails a link to the address of an account: to confirm it, or to choose a new password. Who is to confirm an account that
 * was made at a provider reads what opens it, as somebody else may have made it.
 */
export async function sendMailCode(
  app: Pick<App, 'config' | 'clock' | 'mail'>,
  tx: Tx,
  userId: UserId,
  purpose: 'verify' | 'reset',
): Promise<void> {
  const user = await lockUser(tx, userId);
  if (user === null) return;
  const code = await mintMailCode(app, tx, { userId, email: user.email, purpose });
  const [madeAt] = purpose === 'verify' ? await listIdentitiesOf(tx, userId) : [];
  await app.mail.send(tx, codeMail(purpose, user, user.email, code, madeAt));
}
