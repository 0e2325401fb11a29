import type { UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import type { FollowedPolicy } from './rules/followed-policy.ts';
import { noPolicy } from './rules/policy-errors.ts';
import type { PolicyUse } from './rules/policy-uses.ts';
import { deleteUse, upsertUse } from './store/defaults.ts';
import { findVersion, lockPolicy } from './store/policies.ts';

/**
 * Notes that something follows a policy, or no longer does: while it does, the policy cannot be deleted. In the
 * transaction that saves what follows. `follower`: its kind, its id (a UUID) and what its person calls it.
 *
 * *Errors*: AppError not-found where the policy, or the pinned version, is not the person's.
 */
export async function followPolicy(tx: Tx, userId: UserId, follower: PolicyUse, policy: FollowedPolicy): Promise<void> {
  if (policy.kind === 'default') {
    await deleteUse(tx, follower.kind, follower.id);
    return;
  }
  const { policyId } = policy;
  if ((await lockPolicy(tx, userId, policyId)) === null) throw noPolicy();
  const n = policy.kind === 'version' ? policy.n : null;
  if (n !== null && (await findVersion(tx, userId, policyId, n)) === null) throw noPolicy();
  await upsertUse(tx, userId, follower, { policyId, n });
}
