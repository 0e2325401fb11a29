import { lockUser } from '#features/accounts/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { takeNetworkAllowance } from '#platform/limits.ts';
import type { BrowserNote, RequestFacts } from '#platform/routes.ts';
import type { accessContract } from './contract.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { passkeyRefused, provePasskey } from './prove-passkey.ts';
import { passkeysPerNetwork, signInPurpose } from './rules/passkey.ts';
import { findPasskeyByCredential } from './store/passkeys.ts';
import { takeChallenge } from './take-challenge.ts';

type Verify = typeof accessContract.verifyPasskey;

/**
 * Signs in whoever the passkey belongs to. It was unlocked by its person, so no second factor is asked for.
 * *Errors*: AppError gone (CHALLENGE_ENDED), forbidden (PASSKEY_REFUSED, NOT_AN_ADMIN), limited.
 */
export async function signInWithPasskey(
  app: Pick<App, 'db' | 'config' | 'clock' | 'log'>,
  { passkey, app: door = 'user' }: Input<Verify>['body'],
  note: BrowserNote,
  request: RequestFacts,
): Promise<Output<Verify>> {
  await takeNetworkAllowance(app.db, passkeysPerNetwork, request.ip);
  const challenge = await takeChallenge(app, note, signInPurpose);
  const id = await provePasskey(app, { challenge, answer: passkey, request });
  return inTransaction(app.db, async (tx) => {
    await lockUser(tx, id);
    // Removed since it was checked: whoever removed it has ended the sessions it opened, and wants no other.
    if (!(await findPasskeyByCredential(tx, Buffer.from(passkey.id, 'base64url')))) throw passkeyRefused();
    return finishSignIn(tx, { id }, { method: 'passkey', secondFactor: true, door, request });
  });
}
