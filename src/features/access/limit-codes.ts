import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { networkOf, restoreAllowance, takeAllowance } from '#platform/limits.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { codesPerAccount, codesPerAccountAndNetwork } from './rules/second-factor.ts';

/**
 * Counts a guess at somebody's six digits before it is looked at. Gives what to call when it was right.
 * *Errors*: AppError limited.
 */
export async function limitCodes(
  { db }: Pick<App, 'db'>,
  userId: UserId,
  request: RequestFacts,
): Promise<() => Promise<void>> {
  const pair = `${userId}\0${networkOf(request.ip)}`;
  await takeAllowance(db, codesPerAccountAndNetwork, pair);
  await takeAllowance(db, codesPerAccount, userId);
  return () => restoreAllowance(db, codesPerAccountAndNetwork, pair);
}
