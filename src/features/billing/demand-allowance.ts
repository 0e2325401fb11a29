import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { findEntitlement } from './find-entitlement.ts';
import { isBillingOn } from './is-billing-on.ts';
import { describeLimit } from './rules/describe-limit.ts';
import { hasRoom } from './rules/entitlements.ts';
import type { CountedThing } from './rules/plans.ts';
import { lockPerson } from './store/people.ts';

/**
 * Lets one more of something be added, in the transaction that adds it: of any number who add at once for the same person each
 * counts what those before have added. `count` is asked once the others have to wait. Nothing is asked where billing is off.
 *
 * *Errors*: AppError forbidden (`PLAN_LIMIT`).
 */
export async function demandAllowance(
  app: Pick<App, 'config' | 'clock'>,
  tx: Tx,
  userId: UserId,
  { thing, count }: { thing: CountedThing; count: () => Promise<number> },
): Promise<void> {
  if (!isBillingOn(app.config)) return;
  const { plan, limits } = await findEntitlement(app, tx, userId);
  if (limits[thing] === null) return;
  await lockPerson(tx, userId);
  const counted = await count();
  if (!hasRoom(limits[thing], counted)) {
    const { message, fields } = describeLimit(plan?.name ?? null, thing, { limit: limits[thing], counted });
    throw new AppError('forbidden', 'PLAN_LIMIT', message, { fields });
  }
}
