import { randomBytes } from 'node:crypto';
import { recordAct } from '#features/accounts/audit/public.ts';
import { demandRecentProof, lockUser, recordAccountEvent } from '#features/accounts/public.ts';
import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { endApiKeys, endSessions, renewSession } from '#features/accounts/sessions/public.ts';
import { findUser, findUserByEmail, getMfaSince, setMfa } from '#features/accounts/users/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import { type Database, inTransaction, type Tx } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { findTotpStep, mintTotpKey, totpAddress } from '#platform/totp.ts';
import { notifyByMail } from '../access.ts';
import type { accessContract } from '../contract.ts';
import type { Reader } from '../mail.ts';
import {
  backupCodeCount,
  backupCodeSigns,
  challengeEnded,
  codeWrong,
  mfaNotSetUp,
  pendingPlace,
  readBackupCode,
  totpPlace,
  writeBackupCode,
} from '../rules/second-factor.ts';
import { toSignedIn } from '../rules/signed-in.ts';
import { createChallenge, finishSignIn } from '../sign-in/sign-in.ts';
import {
  consumeBackupCodeHash,
  countBackupCodes,
  deleteBackupCodes,
  insertBackupCodes,
} from '../store/backup-codes.ts';
import { countAttempt, deleteChallenge, deleteChallengesOf, keepPendingSecret } from '../store/challenges.ts';
import { deleteTotp, saveTotp } from '../store/totp.ts';
import { answerChallenge, consumeTotpCode, limitCodes, requireChallenge } from './challenges.ts';

/** Whether somebody has a second factor, and how many backup codes are left. */
export async function getMfa({ db }: Pick<App, 'db'>, actor: Actor): Promise<Output<typeof accessContract.readMfa>> {
  const [enabledSince, backupCodesLeft] = [await getMfaSince(db, actor), await countBackupCodes(db, actor.userId)];
  return { enabledSince, backupCodesLeft, backupCodeCount };
}

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
  const challenge = await requireChallenge(app, 'mfa-enroll', { session, actor, request });
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
    return createChallenge(tx, { purpose: 'mfa-enroll', userId, sessionId, method: 'session', door: 'user' });
  });
}

type Finish = typeof accessContract.finishEnrolment;

/**
 * Turns the second factor on, once a code shows that the app has the key. Every session ends except the caller's, which
 * gets a new token (CVE-2023-37919); the backup codes are shown this once. *Errors*: AppError unauthenticated
 * (MFA_CODE_WRONG, CHALLENGE_ENDED), forbidden (NOT_AN_ADMIN), limited.
 */
export async function finishEnrolment(
  app: Pick<App, 'db' | 'clock' | 'keyring' | 'config' | 'mail'>,
  { session, code }: Input<Finish>['body'],
  actor: Actor | null,
  request: RequestFacts,
): Promise<Output<Finish>> {
  const challenge = await requireChallenge(app, 'mfa-enroll', { session, actor, request });
  if (challenge.secret === null || !(await countAttempt(app.db, challenge.id))) throw challengeEnded();
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
    await notifyOfFactor(app, tx, user, 'mfa-enabled', request);
    const answer =
      actor && sessionId !== null
        ? toSignedIn('Multi-factor authentication is on', user, await renewSession(tx, actor, { secondFactor: true }))
        : await finishSignIn(tx, user, { method, door, secondFactor: true, request });
    return { ...answer, success: true, backupCodes };
  });
}

/**
 * Turns the second factor off and ends every other session; this one gets a new token. An administrator may, but is
 * without their rights while the install demands one.
 * *Errors*: AppError forbidden (REAUTHENTICATE), conflict (MFA_NOT_SET_UP).
 */
export async function disableMfa(
  app: Pick<App, 'db' | 'clock' | 'config' | 'mail'>,
  actor: Actor,
  request: RequestFacts,
): Promise<Output<typeof accessContract.disableMfa>> {
  demandRecentProof(actor);
  const { userId, sessionId } = actor;
  return inTransaction(app.db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user || user.mfa_enabled_at === null) throw mfaNotSetUp();
    await removeFactor(tx, userId);
    await endSessions(tx, userId, { except: sessionId });
    await notifyOfFactor(app, tx, user, 'mfa-disabled', request);
    const token = await renewSession(tx, actor, { secondFactor: false });
    return toSignedIn('Multi-factor authentication is off', user, token);
  });
}

/**
 * For somebody who has lost app, backup codes and passkeys, by the operator's own hand. Ends their sessions.
 * `same` where there is no second factor.
 */
export function disableMfaByHand(db: Database, typed: string): Promise<'changed' | 'same' | 'unknown'> {
  return inTransaction(db, async (tx) => {
    const known = await findUserByEmail(tx, canonicalEmail(typed) ?? typed);
    const user = known && (await lockUser(tx, known.id));
    if (!user) return 'unknown';
    if (user.mfa_enabled_at === null) return 'same';
    await resetFactor(tx, user.id);
    const subject = { kind: 'user', id: user.id } as const;
    await recordAct(tx, { actorId: null, action: 'mfa_reset', subject, reason: null, request: null });
    return 'changed';
  });
}

/** Takes the second factor of somebody who has lost it, and ends their sessions. False where there is none. */
export async function resetFactor(tx: Tx, userId: UserId): Promise<boolean> {
  const user = await lockUser(tx, userId);
  if (user === null || user.mfa_enabled_at === null) return false;
  await removeFactor(tx, userId);
  await endSessions(tx, userId);
  await recordAccountEvent(tx, { userId, kind: 'mfa-disabled', request: null });
  return true;
}

/** From now on no door asks for a second factor, and nothing is left of it. */
async function removeFactor(tx: Tx, userId: UserId): Promise<void> {
  await deleteTotp(tx, userId);
  await deleteBackupCodes(tx, userId);
  await deleteChallengesOf(tx, userId);
  await setMfa(tx, userId, false);
}

/** With its owner in it, so that one guess does not try everybody's codes at once. */
export function hashBackupCode(userId: UserId, code: string): Buffer {
  return hashToken(`${userId}\0${code}`);
}

/** New codes in place of all older ones. Shown this once: only their hashes are kept. */
async function renewBackupCodes(tx: Tx, userId: UserId): Promise<string[]> {
  const codes = Array.from({ length: backupCodeCount }, () => writeBackupCode(randomBytes(backupCodeSigns)));
  await deleteBackupCodes(tx, userId);
  await insertBackupCodes(
    tx,
    userId,
    codes.map((code) => hashBackupCode(userId, readBackupCode(code) ?? '')),
  );
  return codes;
}

/** New backup codes; the old ones are void. *Errors*: AppError forbidden (REAUTHENTICATE), conflict (MFA_NOT_SET_UP). */
export async function regenerateBackupCodes(
  app: Pick<App, 'db' | 'clock' | 'config' | 'mail'>,
  actor: Actor,
  request: RequestFacts,
): Promise<Output<typeof accessContract.regenerateBackupCodes>> {
  demandRecentProof(actor);
  return inTransaction(app.db, async (tx) => {
    const user = await lockUser(tx, actor.userId);
    if (!user || user.mfa_enabled_at === null) throw mfaNotSetUp();
    const backupCodes = await renewBackupCodes(tx, actor.userId);
    await notifyOfFactor(app, tx, user, 'backup-codes-made', request);
    return { backupCodes };
  });
}

/** Records a change of a person's second factor, and mails them: somebody else may have made it. */
export async function notifyOfFactor(
  app: Pick<App, 'clock' | 'config' | 'mail'>,
  tx: Tx,
  user: Reader,
  change: 'mfa-enabled' | 'mfa-disabled' | 'backup-codes-made' | 'backup-code-used',
  request: RequestFacts,
): Promise<void> {
  await recordAccountEvent(tx, { userId: user.id, kind: change, request });
  await notifyByMail(app, tx, user, change, request);
}

type Verify = typeof accessContract.verifyMfa;

/** Signs in with a code of the authenticator app, after the first proof. *Errors*: as `answerChallenge`, limited. */
export async function verifyCode(
  app: Pick<App, 'db' | 'clock' | 'keyring'>,
  { session, code }: Input<Verify>['body'],
  actor: Actor | null,
  request: RequestFacts,
): Promise<Output<Verify>> {
  const challenge = await requireChallenge(app, 'mfa-verify', { session, actor, request });
  const restore = await limitCodes(app, challenge.userId, request);
  const answer = await answerChallenge(app, challenge, request, (tx) =>
    consumeTotpCode(app, tx, challenge.userId, code),
  );
  await restore();
  return answer;
}

type Consume = typeof accessContract.consumeBackupCode;

/**
 * Signs in with a backup code, after the first proof. Nobody guesses 80 bits, so these are limited by network and
 * challenge only: somebody who is guessing at the six digits cannot keep the owner from them.
 * *Errors*: as `answerChallenge`, limited.
 */
export async function consumeBackupCode(
  app: Pick<App, 'db' | 'clock' | 'config' | 'mail'>,
  { session, code }: Input<Consume>['body'],
  actor: Actor | null,
  request: RequestFacts,
): Promise<Output<Consume>> {
  const challenge = await requireChallenge(app, 'mfa-verify', { session, actor, request });
  const { userId } = challenge;
  const plain = readBackupCode(code);
  return answerChallenge(app, challenge, request, async (tx, user) => {
    if (plain === null || !(await consumeBackupCodeHash(tx, userId, hashBackupCode(userId, plain)))) return false;
    await notifyOfFactor(app, tx, user, 'backup-code-used', request);
    return true;
  });
}
