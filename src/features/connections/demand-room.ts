import { requireAllowance } from '#features/billing/public.ts';
import { countsAsCalendar } from '#features/billing/rules.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { listConnections } from './store/connections.ts';

/** One more account, in the transaction that adds it; one that is leaving counts no more. *Errors*: as `requireAllowance`. */
export function demandRoom(app: Pick<App, 'config' | 'clock'>, tx: Tx, userId: UserId): Promise<void> {
  const count = async () =>
    (await listConnections(tx, userId)).filter((one) => countsAsCalendar(one) && one.status !== 'disconnecting').length;
  return requireAllowance(app, tx, userId, { thing: 'calendars', count });
}
