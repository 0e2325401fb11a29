import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demandRecentProof, lockUser, recordAccountEvent } from '#features/accounts/public.ts';
import { endLastingAccess, endSessions, renewSession } from '#features/accounts/sessions/public.ts';
import { confirmAddress, findUser } from '#features/accounts/users/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashPassword } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { notifyByMail } from '../access.ts';
import type { accessContract } from '../contract.ts';
import { checkMailCode, codeInvalid } from '../mail-codes.ts';
import { passwordChangesPerAccount } from '../rules/limits.ts';
import { passwordProblem } from '../rules/password.ts';
import { requireOpenAccount } from '../sign-in/sign-in.ts';
import { deleteIdentitiesOf } from '../store/identities.ts';
import { deleteMailCodes, spendMailCode } from '../store/mail-codes.ts';
import { savePassword } from '../store/passwords.ts';

/** Made by `scripts/make-password-list.ts`: the first 32 bits of each SHA-256, ascending, little-endian. */
const path = join(import.meta.dirname, 'leaked-passwords.bin');
const prefixes = readList();

/**
 * Whether a password (in lower case) is in the list of common and leaked ones. About four in a million other passwords
 * are refused by mistake. The list has 72 kB. *Source*: decision 0015.
 */
export function isLeakedPassword(plain: string): boolean {
  const wanted = createHash('sha256').update(plain, 'utf8').digest().readUInt32LE();
  let [from, to] = [0, prefixes.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((prefixes[middle] ?? 0) < wanted) from = middle + 1;
    else to = middle;
  }
  return prefixes[from] === wanted;
}

function readList(): Uint32Array {
  const bytes = readFileSync(path);
  return Uint32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readUInt32LE(at * 4));
}

/** *Errors*: AppError invalid (WEAK_PASSWORD), with the reason also under the name of the field it came in. */
export function requireGoodPassword(password: string, email: string, field: string): void {
  const problem = passwordProblem(password, email, isLeakedPassword);
  if (problem !== null) throw new AppError('invalid', 'WEAK_PASSWORD', problem, { fields: { [field]: problem } });
}

/**
 * Changes the password, or sets the first one of an account with other sign-in methods. Every other session ends, and
 * API keys and published feeds if requested. This session continues under a new token. *Errors*: AppError forbidden
 * (REAUTHENTICATE), invalid (WEAK_PASSWORD), limited.
 */
export async function changePassword(
  app: Pick<App, 'db' | 'config' | 'clock' | 'mail' | 'news'>,
  actor: Actor,
  { newPassword, endKeys }: { newPassword: string; endKeys: boolean },
  request: RequestFacts,
): Promise<{ message: string; session_token: string }> {
  demandRecentProof(actor);
  const user = await findUser(app.db, actor.userId);
  if (user === undefined) throw new AppError('unauthenticated', 'UNAUTHENTICATED', 'This account no longer exists.');
  requireGoodPassword(newPassword, user.email, 'new_password');
  await takeAllowance(app.db, passwordChangesPerAccount, actor.userId);
  const passwordHash = await hashPassword(newPassword, 'known');
  return inTransaction(app.db, async (tx) => {
    await lockUser(tx, user.id);
    const token = await renewSession(tx, actor);
    await savePassword(tx, user.id, passwordHash);
    await deleteMailCodes(tx, user.id);
    await endSessions(tx, user.id, { except: actor.sessionId });
    if (endKeys) await endLastingAccess(app, tx, user, request);
    await recordAccountEvent(tx, { userId: user.id, kind: 'password-changed', request });
    await notifyByMail(app, tx, user, 'password-changed', request);
    return { message: 'Password changed. Every other device was signed out.', session_token: token };
  });
}

type Reset = typeof accessContract.resetPassword;

/**
 * Sets a new password by a mailed code, which also proves the account's address. The code of a sign-up does so too, so
 * that an account that a stranger made with this address keeps nothing of theirs. All sessions, API keys and published
 * feeds end. Other mailed links are void, also those for a change of address. Nobody is signed in, so that a second
 * factor is still required. *Errors*: AppError invalid (CODE_INVALID, WEAK_PASSWORD: the code stays good), forbidden
 * (ACCOUNT_LEAVING), limited.
 */
export async function resetPassword(
  app: Pick<App, 'db' | 'config' | 'clock' | 'mail' | 'news'>,
  body: Input<Reset>['body'],
  request: RequestFacts,
): Promise<Output<Reset>> {
  const given = await checkMailCode(app, body, ['reset', 'verify'], request);
  requireGoodPassword(body.new_password, given.email, 'new_password');
  const passwordHash = await hashPassword(body.new_password, 'known');
  await inTransaction(app.db, async (tx) => {
    const user = await lockUser(tx, given.userId);
    if (user === null || !(await spendMailCode(tx, given))) throw codeInvalid();
    requireOpenAccount(user);
    const isSignUp = given.purpose === 'verify';
    if (isSignUp && user.email_verified_at !== null) throw codeInvalid();
    if (!(await confirmAddress(tx, user.id, given.email))) throw codeInvalid();
    // Identities that a squatter of the address linked must not sign in once it is confirmed.
    if (user.email_verified_at === null) await deleteIdentitiesOf(tx, user.id);
    await savePassword(tx, user.id, passwordHash);
    await deleteMailCodes(tx, user.id);
    await endSessions(tx, user.id);
    await endLastingAccess(app, tx, user, request);
    await recordAccountEvent(tx, { userId: user.id, kind: isSignUp ? 'email-verified' : 'password-reset', request });
    if (!isSignUp) await notifyByMail(app, tx, user, 'password-reset', request);
  });
  return {
    message:
      given.purpose === 'verify'
        ? 'Your address is confirmed. You can sign in now.'
        : 'Password reset successfully. Please log in with your new password.',
  };
}
