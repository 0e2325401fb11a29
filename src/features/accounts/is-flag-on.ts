import type { UserId } from '#kernel/ids.ts';
import { isInRollout } from '#kernel/rollout.ts';
import type { Database } from '#platform/db.ts';
import type { FlagName } from './rules/flags.ts';
import { findFlag } from './store/flags.ts';

/** Whether the operator has something on for this person. */
export async function isFlagOn(db: Database, name: FlagName, userId: UserId): Promise<boolean> {
  const { enabled, rollout } = await findFlag(db, name);
  return enabled && isInRollout(name, userId, rollout);
}
