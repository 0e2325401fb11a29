import { randomUUIDv7 } from 'node:crypto';
import { recordAccountEvent } from '#features/accounts/public.ts';
import { requireSignUpAllowed } from '#features/accounts/settings/public.ts';
import { claimFirst, createUser, findUserByEmail, hasAdministrator } from '#features/accounts/users/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { UserRole } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashPassword, isSameSecret } from '#platform/crypto.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { takeNetworkAllowance } from '#platform/limits.ts';
import { demandWork } from '#platform/proof-of-work.ts';
import { noMoreMails } from '#platform/recipients.ts';
import type { BrowserNote, RequestFacts } from '#platform/routes.ts';
import { parseAddress } from '../addresses.ts';
import type { accessContract } from '../contract.ts';
import { askedMail } from '../jobs.ts';
import { sendMailCode } from '../mail-codes.ts';
import { requireGoodPassword } from '../proofs/passwords.ts';
import { busySignUp, signUpsPerNetwork } from '../rules/limits.ts';
import { whereMailIs } from '../rules/where-mail-is.ts';
import { savePassword } from '../store/passwords.ts';
import { spendSetUp, wasSetUp } from '../store/set-up.ts';

/** How long the browser that signed up is signed in by the mailed link. */
const signedUpSeconds = 3_600;

export const rememberSignUp = (note: BrowserNote, id: UserId): void => note.leave(id, signedUpSeconds, 'signed-up');

type SignUp = typeof accessContract.signup;

/**
 * Creates an account that can sign in once its address is confirmed, and mails the link for that. It never touches an
 * account that is there. A sign-up that nobody has confirmed does not keep the owner of the address out: the link is
 * mailed again. That link asks this browser for a password (`verifyEmail`).
 * *Errors*: AppError invalid (WEAK_PASSWORD, INVALID_INPUT), conflict (EMAIL_EXISTS, CHALLENGE), forbidden (SET_UP_ENDED), limited.
 */
export async function signUp(
  app: Pick<App, 'db' | 'config' | 'clock' | 'jobs' | 'keyring' | 'mail'>,
  body: Input<SignUp>['body'],
  note: BrowserNote,
  request: RequestFacts,
): Promise<Output<SignUp>> {
  const email = parseAddress(body.email);
  requireGoodPassword(body.password, email, 'password');
  await takeNetworkAllowance(app.db, signUpsPerNetwork, request.ip);
  await demandWork(app, busySignUp, body.solution);
  // Hashed in any case, so that a taken address does not answer sooner.
  const passwordHash = await hashPassword(body.password);
  const id = randomUUIDv7() as UserId;
  const isCreated = await inTransaction(app.db, async (tx) => {
    const role = await chooseRole(app, tx, body.setup);
    if (role === 'user') await requireSignUpAllowed(tx, email);
    const user = await createUser(tx, { id, email, zone: body.timezone, locale: request.tongue?.locale, role });
    if (user === null) {
      const known = role === 'user' ? await findUserByEmail(tx, email) : undefined;
      if (known?.email_verified_at === null) {
        const job = { userId: known.id, wanted: 'verify', request: { ...request } } as const;
        await app.jobs.send(askedMail, job, { tx });
        return false;
      }
      throw new AppError(
        'conflict',
        'EMAIL_EXISTS',
        'This email is already registered. Please use a different email or try logging in.',
      );
    }
    await savePassword(tx, id, passwordHash);
    await recordAccountEvent(tx, { userId: id, kind: 'signed-up', request });
    if (!(await sendMailCode(app, tx, id, 'verify'))) throw noMoreMails();
    return true;
  });
  if (isCreated) rememberSignUp(note, id);
  // The password of this browser's earlier sign-up may be another one than was typed now.
  else note.take('signed-up');
  return {
    message: "You're signed up! Open the link we sent to your address.",
    mailAt: whereMailIs(app.config),
  };
}

/**
 * The role of a new account. On a loopback install the first account is the administrator. On a reachable server only
 * the holder of the set-up link is, once.
 * *Errors*: AppError forbidden (SET_UP_ENDED) for a set-up link that is not ours or was used.
 */
export async function chooseRole(
  app: Pick<App, 'config' | 'keyring'>,
  tx: Tx,
  setUp: string | undefined,
): Promise<UserRole> {
  if (setUp === undefined) return !app.config.hasPublicUrl && (await claimFirst(tx)) ? 'admin' : 'user';
  if (isSameSecret(setUp, setUpToken(app)) && !(await hasAdministrator(tx)) && (await spendSetUp(tx))) return 'admin';
  throw new AppError(
    'forbidden',
    'SET_UP_ENDED',
    'This setup link is invalid or was already used. Sign up without it.',
  );
}

/**
 * Where the first administrator of a server that others can reach signs up; null where there is, or was, one, and on a
 * machine of one's own, where the first account administers. The first start prints it.
 */
export async function findSetUpLink(app: Pick<App, 'db' | 'config' | 'keyring'>): Promise<string | null> {
  if (!app.config.hasPublicUrl || (await wasSetUp(app.db)) || (await hasAdministrator(app.db))) return null;
  return `${app.config.publicUrl}/signup?setup=${setUpToken(app)}`;
}

/** Follows from the key of the install, so that every process prints and takes the same one. */
export function setUpToken({ keyring }: Pick<App, 'keyring'>): string {
  return keyring.derive('access set-up link').toString('base64url');
}
