import { lockUser } from '#features/accounts/public.ts';
import { endApiKeys, endSessions, renewSession } from '#features/accounts/sessions/public.ts';
import { setMfa } from '#features/accounts/users/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { findTotpStep } from '#platform/totp.ts';
import type { accessContract } from './contract.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { meetChallenge } from './meet-challenge.ts';
import { renewBackupCodes } from './renew-backup-codes.ts';
import { pendingPlace, totpPlace } from './rules/second-factor.ts';
import { challengeEnded, codeWrong } from './rules/second-factor-errors.ts';
import { toSignedIn } from './rules/signed-in.ts';
import { deleteChallenge, deleteChallengesOf, takeAttempt } from './store/challenges.ts';
import { saveTotp } from './store/totp.ts';
import { tellAboutFactor } from './tell-about-factor.ts';

type Finish = typeof accessContract.finishEnrolment;

/**
 * Turns the second factor on, once a code shows that the app has the key. Every session ends except that of whoever did
 * it, which gets a new token (CVE-2023-37919); the backup codes are shown this once.
 * *Errors*: AppError unauthenticated (MFA_CODE_WRONG, CHALLENGE_ENDED), forbidden (NOT_AN_ADMIN), limited.
 */
export async function finishEnrolment(
  app: Pick<App, 'db' | 'clock' | 'keyring' | 'config' | 'mail'>,
  { session, code }: Input<Finish>['body'],
  actor: Actor | null,
  request: RequestFacts,
): Promise<Output<Finish>> {
  const challenge = await meetChallenge(app, 'mfa-enroll', { session, actor, request });
  if (challenge.secret === null || !(await takeAttempt(app.db, challenge.id))) throw challengeEnded();
  const key = app.keyring.open(challenge.secret, pendingPlace(challenge.id));
  const step = findTotpStep(key, code, app.clock.nowMs());
  if (step === null) throw codeWrong();
  const { userId, sessionId, method, door } = challenge;
  return inTransaction(app.db, async (tx) => {
    const user = await lockUser(tx, userId);
    // On the way in a password is no leave to replace the app that somebody has by now.
    if (!user || (sessionId === null && user.mfa_enabled_at !== null)) throw challengeEnded();
    if (!(await deleteChallenge(tx, challenge.id))) throw challengeEnded();
    await saveTotp(tx, userId, app.keyring.seal(key, totpPlace(userId)), step);
    await setMfa(tx, userId, true);
    const backupCodes = await renewBackupCodes(tx, userId);
    await deleteChallengesOf(tx, userId);
    await endSessions(tx, userId, { except: sessionId ?? undefined });
    await endApiKeys(app, tx, user, { madeWithoutFactor: true }, { request });
    await tellAboutFactor(app, tx, user, 'mfa-enabled', request);
    const answer =
      actor && sessionId !== null
        ? toSignedIn('Multi-factor authentication is on', user, await renewSession(tx, actor, { secondFactor: true }))
        : await finishSignIn(tx, user, { method, door, secondFactor: true, request });
    return { ...answer, success: true, backupCodes };
  });
}
