import { randomBytes } from 'node:crypto';
import { lockUser, recordAccountEvent } from '#features/accounts/public.ts';
import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { takeAllowance, takeAllowances, takeNetworkAllowance } from '#platform/limits.ts';
import { mailboxOf, takeMail } from '#platform/recipients.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { codeMail } from './mail.ts';
import { codesPerNetwork, mailsPerAddress, wrongCodesPerAddress } from './rules/limits.ts';
import { type MailCodePurpose, type MintedMailCode, mailCodeLink, mailCodeSeconds } from './rules/mail-code.ts';
import { listIdentitiesOf } from './store/identities.ts';
import { findMailCode, type GivenMailCode, saveMailCode } from './store/mail-codes.ts';

/** A new code (128 bits) for an address, as the link that goes there; the person's older one of this purpose is void. */
export async function mintMailCode(
  app: Pick<App, 'config' | 'clock'>,
  tx: Tx,
  { userId, email, purpose }: { userId: UserId; email: string; purpose: MailCodePurpose },
): Promise<MintedMailCode> {
  const code = randomBytes(16).toString('base64url');
  const codeHash = hashToken(code);
  const lifetimeSeconds = mailCodeSeconds[purpose];
  await saveMailCode(tx, { userId, purpose, email, codeHash, lifetimeSeconds });
  return {
    link: mailCodeLink(app.config.publicUrl, purpose, email, code),
    id: codeHash.toString('hex').slice(0, 32),
    expiresAtMs: app.clock.nowMs() + lifetimeSeconds * 1000,
  };
}

/** A code that was good a moment ago; `spendMailCode` decides. */
interface CheckedMailCode extends GivenMailCode {
  userId: UserId;
  purpose: MailCodePurpose;
}

/**
 * Looks a mailed code up before anything expensive is done for it. Only wrong ones count against the address: nobody
 * keeps its owner from a right one.
 * *Errors*: AppError invalid (CODE_INVALID), limited.
 */
export async function checkMailCode(
  app: Pick<App, 'db'>,
  typed: { email: string; code: string },
  purposes: readonly MailCodePurpose[],
  request: RequestFacts,
): Promise<CheckedMailCode> {
  await takeNetworkAllowance(app.db, codesPerNetwork, request.ip);
  const email = canonicalEmail(typed.email) ?? typed.email;
  const given = { email, purposes, codeHash: hashToken(typed.code) };
  const found = await findMailCode(app.db, given);
  if (found) return { ...given, userId: found.user_id, purpose: found.purpose };
  await takeAllowance(app.db, wrongCodesPerAddress, email);
  throw codeInvalid();
}

export function codeInvalid(): AppError {
  return new AppError('invalid', 'CODE_INVALID', 'This link has expired or was already used. Request a new one.');
}

/**
 * Mails a link to the address of an account: to confirm it, or to choose a new password. A mail about an account made
 * at a provider names the provider account, because somebody else may have made it. Returns false if the address is
 * unproved and gets no more mails for now.
 */
export async function sendMailCode(
  app: Pick<App, 'config' | 'clock' | 'mail'>,
  tx: Tx,
  userId: UserId,
  purpose: 'verify' | 'reset',
): Promise<boolean> {
  const user = await lockUser(tx, userId);
  if (user === null) return false;
  // one sender for all accounts: each may have an address of the same mailbox
  const source = { share: 'account', sender: 'sign-up' } as const;
  const isProved = user.email_verified_at !== null;
  // before a code is made, which would end the link that the reader has
  if (!isProved && !(await takeMail(tx, user.email, source))) return false;
  const code = await mintMailCode(app, tx, { userId, email: user.email, purpose });
  const [madeAt] = purpose === 'verify' ? await listIdentitiesOf(tx, userId) : [];
  const mail = codeMail(purpose, user, user.email, code, madeAt);
  return app.mail.send(tx, isProved ? mail : { ...mail, unproved: { ...source, as: 'counted' } });
}

/**
 * The half of `requestMail` that nobody waits for: sends what was asked for, where there is something to send. An address
 * that has had its mails for now keeps the links it has.
 */
export async function sendRequestedMail(
  app: Pick<App, 'db' | 'config' | 'clock' | 'mail'>,
  { userId, wanted, request }: { userId: UserId | null; wanted: 'verify' | 'reset'; request: RequestFacts },
): Promise<void> {
  if (userId === null) return;
  await inTransaction(app.db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (
      user === null ||
      user.leaving_at !== null ||
      user.suspended_at !== null ||
      (wanted === 'verify' && user.email_verified_at !== null)
    )
      return;
    if ((await takeAllowances(tx, mailsPerAddress, [mailboxOf(user.email)])).size === 0) return;
    if (wanted === 'reset') await recordAccountEvent(tx, { userId: user.id, kind: 'password-reset-asked', request });
    await sendMailCode(app, tx, user.id, wanted);
  });
}
