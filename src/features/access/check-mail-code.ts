import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import { takeAllowance, takeNetworkAllowance } from '#platform/limits.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { codesPerNetwork, wrongCodesPerAddress } from './rules/limits.ts';
import type { MailCodePurpose } from './rules/mail-code.ts';
import { findMailCode, type GivenMailCode } from './store/mail-codes.ts';

/** A code that was good a moment ago; `spendMailCode` decides. */
export interface CheckedMailCode extends GivenMailCode {
  userId: UserId;
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
  if (found) return { ...given, userId: found.user_id };
  await takeAllowance(app.db, wrongCodesPerAddress, email);
  throw codeInvalid();
}

export function codeInvalid(): AppError {
  return new AppError(
    'invalid',
    'CODE_INVALID',
    'This link has been used, has ended, or a newer one was sent. Nothing was changed; ask for another one.',
  );
}
