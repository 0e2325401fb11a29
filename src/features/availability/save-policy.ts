import { isDeepStrictEqual } from 'node:util';
import type { PolicyId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, isViolationOf } from '#platform/db.ts';
import type { Hours } from './rules/hours.ts';
import { nameTaken, noPolicy, stalePolicy } from './rules/policy-errors.ts';
import { findVersion, insertVersion, lockPolicy, raiseVersion } from './store/policies.ts';
import { tellChange } from './tell-change.ts';

/** What a policy shall say; `version` is the one it was made from. Without a name it keeps its own. */
interface Saved {
  version: number;
  name: string | null;
  hours: Hours;
  note: string;
}

/** A new version of a policy, unless it says what the one before says. *Errors*: not-found; conflict STALE where it has a newer one than `version`, NAME_TAKEN. */
export async function savePolicy(
  app: Pick<App, 'db' | 'clock' | 'news' | 'feed'>,
  { userId }: Actor,
  policyId: PolicyId,
  { version, name, hours, note }: Saved,
): Promise<void> {
  try {
    await inTransaction(app.db, async (tx) => {
      const policy = await lockPolicy(tx, userId, policyId);
      if (policy === null) throw noPolicy();
      const before = policy.version === version ? await findVersion(tx, userId, policyId, version) : null;
      if (isDeepStrictEqual(before, hours) && (name ?? policy.name) === policy.name) return;
      if (!(await raiseVersion(tx, { id: policyId, userId, version, name }))) throw stalePolicy();
      await insertVersion(tx, { policyId, n: version + 1, hours, note, userId, nowMs: app.clock.nowMs() });
      await tellChange(app, tx, userId);
    });
  } catch (error) {
    if (isViolationOf(error, 'policies_name')) throw nameTaken(error);
    throw error;
  }
}
