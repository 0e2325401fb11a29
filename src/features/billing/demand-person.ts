import { findUserByEmail } from '#features/accounts/public.ts';
import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { isBillingOn } from './is-billing-on.ts';

/** Somebody by their address, where there is anything to pay. *Errors*: AppError not-found, conflict (BILLING_OFF). */
export async function demandPerson(
  { db, config }: Pick<App, 'db' | 'config'>,
  typed: string,
): Promise<{ id: UserId; email: string }> {
  if (!isBillingOn(config))
    throw new AppError('conflict', 'BILLING_OFF', 'Everything is included here, and there are no trials.');
  const email = canonicalEmail(typed);
  const user = email === null ? undefined : await findUserByEmail(db, email);
  if (user === undefined) throw new AppError('not-found', 'NOT_FOUND', 'Nobody has an account with this address.');
  return { id: user.id, email: user.email };
}
