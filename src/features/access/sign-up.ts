import { randomUUIDv7 } from 'node:crypto';
import { recordAccountEvent } from '#features/accounts/public.ts';
import { requireSignUpAllowed } from '#features/accounts/settings/public.ts';
import { createUser } from '#features/accounts/users/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { hashPassword } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import { takeNetworkAllowance } from '#platform/limits.ts';
import { demandWork } from '#platform/proof-of-work.ts';
import { noMoreMails } from '#platform/recipients.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { chooseRole } from './choose-role.ts';
import type { accessContract } from './contract.ts';
import { demandGoodPassword } from './demand-good-password.ts';
import { readAddress } from './read-address.ts';
import { busySignUp, signUpsPerNetwork } from './rules/limits.ts';
import { whereMailIs } from './rules/where-mail-is.ts';
import { sendMailCode } from './send-mail-code.ts';
import { savePassword } from './store/passwords.ts';

type SignUp = typeof accessContract.signup;

/**
 * Creates an account that can sign in once its address is confirmed, and mails the link for that. It never touches an
 * account that is there.
 * *Errors*: AppError invalid (WEAK_PASSWORD, INVALID_INPUT), conflict (EMAIL_EXISTS, CHALLENGE), forbidden (SET_UP_ENDED), limited.
 */
export async function signUp(
  app: Pick<App, 'db' | 'config' | 'clock' | 'keyring' | 'mail'>,
  body: Input<SignUp>['body'],
  request: RequestFacts,
): Promise<Output<SignUp>> {
  const email = readAddress(body.email);
  demandGoodPassword(body.password, email, 'password');
  await takeNetworkAllowance(app.db, signUpsPerNetwork, request.ip);
  await demandWork(app, busySignUp, body.solution);
  // Hashed in any case, so that a taken address does not answer sooner.
  const passwordHash = await hashPassword(body.password);
  const id = randomUUIDv7() as UserId;
  await inTransaction(app.db, async (tx) => {
    const role = await chooseRole(app, tx, body.setup);
    if (role === 'user') await requireSignUpAllowed(tx, email);
    const user = await createUser(tx, { id, email, zone: body.timezone, locale: request.tongue?.locale, role });
    if (user === null) {
      throw new AppError(
        'conflict',
        'EMAIL_EXISTS',
        'This email is already registered. Please use a different email or try logging in.',
      );
    }
    await savePassword(tx, id, passwordHash);
    await recordAccountEvent(tx, { userId: id, kind: 'signed-up', request });
    if (!(await sendMailCode(app, tx, id, 'verify'))) throw noMoreMails();
  });
  return {
    message: 'Signup successful. Open the link that was sent to your address.',
    mailAt: whereMailIs(app.config),
  };
}
