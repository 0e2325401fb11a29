import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import type { AccountEventKind, TrailDetails } from './rules/trail.ts';
import { insertTrailEntry } from './store/trail.ts';

/** An event of an account. `request` is null for the operator's command line. */
interface AccountEvent {
  userId: UserId;
  kind: AccountEventKind;
  request: Pick<RequestFacts, 'ip' | 'userAgent'> | null;
  details?: TrailDetails;
}

/**
 * Adds a line to the trail that the person reads under Security: in the transaction of the change it tells of. What
 * failed has no such transaction; it is recorded with `app.db`.
 */
export async function recordAccountEvent(tx: Database, event: AccountEvent): Promise<void> {
  const { userId, kind, request, details = {} } = event;
  await insertTrailEntry(tx, { userId, kind, details, ip: request?.ip, userAgent: request?.userAgent });
}
