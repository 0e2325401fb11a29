import { randomUUIDv7 } from 'node:crypto';
import { createUser, openSession } from '#features/accounts/public.ts';
import { canonicalEmail } from '#features/accounts/rules/email.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { hashPassword } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import { networkOf, takeAllowance } from '#platform/limits.ts';
import type { RequestFacts } from '#platform/routes.ts';
import type { accessContract } from './contract.ts';
import { passwordProblem } from './rules/password.ts';
import { signUpsPerNetwork } from './rules/sign-in-limits.ts';
import { toSignedIn } from './rules/signed-in.ts';
import { savePassword } from './store/passwords.ts';

type SignUp = typeof accessContract.signup;

/**
 * Creates an account and its first session; the first account of an install administers it.
 * *Errors*: AppError invalid (WEAK_PASSWORD, INVALID_INPUT), conflict (EMAIL_EXISTS), limited.
 */
export async function signUp(
  app: Pick<App, 'db'>,
  body: Input<SignUp>['body'],
  request: RequestFacts,
): Promise<Output<SignUp>> {
  const email = canonicalEmail(body.email);
  if (email === null) {
    const message = 'This is not an e-mail address.';
    throw new AppError('invalid', 'INVALID_INPUT', message, { fields: { email: message } });
  }
  const problem = passwordProblem(body.password, email);
  if (problem !== null) throw new AppError('invalid', 'WEAK_PASSWORD', problem, { fields: { password: problem } });
  await takeAllowance(app.db, signUpsPerNetwork, networkOf(request.ip));
  // Hashed in any case, so that a taken address does not answer sooner.
  const passwordHash = await hashPassword(body.password);
  const id = randomUUIDv7() as UserId;
  return inTransaction(app.db, async (tx) => {
    const user = await createUser(tx, { id, email, zone: body.timezone });
    if (user === null) {
      throw new AppError(
        'conflict',
        'EMAIL_EXISTS',
        'This email is already registered. Please use a different email or try logging in.',
      );
    }
    await savePassword(tx, id, passwordHash);
    return toSignedIn(
      'Signup successful',
      user,
      await openSession(tx, user, { method: 'password', secondFactor: false, request }),
    );
  });
}
