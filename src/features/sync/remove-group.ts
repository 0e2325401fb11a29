import { AppError } from '#kernel/errors.ts';
import type { GroupId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { planAgain } from './plan-again.ts';
import { deleteGroup, listMemberIds } from './store/groups.ts';

/** Removes a group; every block that it wrote goes. Answers with the number of calendars concerned. */
export async function removeGroup(app: App, actor: Actor, groupId: string): Promise<number> {
  return inTransaction(app.db, async (tx) => {
    const members = await listMemberIds(tx, actor.userId, groupId);
    if (!(await deleteGroup(tx, actor.userId, groupId as GroupId))) {
      throw new AppError('not-found', 'NOT_FOUND', 'Mirror group not found.');
    }
    await planAgain(app, tx, actor, members, 'Mirror group removed.');
    return members.length;
  });
}
