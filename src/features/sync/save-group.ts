import { randomUUIDv7 } from 'node:crypto';
import { AppError } from '#kernel/errors.ts';
import type { CalendarId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { inTransaction, isViolationOf } from '#platform/db.ts';
import { checkGroup } from './check-group.ts';
import { planAgain } from './plan-again.ts';
import { otherGroup } from './rules/group-errors.ts';
import { mirrorRuleOf } from './rules/mirror-rule.ts';
import type { Group, GroupInput, PairRow } from './store/groups.ts';
import { insertGroup, listMemberIds, loadGroups, mostGroups, replaceGroup, setBreaker } from './store/groups.ts';

/** Creates a group, or replaces one that is still at `revision`. Its blocks follow in the background. *Errors*: conflict (`TOO_MANY`). */
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
      if (existing === null) await insertOrRefuse(tx, actor, groupId, input);
      else await replaceOrRefuse(tx, actor, existing, input);
      const touched = new Set([...before, ...input.members.map((member) => member.calendarId as CalendarId)]);
      await planAgain(
        app,
        tx,
        actor,
        [...touched],
        existing === null ? 'Mirror group created.' : 'Mirror rules changed.',
      );
    });
  } catch (error) {
    // two groups saved at the same moment: the constraint decides
    if (!isViolationOf(error, 'members_pkey')) throw error;
    throw otherGroup('another group', error);
  }
  return groupId;
}

async function insertOrRefuse(tx: Tx, { userId }: Actor, groupId: string, input: GroupInput): Promise<void> {
  if (await insertGroup(tx, userId, groupId, input)) return;
  throw new AppError('conflict', 'TOO_MANY', `You can have up to ${mostGroups} mirror groups. Delete one first.`);
}

async function replaceOrRefuse(
  tx: Tx,
  actor: Actor,
  existing: { groupId: string; revision: number },
  input: GroupInput,
): Promise<void> {
  const { groups, pairs } = await loadGroups(tx, actor.userId);
  const before = groups.find((group) => group.id === existing.groupId);
  if (before === undefined) throw new AppError('not-found', 'NOT_FOUND', 'Mirror group not found.');
  if (await replaceGroup(tx, actor.userId, before.id, existing.revision, input)) {
    await allowDecided(tx, before, pairs, input);
    return;
  }
  throw new AppError(
    'conflict',
    'STALE',
    "This mirror group was changed in another window. Your changes weren't saved. Reload it and try again.",
  );
}

/**
 * Which kinds of events are mirrored is the person's own decision, and its preview said what it removes: no breaker asks
 * them again. One that has tripped already has seen something else, and still asks.
 */
async function allowDecided(tx: Tx, before: Group, pairs: PairRow[], input: GroupInput): Promise<void> {
  for (const source of input.members) {
    for (const target of input.members) {
      const isPair = (pair: { sourceCalendarId: string; targetCalendarId: string }) =>
        pair.sourceCalendarId === source.calendarId && pair.targetCalendarId === target.calendarId;
      const old = pairs.find(isPair);
      if (source === target || (old !== undefined && old.breaker !== 'closed')) continue;
      const was = mirrorRuleOf(before.rule, old?.rule).events;
      const is = mirrorRuleOf(input.rule, input.pairs.find(isPair)?.rule).events;
      if (was === is) continue;
      const pair = {
        groupId: before.id,
        sourceCalendarId: source.calendarId as CalendarId,
        targetCalendarId: target.calendarId as CalendarId,
      };
      await setBreaker(tx, pair, 'allowed', null);
    }
  }
}
