import { lockUser } from '#features/accounts/public.ts';
import { requireAllowance } from '#features/billing/public.ts';
import { countsAsCalendar } from '#features/billing/rules.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { listConnections } from './store/connections.ts';

/** Accounts of one person, whatever the plan has: each is read again and again. */
export const mostAccounts = 100;

/**
 * Demands room for an account in the transaction that adds it. An account that is leaving does not count.
 * *Errors*: AppError conflict (TOO_MANY); as `requireAllowance`.
 */
export async function demandRoom(app: Pick<App, 'config' | 'clock'>, tx: Tx, userId: UserId): Promise<void> {
  const count = async () =>
    (await listConnections(tx, userId)).filter((one) => countsAsCalendar(one) && one.status !== 'disconnecting').length;
  await requireAllowance(app, tx, userId, { thing: 'calendars', count });
  // concurrent connections count each other
  await lockUser(tx, userId);
  if ((await count()) >= mostAccounts)
    throw new AppError('conflict', 'TOO_MANY', `There are ${mostAccounts} already. Disconnect one you do not need.`);
}
