import { demandRecentProof } from '#features/accounts/public.ts';
import { findUser } from '#features/accounts/users/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { mintTotpKey, totpAddress } from '#platform/totp.ts';
import type { accessContract } from './contract.ts';
import { meetChallenge } from './meet-challenge.ts';
import { openChallenge } from './open-challenge.ts';
import { pendingPlace } from './rules/second-factor.ts';
import { challengeEnded } from './rules/second-factor-errors.ts';
import { deleteChallengesOf, keepPendingSecret } from './store/challenges.ts';

type Start = typeof accessContract.startEnrolment;

/**
 * Gives the key for an authenticator app, which counts only when `finishEnrolment` has seen a code of it: on the way in,
 * with the challenge of the sign-in, or for somebody signed in who has just proved who they are.
 * *Errors*: AppError unauthenticated (UNAUTHENTICATED, CHALLENGE_ENDED), forbidden (REAUTHENTICATE), limited.
 */
export async function startEnrolment(
  app: Pick<App, 'db' | 'keyring' | 'brand'>,
  body: Input<Start>['body'],
  actor: Actor | null,
  request: RequestFacts,
): Promise<Output<Start>> {
  const session = body.session ?? (await askFromSession(app, actor));
  const challenge = await meetChallenge(app, 'mfa-enroll', { session, actor, request });
  const place = pendingPlace(challenge.id);
  const kept = await keepPendingSecret(app.db, challenge.id, app.keyring.seal(mintTotpKey(), place));
  const user = await findUser(app.db, challenge.userId);
  // On the way in a password is no leave to replace the app that somebody has by now.
  if (kept === null || !user || (challenge.sessionId === null && user.mfa_enabled_at !== null)) throw challengeEnded();
  const key = app.keyring.open(kept, place);
  // as it stands in the list of an authenticator app, before the address; its colon parts the two
  const issuer = app.brand.current().name.replaceAll(':', ' ');
  return { otpauth: totpAddress(key, { issuer, account: user.email }), base32Secret: key, session };
}

function askFromSession(app: Pick<App, 'db'>, actor: Actor | null): Promise<string> {
  if (!actor) throw new AppError('unauthenticated', 'UNAUTHENTICATED', 'Authentication required');
  demandRecentProof(actor);
  const { userId, sessionId } = actor;
  return inTransaction(app.db, async (tx) => {
    await deleteChallengesOf(tx, userId);
    return openChallenge(tx, { purpose: 'mfa-enroll', userId, sessionId, method: 'session', door: 'user' });
  });
}
