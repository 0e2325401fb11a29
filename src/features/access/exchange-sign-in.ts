import { lockUser } from '#features/accounts/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { BrowserNote, RequestFacts } from '#platform/routes.ts';
import type { accessContract } from './contract.ts';
import { demandStaying } from './demand-staying.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { signInServices } from './rules/sign-in-providers.ts';
import { signUpByIdentity } from './sign-up-by-identity.ts';
import { findIdentityOwner } from './store/identities.ts';
import { takeOver } from './take-over.ts';

type Exchange = typeof accessContract.exchangeSignIn;

/**
 * Gives whoever came back from a provider what any sign-in gives: a session, or what is still asked for. They are
 * recognised by issuer and subject alone; who is not gets an account, if nobody has one with their address.
 * *Errors*: AppError gone (SIGN_IN_ENDED), conflict (EMAIL_EXISTS), invalid (NO_EMAIL), forbidden (ACCOUNT_LEAVING,
 * SET_UP_ENDED; EMAIL_NOT_VERIFIED, with the address in `fields.email`), limited.
 */
export async function exchangeSignIn(
  app: App,
  note: BrowserNote,
  body: Input<Exchange>['body'],
  request: RequestFacts,
): Promise<Output<Exchange>> {
  const { person, luggage } = await takeOver(app, note, body);
  const answer = await inTransaction(app.db, async (tx) => {
    const userId = (await findIdentityOwner(tx, person)) ?? (await signUpByIdentity(app, tx, person, luggage, request));
    const user = await lockUser(tx, userId);
    if (user === null) throw new Error(`an identity of nobody: ${userId}`);
    demandStaying(user);
    // The new account stays and waits for its address to be confirmed.
    if (user.email_verified_at === null) return { waitsFor: user.email };
    return finishSignIn(tx, user, { method: person.provider, secondFactor: false, door: 'user', request });
  });
  if (!('waitsFor' in answer)) return answer;
  throw new AppError(
    'forbidden',
    'EMAIL_NOT_VERIFIED',
    `${signInServices[person.provider]} does not say whether this address is yours. Open the link that was sent there, then sign in.`,
    { fields: { email: answer.waitsFor } },
  );
}
