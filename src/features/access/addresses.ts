import { demandRecentProof, lockUser, recordAccountEvent } from '#features/accounts/public.ts';
import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { endSessions } from '#features/accounts/sessions/public.ts';
import {
  addressIsTaken,
  confirmAddress,
  deleteUnconfirmed,
  findUserByEmail,
  replaceAddress,
} from '#features/accounts/users/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { takeAllowance, takeNetworkAllowance } from '#platform/limits.ts';
import { demandWork } from '#platform/proof-of-work.ts';
import { noMoreMails } from '#platform/recipients.ts';
import type { BrowserNote, RequestFacts } from '#platform/routes.ts';
import { notifyByMail } from './access.ts';
import type { accessContract } from './contract.ts';
import { askedMail } from './jobs.ts';
import { codeMail, type Reader } from './mail.ts';
import { checkMailCode, codeInvalid, mintMailCode } from './mail-codes.ts';
import { addressChangesPerAccount, busyMail, mailsAskedPerNetwork } from './rules/limits.ts';
import type { MailCodePurpose } from './rules/mail-code.ts';
import { whereMailIs } from './rules/where-mail-is.ts';
import { finishSignIn, requireOpenAccount } from './sign-in/sign-in.ts';
import { listIdentitiesOf } from './store/identities.ts';
import { deleteMailCodes, spendMailCode } from './store/mail-codes.ts';

/** The canonical form of a typed address. *Errors*: AppError invalid for other input. */
export function parseAddress(typed: string): string {
  const email = canonicalEmail(typed);
  if (email !== null) return email;
  const message = 'Enter a valid email address.';
  throw new AppError('invalid', 'INVALID_INPUT', message, { fields: { email: message } });
}

const messages = {
  verify: "If an account is waiting for this address to be confirmed, we've sent a new link.",
  reset: "If this address has an account, we've sent a link to choose a new password.",
};

/** Mails that anybody may request for an address without proving that it is theirs. */
type AskedMail = keyof typeof messages & MailCodePurpose;

/**
 * Has a mail sent to an address that somebody typed. Whether there is an account is neither told nor to be seen from the
 * time this takes: the work is a job's, which holds nothing of what was typed.
 * *Errors*: AppError invalid (no address), conflict (CHALLENGE), limited.
 */
export async function requestMail(
  app: Pick<App, 'db' | 'jobs' | 'config' | 'keyring' | 'clock'>,
  { email: typed, solution }: { email: string; solution?: string | undefined },
  wanted: AskedMail,
  request: RequestFacts,
): Promise<{ message: string; mailAt: string | null }> {
  const email = parseAddress(typed);
  await takeNetworkAllowance(app.db, mailsAskedPerNetwork, request.ip);
  await demandWork(app, busyMail, solution);
  const user = await findUserByEmail(app.db, email);
  await app.jobs.send(askedMail, { userId: user?.id ?? null, wanted, request: { ...request } });
  return { message: messages[wanted], mailAt: whereMailIs(app.config) };
}

/**
 * Has a link mailed to the address that the account is to have, and a warning to the one it has. Nothing changes before
 * that link is used (`verifyEmail`), which is also when a taken address is refused: the answer here tells nobody.
 * *Errors*: AppError forbidden (REAUTHENTICATE), invalid (no address, or the same), limited.
 */
export async function changeEmail(
  app: Pick<App, 'db' | 'config' | 'clock' | 'mail'>,
  actor: Actor,
  typed: string,
  request: RequestFacts,
): Promise<{ message: string; mailAt: string | null }> {
  demandRecentProof(actor);
  const email = parseAddress(typed);
  await takeAllowance(app.db, addressChangesPerAccount, actor.userId);
  await inTransaction(app.db, async (tx) => {
    const user = await lockUser(tx, actor.userId);
    if (user === null || user.email === email) {
      const message = 'Your account already uses this address.';
      throw new AppError('invalid', 'INVALID_INPUT', message, { fields: { email: message } });
    }
    const code = await mintMailCode(app, tx, { userId: user.id, email, purpose: 'change-email' });
    await recordAccountEvent(tx, { userId: user.id, kind: 'email-change-asked', request, details: { to: email } });
    const unproved = { share: 'account', sender: user.id } as const;
    if (!(await app.mail.send(tx, { ...codeMail('change-email', user, email, code), unproved }))) throw noMoreMails();
    await notifyByMail(app, tx, user, 'address-change-asked', request, { fact: 'newAddress', name: email });
  });
  return { message: 'Open the link we sent to your new address.', mailAt: whereMailIs(app.config) };
}

type Verify = typeof accessContract.verifyEmail;
type SignedIn = Output<typeof accessContract.login>;
type Parts = Pick<App, 'db' | 'config' | 'clock' | 'mail'>;

/**
 * Confirms the address of a sign-up, or the new one of an account, for the button on the page behind a mailed link.
 * The browser that signed up an hour ago at most has chosen the password, and the link signs it in. In any other browser
 * nothing changes: a stranger may have signed up with this address. The code then lets its reader choose a password.
 * *Errors*: AppError invalid (CODE_INVALID), conflict (EMAIL_EXISTS), forbidden (ACCOUNT_LEAVING), limited.
 */
export async function verifyEmail(
  app: Parts,
  actor: Actor | null,
  body: Input<Verify>['body'],
  note: BrowserNote,
  request: RequestFacts,
): Promise<{ message: string; signedIn: SignedIn | null; choosePassword: boolean }> {
  const given = await checkMailCode(app, body, ['verify', 'change-email'], request);
  const isSameBrowser = note.take('signed-up') === given.userId;
  try {
    return await inTransaction(app.db, async (tx) => {
      const user = await lockUser(tx, given.userId);
      if (user === null) throw codeInvalid();
      if (given.purpose === 'verify' && !isSameBrowser) {
        requireOpenAccount(user);
        return { message: 'Choose a password to finish signing up.', signedIn: null, choosePassword: true };
      }
      const spent = await spendMailCode(tx, given);
      if (!spent) throw codeInvalid();
      requireOpenAccount(user);
      if (spent.purpose === 'change-email') {
        await moveAccount(app, tx, user, { email: given.email, actor, request });
        const message = 'Your new address is confirmed. Sign in with it from now on.';
        return { message, signedIn: null, choosePassword: false };
      }
      if (!(await confirmAddress(tx, user.id, given.email))) throw codeInvalid();
      await recordAccountEvent(tx, { userId: user.id, kind: 'email-verified', request });
      const [madeAt] = await listIdentitiesOf(tx, user.id);
      const method = madeAt?.provider ?? 'password';
      const signedIn =
        actor === null ? await finishSignIn(tx, user, { method, secondFactor: false, door: 'user', request }) : null;
      return { message: 'Your address is confirmed. You can sign in now.', signedIn, choosePassword: false };
    });
  } catch (error) {
    if (!addressIsTaken(error)) throw error;
    const message = 'Another account now uses this address. Your address is unchanged.';
    throw new AppError('conflict', 'EMAIL_EXISTS', message, { cause: error });
  }
}

/** An unconfirmed account gives way. Codes mailed to the old address become void, and every other session ends. */
async function moveAccount(
  app: Parts,
  tx: Tx,
  before: Reader,
  { email, actor, request }: { email: string; actor: Actor | null; request: RequestFacts },
): Promise<void> {
  const userId = before.id;
  await deleteUnconfirmed(tx, email);
  await replaceAddress(tx, userId, email);
  await deleteMailCodes(tx, userId);
  await endSessions(tx, userId, { except: actor?.userId === userId ? actor.sessionId : undefined });
  await recordAccountEvent(tx, { userId, kind: 'email-changed', request, details: { from: before.email, to: email } });
  await notifyByMail(app, tx, before, 'address-changed', request, { fact: 'newAddress', name: email });
}
