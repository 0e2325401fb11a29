import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Database } from '#platform/db.ts';
import { isBillingOn } from './is-billing-on.ts';
import { loadStanding } from './load-standing.ts';
import { decideEntitlement, type Entitlement, everything } from './rules/entitlements.ts';

/** What somebody may now. Nothing is asked of the database where billing is off. */
export async function findEntitlement(
  app: Pick<App, 'config' | 'clock'>,
  db: Database,
  userId: UserId,
): Promise<Entitlement> {
  if (!isBillingOn(app.config)) return everything;
  return decideEntitlement(await loadStanding(app, db, userId), app.clock.nowMs());
}
