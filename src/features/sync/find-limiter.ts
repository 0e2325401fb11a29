import type { Connection } from '#features/connections/public.ts';
import { capabilitiesOf } from '#features/connections/public.ts';
import type { ConnectionId } from '#kernel/ids.ts';
import { AccountLimiter } from './limiter.ts';

const limiters = new Map<ConnectionId, AccountLimiter>();

/** The one limiter of an account in this process; what it has learned of the account's pace lasts between jobs. */
export function findLimiter(connection: Connection): AccountLimiter {
  let limiter = limiters.get(connection.id);
  if (limiter === undefined) {
    const { maxConcurrency } = capabilitiesOf(connection);
    limiter = new AccountLimiter({ maxConcurrency, nowMs: () => performance.now() });
    limiters.set(connection.id, limiter);
  }
  return limiter;
}
