import { lockUser, recordAccountEvent } from '#features/accounts/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import type { accessContract } from './contract.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { challengeEnded, codeWrong } from './rules/second-factor-errors.ts';
import { type Challenge, deleteChallenge, takeAttempt } from './store/challenges.ts';

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
  if (!(await takeAttempt(app.db, challenge.id))) throw challengeEnded();
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
