import { findUserByEmail } from '#features/accounts/public.ts';
import { canonicalEmail } from '#features/accounts/rules/email.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import { verifyPassword } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import { networkOf, restoreAllowance, takeAllowance } from '#platform/limits.ts';
import type { RequestFacts } from '#platform/routes.ts';
import type { accessContract } from './contract.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { perAccount, perAccountAndNetwork, perNetwork } from './rules/sign-in-limits.ts';
import { findPasswordHash } from './store/passwords.ts';

type Login = typeof accessContract.login;

/**
 * Signs in with e-mail and password. An account that does not exist costs the same work and gives the same answer.
 * *Errors*: AppError unauthenticated (WRONG_CREDENTIALS), forbidden (NOT_AN_ADMIN), limited.
 */
export async function signIn(
  app: Pick<App, 'db'>,
  body: Input<Login>['body'],
  request: RequestFacts,
): Promise<Output<Login>> {
  // What is no address is looked for all the same, and limited under what was typed.
  const email = canonicalEmail(body.email) ?? body.email;
  const network = networkOf(request.ip);
  const pair = `${email}\0${network}`;
  // Taken before the password is looked at: attempts side by side count too.
  await takeAllowance(app.db, perNetwork, network);
  await takeAllowance(app.db, perAccountAndNetwork, pair);
  await takeAllowance(app.db, perAccount, email);
  const user = await findUserByEmail(app.db, email);
  const matches = await verifyPassword(body.password, user ? await findPasswordHash(app.db, user.id) : null);
  if (!user || !matches) {
    throw new AppError('unauthenticated', 'WRONG_CREDENTIALS', 'The e-mail address or the password is wrong.');
  }
  await restoreAllowance(app.db, perAccountAndNetwork, pair);
  const door = body.app ?? 'user';
  return inTransaction(app.db, (tx) =>
    finishSignIn(app, tx, user, { method: 'password', secondFactor: false, door, request }),
  );
}
