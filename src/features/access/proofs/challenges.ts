import { lockUser, recordAccountEvent } from '#features/accounts/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { networkOf, restoreAllowance, takeAllowance, takeNetworkAllowance } from '#platform/limits.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { findTotpStep } from '#platform/totp.ts';
import type { accessContract } from '../contract.ts';
import {
  challengeEnded,
  codesPerAccount,
  codesPerAccountAndNetwork,
  codesPerNetwork,
  codeWrong,
  totpPlace,
} from '../rules/second-factor.ts';
import { finishSignIn } from '../sign-in/sign-in.ts';
import { type Challenge, countAttempt, deleteChallenge, findChallenge, type Purpose } from '../store/challenges.ts';
import { findTotpSecret, takeStep } from '../store/totp.ts';

/**
 * Returns the challenge of a token, for a caller that may answer it. *Errors*: AppError unauthenticated
 * (CHALLENGE_ENDED), limited.
 */
export async function requireChallenge(
  app: Pick<App, 'db'>,
  purpose: Purpose,
  { session, actor, request }: { session: string; actor: Actor | null; request: RequestFacts },
): Promise<Challenge> {
  await takeNetworkAllowance(app.db, codesPerNetwork, request.ip);
  const challenge = await findChallenge(app.db, hashToken(session), purpose);
  // a challenge of a session belongs to that session, whoever has its token
  const isTheirs = challenge && (challenge.sessionId === null || challenge.sessionId === actor?.sessionId);
  if (!isTheirs) throw challengeEnded();
  return challenge;
}

type LockedUser = NonNullable<Awaited<ReturnType<typeof lockUser>>>;

/**
 * Ends a sign-in that waits for its second factor: challenge and code are used up together, or neither is. The attempt
 * counts in any case.
 * *Errors*: AppError unauthenticated (MFA_CODE_WRONG, CHALLENGE_ENDED), forbidden (NOT_AN_ADMIN).
 */
export async function answerChallenge(
  app: Pick<App, 'db'>,
  challenge: Challenge,
  request: RequestFacts,
  take: (tx: Tx, user: LockedUser) => Promise<boolean>,
): Promise<Output<typeof accessContract.login>> {
  if (!(await countAttempt(app.db, challenge.id))) throw challengeEnded();
  const { userId, method, door } = challenge;
  const answer = await inTransaction(app.db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (user === null) throw challengeEnded();
    if (!(await take(tx, user))) return null;
    if (!(await deleteChallenge(tx, challenge.id))) throw challengeEnded();
    return finishSignIn(tx, { id: userId }, { method, door, secondFactor: true, request });
  });
  if (answer !== null) return answer;
  await recordAccountEvent(app.db, { userId, kind: 'mfa-failed', request });
  throw codeWrong();
}

/**
 * Counts a guess at somebody's six digits before it is looked at. Gives what to call when it was right.
 * *Errors*: AppError limited.
 */
export async function limitCodes(
  { db }: Pick<App, 'db'>,
  userId: UserId,
  request: RequestFacts,
): Promise<() => Promise<void>> {
  const pair = `${userId}\0${networkOf(request.ip)}`;
  await takeAllowance(db, codesPerAccountAndNetwork, pair);
  await takeAllowance(db, codesPerAccount, userId);
  return () => restoreAllowance(db, codesPerAccountAndNetwork, pair);
}

/**
 * Whether this is a code of somebody's authenticator app that has not been used, which it then is; callers side by side
 * get one yes between them. Count the guess first (`limitCodes`).
 */
export async function consumeTotpCode(
  app: Pick<App, 'clock' | 'keyring'>,
  tx: Tx,
  userId: UserId,
  code: string,
): Promise<boolean> {
  const sealed = await findTotpSecret(tx, userId);
  if (sealed === null) return false;
  const step = findTotpStep(app.keyring.open(sealed, totpPlace(userId)), code, app.clock.nowMs());
  return step !== null && (await takeStep(tx, userId, step));
}
