import { readAddressList } from '#features/accounts/rules/address-list.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { putBlocked } from './store/blocked-guests.ts';

/** A host blocks these addresses and domains and no others; the list as it is then. *Errors*: AppError invalid. */
export async function changeBlocked(db: Database, userId: UserId, typed: readonly string[]): Promise<string[]> {
  const entries = readAddressList(typed);
  if (entries === null)
    throw new AppError(
      'invalid',
      'INVALID_INPUT',
      'Enter email addresses or domains such as @example.org. Nothing was changed.',
    );
  await putBlocked(db, userId, entries);
  return entries;
}
