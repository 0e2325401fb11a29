import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { AppError } from '#kernel/errors.ts';

/** The canonical form of a typed address. *Errors*: AppError invalid for other input. */
export function readAddress(typed: string): string {
  const email = canonicalEmail(typed);
  if (email !== null) return email;
  const message = 'This is not an e-mail address.';
  throw new AppError('invalid', 'INVALID_INPUT', message, { fields: { email: message } });
}
