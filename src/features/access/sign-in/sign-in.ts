import { randomUUIDv7 } from 'node:crypto';
import { hasSignedInFrom, recordAct } from '#features/accounts/audit/public.ts';
import { lockUser, recordAccountEvent } from '#features/accounts/public.ts';
import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { openSession } from '#features/accounts/sessions/public.ts';
import { requiresAdminMfa } from '#features/accounts/settings/public.ts';
import { findUserOrLeaver } from '#features/accounts/users/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { hashToken, mintToken, verifyPassword } from '#platform/crypto.ts';
import { type Database, inTransaction, type Tx } from '#platform/db.ts';
import { networkOf, restoreAllowance, takeAllowance, takeAllowances, takeSiteAllowance } from '#platform/limits.ts';
import type { BrowserNote, RequestFacts } from '#platform/routes.ts';
import type { accessContract } from '../contract.ts';
import { failedSignIn } from '../jobs.ts';
import { perAccount, perAccountAndNetwork, signInsPerNetwork } from '../rules/limits.ts';
import { nextStep, type Proven } from '../rules/second-factor.ts';
import { toChallenged, toSignedIn } from '../rules/signed-in.ts';
import { insertChallenge, type NewChallenge } from '../store/challenges.ts';
import { findPasswordHash } from '../store/passwords.ts';
import { findDevice } from './devices.ts';

type Login = typeof accessContract.login;

/**
 * Signs in with e-mail and password. An account that does not exist costs the same work and gives the same answer.
 * *Errors*: AppError unauthenticated (WRONG_CREDENTIALS), forbidden (NOT_AN_ADMIN; EMAIL_NOT_VERIFIED and
 * ACCOUNT_LEAVING, told to nobody without the password), limited.
 */
export async function signIn(
  app: Pick<App, 'db' | 'jobs'>,
  body: Input<Login>['body'],
  note: BrowserNote,
  request: RequestFacts,
): Promise<Output<Login>> {
  // Other input than an address is looked up all the same, and limited by its text.
  const email = canonicalEmail(body.email) ?? body.email;
  const network = networkOf(request.ip);
  // Taken before the password is looked at: attempts side by side count too.
  const user = await findUserOrLeaver(app.db, email);
  // Asked for in vain where there is nobody, so that this takes as long.
  const userId = user?.id ?? nobody;
  const device = findDevice(note, userId);
  const pair = `${email}\0${device ?? network}`;
  await takeAllowance(app.db, perAccountAndNetwork, pair);
  const isKnown = (await hasSignedInFrom(app.db, userId, network)) || device !== null;
  if (!isKnown) await takeSiteAllowance(app.db, signInsPerNetwork, request.ip);
  await takeFromAccount(app, email, isKnown);
  const hash = await findPasswordHash(app.db, userId);
  const matches = await verifyPassword(body.password, hash, isKnown ? 'known' : 'stranger');
  if (!user || hash === null || !matches) {
    // For nobody too, so that this takes as long. Nothing that was typed is written down: it may be a password in the
    // wrong field, or the address of somebody who has nothing to do with this place.
    await app.jobs.send(failedSignIn, { userId: user?.id ?? null, request: { ...request } });
    throw wrongCredentials();
  }
  await restoreAllowance(app.db, perAccountAndNetwork, pair);
  if (user.email_verified_at === null) {
    throw new AppError(
      'forbidden',
      'EMAIL_NOT_VERIFIED',
      'Confirm your email address first. Open the link we sent you, or request a new one.',
    );
  }
  const door = body.app ?? 'user';
  return inTransaction(app.db, async (tx) => {
    await lockUser(tx, user.id);
    // changed since it was compared: the change ended the open sessions, and must prevent new ones
    if ((await findPasswordHash(tx, user.id)) !== hash) throw wrongCredentials();
    return finishSignIn(tx, user, { method: 'password', secondFactor: false, door, request });
  });
}

const nobody = '00000000-0000-0000-0000-000000000000' as UserId;

function wrongCredentials(): AppError {
  return new AppError('unauthenticated', 'WRONG_CREDENTIALS', 'Wrong email or password.');
}

/** While an account is under attack it is closed to networks and browsers it never signed in from, and open to those of its owner. */
async function takeFromAccount(app: Pick<App, 'db'>, email: string, isKnown: boolean): Promise<void> {
  if (isKnown) await takeAllowances(app.db, perAccount, [email]);
  else await takeAllowance(app.db, perAccount, email);
}

/**
 * Refuses somebody whose account is being deleted or suspended, at every way in, once they have proved who they are. To
 * anybody else it is an account like any other. *Errors*: AppError forbidden (ACCOUNT_LEAVING, ACCOUNT_SUSPENDED); declare
 * them in the endpoint's contract.
 */
export function requireOpenAccount(user: {
  leaving_at: Temporal.Instant | null;
  suspended_at: Temporal.Instant | null;
}): void {
  if (user.leaving_at === null && user.suspended_at !== null) {
    throw new AppError(
      'forbidden',
      'ACCOUNT_SUSPENDED',
      'This account is suspended. Your data is safe. Contact your administrator.',
    );
  }
  if (user.leaving_at === null) return;
  throw new AppError(
    'forbidden',
    'ACCOUNT_LEAVING',
    "This account is being deleted. We'll email you when it's done. You can then use the address again.",
  );
}

/** How somebody has proved who they are, as far as they have. */
interface Proof extends Proven {
  /** The way they came: `password`, `passkey`, `google`, ... */
  method: string;
  request: RequestFacts;
}

/**
 * The last step of every way in, and the only one that opens a session: what it answers is what a sign-in answers. Where
 * a second factor is still asked for, that is a challenge.
 * *Errors*: AppError forbidden (ACCOUNT_LEAVING, NOT_AN_ADMIN), unauthenticated where the account is gone.
 */
export async function finishSignIn(
  tx: Tx,
  { id }: { id: UserId },
  proof: Proof,
): Promise<Output<typeof accessContract.login>> {
  const { method, secondFactor, door, request } = proof;
  // locked: a concurrent setup of a second factor waits for this transaction, and then ends this session too
  const user = await lockUser(tx, id);
  if (user === null) throw new AppError('unauthenticated', 'UNAUTHENTICATED', 'This account no longer exists.');
  requireOpenAccount(user);
  if (door === 'admin' && user.role !== 'admin') {
    throw new AppError(
      'forbidden',
      'NOT_AN_ADMIN',
      "This account isn't an administrator. Use the regular sign-in page.",
    );
  }
  const next = nextStep(user, proof, door === 'admin' && (await requiresAdminMfa(tx)));
  if (next === null) {
    await recordAccountEvent(tx, { userId: id, kind: 'signed-in', request, details: { method, secondFactor } });
    if (user.role === 'admin') {
      const subject = { kind: 'user', id } as const;
      await recordAct(tx, {
        actorId: id,
        action: 'login',
        subject,
        reason: null,
        request,
        details: { method, secondFactor },
      });
    }
    return toSignedIn('Login successful', user, await openSession(tx, user, { method, secondFactor, request }));
  }
  const purpose = next === 'MFA_REQUIRED' ? 'mfa-verify' : 'mfa-enroll';
  return toChallenged(
    next,
    user,
    await createChallenge(tx, { purpose, userId: user.id, sessionId: null, method, door }),
  );
}

/** A token for the way from the first proof to the second; it opens nothing else. */
export async function createChallenge(db: Database, asked: Omit<NewChallenge, 'id' | 'tokenHash'>): Promise<string> {
  const token = mintToken();
  await insertChallenge(db, { ...asked, id: randomUUIDv7(), tokenHash: hashToken(token) });
  return token;
}
