import { randomUUIDv7 } from 'node:crypto';
import { part } from '#kernel/errors.ts';
import type { PolicyId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, isViolationOf } from '#platform/db.ts';
import type { Hours } from './rules/hours.ts';
import { nameTaken, tooMany } from './rules/policy-errors.ts';
import { setDefault } from './store/defaults.ts';
import { countPolicies, insertPolicy, insertVersion } from './store/policies.ts';
import { tellChange } from './tell-change.ts';

const mostPolicies = 50;

/** Saves hours under a name of their own, as the default from now on where that is wanted. */
export async function createPolicy(
  app: Pick<App, 'db' | 'clock' | 'news' | 'feed'>,
  { userId }: Actor,
  body: { name: string; hours: Hours; note: string; apply: boolean },
): Promise<void> {
  const id = randomUUIDv7() as string as PolicyId;
  const nowMs = app.clock.nowMs();
  try {
    await inTransaction(app.db, async (tx) => {
      if ((await countPolicies(tx, userId)) >= mostPolicies) throw tooMany(part('policies'), mostPolicies);
      await insertPolicy(tx, { id, userId, name: body.name, nowMs });
      await insertVersion(tx, { policyId: id, n: 1, hours: body.hours, note: body.note, userId, nowMs });
      if (body.apply) await setDefault(tx, userId, { policyId: id, fromMs: nowMs });
      await tellChange(app, tx, userId);
    });
  } catch (error) {
    if (isViolationOf(error, 'policies_name')) throw nameTaken(error);
    throw error;
  }
}
