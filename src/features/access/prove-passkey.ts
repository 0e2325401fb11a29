import { recordAccountEvent } from '#features/accounts/public.ts';
import type { Input } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { checkAssertion } from '#platform/webauthn.ts';
import type { accessContract } from './contract.ts';
import { userHandleOf } from './rules/passkey.ts';
import { findPasskeyByCredential, recordUse } from './store/passkeys.ts';

type Answer = Input<typeof accessContract.verifyPasskey>['body']['passkey'];

/**
 * The owner of the passkey that signed this challenge for this address. It verified its holder (PIN, finger, face), so
 * both factors are proved at once. The use is counted. `owner` is the person whose it must be, if that is known.
 * *Errors*: AppError forbidden (PASSKEY_REFUSED), the same for an unknown one, another person's, a wrong answer, a copy.
 */
export async function provePasskey(
  app: Pick<App, 'db' | 'config' | 'log'>,
  proof: { challenge: string; answer: Answer; owner?: UserId; request: RequestFacts },
): Promise<UserId> {
  const { userHandle, ...assertion } = proof.answer;
  const passkey = await findPasskeyByCredential(app.db, Buffer.from(assertion.id, 'base64url'));
  if (!passkey || (proof.owner !== undefined && proof.owner !== passkey.user_id)) throw passkeyRefused();
  const { user_id: userId, name } = passkey;
  const isForThem = userHandle == null || userHandle === userHandleOf(userId);
  const signCount = isForThem ? await checkAssertion(app, proof.challenge, assertion, passkey.public_key) : null;
  if (signCount === null || !(await recordUse(app.db, passkey.id, signCount))) {
    const details = { name, reason: signCount === null ? 'answer' : 'copy' };
    await recordAccountEvent(app.db, { userId, kind: 'passkey-refused', request: proof.request, details });
    throw passkeyRefused();
  }
  return userId;
}

export const passkeyRefused = () =>
  new AppError('forbidden', 'PASSKEY_REFUSED', 'This passkey is not known here, or it could not be checked.');
