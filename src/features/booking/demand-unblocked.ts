import { blocksHere } from '#features/accounts/public.ts';
import { entriesNaming } from '#features/accounts/rules/address-list.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { isAnyStopped } from '#platform/recipients.ts';
import { blocksAny } from './store/blocked-guests.ts';

/**
 * Refuses addresses, in their canonical form, that the install or one of these hosts has blocked, or
 * whose reader has stopped mails.
 * *Errors*: AppError forbidden (BLOCKED).
 */
export async function demandUnblocked(
  db: Database,
  hostIds: readonly UserId[],
  emails: readonly string[],
): Promise<void> {
  const naming = emails.flatMap(entriesNaming);
  const blocked = await Promise.all([blocksHere(db, naming), blocksAny(db, hostIds, naming), isAnyStopped(db, emails)]);
  if (blocked.includes(true)) throw new AppError('forbidden', 'BLOCKED', 'This address is not accepted here.');
}
