import { hasSignedInFrom } from '#features/accounts/audit/public.ts';
import { lockUser } from '#features/accounts/public.ts';
import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { findUserOrLeaver } from '#features/accounts/users/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { verifyPassword } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import { networkOf, restoreAllowance, takeAllowance, takeAllowances, takeSiteAllowance } from '#platform/limits.ts';
import type { BrowserNote, RequestFacts } from '#platform/routes.ts';
import type { accessContract } from './contract.ts';
import { findDevice } from './find-device.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { failedSignIn } from './jobs.ts';
import { perAccount, perAccountAndNetwork, signInsPerNetwork } from './rules/limits.ts';
import { findPasswordHash } from './store/passwords.ts';

type Login = typeof accessContract.login;

/**
 * Signs in with e-mail and password. An account that does not exist costs the same work and gives the same answer.
 * *Errors*: AppError unauthenticated (WRONG_CREDENTIALS), forbidden (NOT_AN_ADMIN; EMAIL_NOT_VERIFIED and
 * ACCOUNT_LEAVING, told to nobody without the password), limited.
 */
export async function signIn(
  app: Pick<App, 'db' | 'jobs'>,
  body: Input<Login>['body'],
  note: BrowserNote,
  request: RequestFacts,
): Promise<Output<Login>> {
  // Other input than an address is looked up all the same, and limited by its text.
  const email = canonicalEmail(body.email) ?? body.email;
  const network = networkOf(request.ip);
  // Taken before the password is looked at: attempts side by side count too.
  const user = await findUserOrLeaver(app.db, email);
  // Asked for in vain where there is nobody, so that this takes as long.
  const userId = user?.id ?? nobody;
  const device = findDevice(note, userId);
  const pair = `${email}\0${device ?? network}`;
  await takeAllowance(app.db, perAccountAndNetwork, pair);
  const isKnown = (await hasSignedInFrom(app.db, userId, network)) || device !== null;
  if (!isKnown) await takeSiteAllowance(app.db, signInsPerNetwork, request.ip);
  await takeFromAccount(app, email, isKnown);
  const hash = await findPasswordHash(app.db, userId);
  const matches = await verifyPassword(body.password, hash, isKnown ? 'known' : 'stranger');
  if (!user || hash === null || !matches) {
    // For nobody too, so that this takes as long. Nothing that was typed is written down: it may be a password in the
    // wrong field, or the address of somebody who has nothing to do with this place.
    await app.jobs.send(failedSignIn, { userId: user?.id ?? null, request: { ...request } });
    throw wrongCredentials();
  }
  await restoreAllowance(app.db, perAccountAndNetwork, pair);
  if (user.email_verified_at === null) {
    throw new AppError(
      'forbidden',
      'EMAIL_NOT_VERIFIED',
      'Confirm your e-mail address first: open the link that was sent to it, or have it sent again.',
    );
  }
  const door = body.app ?? 'user';
  return inTransaction(app.db, async (tx) => {
    await lockUser(tx, user.id);
    // Changed since it was compared: whoever changed it has ended the sessions that were open then, and wants no other.
    if ((await findPasswordHash(tx, user.id)) !== hash) throw wrongCredentials();
    return finishSignIn(tx, user, { method: 'password', secondFactor: false, door, request });
  });
}

const nobody = '00000000-0000-0000-0000-000000000000' as UserId;

function wrongCredentials(): AppError {
  return new AppError('unauthenticated', 'WRONG_CREDENTIALS', 'The e-mail address or the password is wrong.');
}

/** While an account is under attack it is closed to networks and browsers it never signed in from, and open to those of its owner. */
async function takeFromAccount(app: Pick<App, 'db'>, email: string, isKnown: boolean): Promise<void> {
  if (isKnown) await takeAllowances(app.db, perAccount, [email]);
  else await takeAllowance(app.db, perAccount, email);
}
