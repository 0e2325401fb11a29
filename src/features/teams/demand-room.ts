import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import { mostTeams } from './rules/team-limits.ts';
import { listTeamsOf } from './store/members.ts';

/** Whether somebody can be in one more team. Who asks holds their account. *Errors*: AppError conflict (`TOO_MANY`). */
export async function demandRoom(tx: Tx, userId: UserId): Promise<void> {
  if ((await listTeamsOf(tx, userId)).length >= mostTeams)
    throw new AppError(
      'conflict',
      'TOO_MANY',
      `One person can be in ${mostTeams} teams. Leave one you no longer need.`,
    );
}
