import { blocksHere } from '#features/accounts/public.ts';
import { entriesNaming } from '#features/accounts/rules/address-list.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { listStopped } from '#platform/recipients.ts';
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
  const [isBlockedHere, isBlockedByHost, stopped] = await Promise.all([
    blocksHere(db, naming),
    blocksAny(db, hostIds, naming),
    listStopped(db, emails),
  ]);
  if (isBlockedHere || isBlockedByHost || stopped.size > 0)
    throw new AppError('forbidden', 'BLOCKED', 'This address is not accepted here.');
}
