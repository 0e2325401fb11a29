import { randomUUIDv7 } from 'node:crypto';
import { AppError } from '#kernel/errors.ts';
import type { CalendarId, GroupId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { inTransaction, isViolationOf } from '#platform/db.ts';
import { checkGroup } from './check-group.ts';
import { planAgain } from './plan-again.ts';
import { otherGroup } from './rules/group-errors.ts';
import type { GroupInput } from './store/groups.ts';
import { insertGroup, listMemberIds, loadGroups, replaceGroup } from './store/groups.ts';

/** Creates a group, or replaces one that is still at `revision`. Its blocks follow in the background. */
export async function saveGroup(
  app: App,
  actor: Actor,
  existing: { groupId: string; revision: number } | null,
  input: GroupInput,
): Promise<string> {
  await checkGroup(app, actor, existing?.groupId ?? null, input);
  const groupId = existing?.groupId ?? randomUUIDv7();
  try {
    await inTransaction(app.db, async (tx) => {
      const before = await listMemberIds(tx, actor.userId, groupId);
      if (existing === null) await insertGroup(tx, actor.userId, groupId, input);
      else await replaceOrRefuse(tx, actor, existing, input);
      const touched = new Set([...before, ...input.members.map((member) => member.calendarId as CalendarId)]);
      await planAgain(
        app,
        tx,
        actor,
        [...touched],
        existing === null ? 'Mirror group created' : 'Mirror rules changed',
      );
    });
  } catch (error) {
    // two groups saved at the same moment: the constraint decides
    if (!isViolationOf(error, 'members_pkey')) throw error;
    throw otherGroup('another group', error);
  }
  return groupId;
}

async function replaceOrRefuse(
  tx: Tx,
  actor: Actor,
  existing: { groupId: string; revision: number },
  input: GroupInput,
): Promise<void> {
  const { groups } = await loadGroups(tx, actor.userId);
  if (!groups.some((group) => group.id === existing.groupId))
    throw new AppError('not-found', 'NOT_FOUND', 'There is no such mirror group.');
  if (await replaceGroup(tx, actor.userId, existing.groupId as GroupId, existing.revision, input)) return;
  throw new AppError(
    'conflict',
    'STALE',
    'This group was changed elsewhere meanwhile. Nothing was saved; load it again and repeat your change.',
  );
}
