import { AppError, part } from '#kernel/errors.ts';
import type { PolicyId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { noPolicy } from './rules/policy-errors.ts';
import { type PolicyUse, usesOf } from './rules/policy-uses.ts';
import { listDefaults, listFollowers } from './store/defaults.ts';
import { lockPolicy, markDeleted } from './store/policies.ts';
import { tellChange } from './tell-change.ts';

/** Takes a policy off the list; what it said stays for who was booked under it. *Errors*: not-found; conflict IN_USE. */
export function deletePolicy(
  app: Pick<App, 'db' | 'clock' | 'news' | 'feed'>,
  { userId }: Actor,
  policyId: PolicyId,
): Promise<void> {
  const nowMs = app.clock.nowMs();
  return inTransaction(app.db, async (tx) => {
    const policy = await lockPolicy(tx, userId, policyId);
    if (policy === null) throw noPolicy();
    const [defaults, followers] = [await listDefaults(tx, userId), await listFollowers(tx, userId)];
    const uses = usesOf({ policyId, name: policy.name }, defaults, followers, nowMs);
    if (uses.length > 0) throw inUse(uses);
    await markDeleted(tx, policyId, nowMs);
    await tellChange(app, tx, userId);
  });
}

function inUse(uses: readonly PolicyUse[]): AppError {
  const words = uses.map(({ kind, name }) => {
    if (kind === 'active') return part('it is your default');
    return kind === 'scheduled' ? part('it becomes your default later') : part(`“${name}” follows it`);
  });
  return new AppError('conflict', 'IN_USE', `This policy is needed: ${words.join('; ')}. Nothing was deleted.`, {
    fields: Object.fromEntries(uses.map(({ kind, id, name }) => [`${kind} ${id}`, name])),
  });
}
