import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { AppError } from '#kernel/errors.ts';

/** What was typed, in its canonical form. *Errors*: AppError invalid for what is no e-mail address. */
export function readAddress(typed: string): string {
  const email = canonicalEmail(typed);
  if (email !== null) return email;
  const message = 'This is not an e-mail address.';
  throw new AppError('invalid', 'INVALID_INPUT', message, { fields: { email: message } });
}
