import { AppError } from '#kernel/errors.ts';
import type { TeamId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { requirePermission } from './require-permission.ts';
import type { TeamPermission } from './rules/permissions.ts';
import type { Membership } from './store/members.ts';
import { lockTeam } from './store/teams.ts';
import { tellMembers } from './tell-members.ts';

/**
 * A change in a team by somebody who may do it: one after the other, so that their role is what it was when they are done,
 * and every member's screen hears of it. *Errors*: as `requirePermission`, and those of the change.
 */
export function actInTeam<T>(
  app: Pick<App, 'db' | 'feed'>,
  actor: Actor,
  teamId: TeamId,
  permission: TeamPermission,
  change: (tx: Tx, membership: Membership) => Promise<T>,
): Promise<T> {
  return inTransaction(app.db, async (tx) => {
    if (!(await lockTeam(tx, teamId)))
      throw new AppError('not-found', 'NOT_FOUND', 'There is no such team, or you are not in it.');
    const membership = await requirePermission(tx, actor, teamId, permission);
    await tellMembers(app, tx, teamId); // before: who goes hears of it too
    return change(tx, membership);
  });
}
