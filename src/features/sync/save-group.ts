import { randomUUIDv7 } from 'node:crypto';
import { unplanCalendars } from '#features/calendar/public.ts';
import { listCalendars } from '#features/connections/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { CalendarId, GroupId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { inTransaction, isViolationOf } from '#platform/db.ts';
import { planningWanted } from './events.ts';
import { appendAudit } from './store/audit.ts';
import type { GroupInput } from './store/groups.ts';
import { deleteGroup, findOtherGroups, insertGroup, loadGroups, replaceGroup, setBreaker } from './store/groups.ts';

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
      const before = await membersOf(tx, actor, groupId);
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

/** Removes a group; every block that it wrote goes. Answers with the number of calendars concerned. */
export async function removeGroup(app: App, actor: Actor, groupId: string): Promise<number> {
  return inTransaction(app.db, async (tx) => {
    const members = await membersOf(tx, actor, groupId);
    if (!(await deleteGroup(tx, actor.userId, groupId as GroupId))) {
      throw new AppError('not-found', 'NOT_FOUND', 'There is no such mirror group.');
    }
    await planAgain(app, tx, actor, members, 'Mirror group removed');
    return members.length;
  });
}

/** The person's word on deletions that were held back: carried out, or the blocks stay and are theirs. */
export async function answerBreaker(
  app: App,
  actor: Actor,
  groupId: string,
  answer: { sourceCalendarId: string; targetCalendarId: string; answer: 'delete' | 'keep' },
): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const { groups, pairs } = await loadGroups(tx, actor.userId);
    if (!groups.some((one) => one.id === groupId))
      throw new AppError('not-found', 'NOT_FOUND', 'There is no such mirror group.');
    const pair = pairs.find(
      (one) =>
        one.groupId === groupId &&
        one.sourceCalendarId === answer.sourceCalendarId &&
        one.targetCalendarId === answer.targetCalendarId,
    );
    if (pair === undefined || (pair.breaker !== 'open' && pair.breaker !== 'waiting')) {
      throw new AppError('conflict', 'NO_BREAKER', 'Nothing is held back here any more.');
    }
    await setBreaker(tx, pair, answer.answer === 'delete' ? 'allowed' : 'keeping', null);
    await app.news.announce(tx, planningWanted, { userId: actor.userId });
    await app.feed.publish(tx, actor.userId, 'mirrors');
  });
}

async function membersOf(tx: Tx, actor: Actor, groupId: string): Promise<CalendarId[]> {
  const { members } = await loadGroups(tx, actor.userId);
  return members.filter((member) => member.groupId === groupId).map((member) => member.calendarId);
}

async function planAgain(app: App, tx: Tx, actor: Actor, calendarIds: CalendarId[], message: string): Promise<void> {
  await unplanCalendars(tx, calendarIds);
  await appendAudit(tx, [
    {
      userId: actor.userId,
      mirrorId: null,
      originItemId: null,
      type: 'mirror.rule_changed',
      actor: 'user',
      status: 'success',
      message,
    },
  ]);
  await app.news.announce(tx, planningWanted, { userId: actor.userId });
  await app.feed.publish(tx, actor.userId, 'mirrors');
}

/** Refuses what cannot work, before anything is stored. */
export async function checkGroup(app: App, actor: Actor, groupId: string | null, input: GroupInput): Promise<void> {
  const calendars = new Map<string, { name: string; writable: boolean }>(
    (await listCalendars(app.db, actor.userId)).map((calendar) => [calendar.id, calendar]),
  );
  const ids = input.members.map((member) => member.calendarId);
  const mentioned = [...ids, ...input.pairs.flatMap((pair) => [pair.sourceCalendarId, pair.targetCalendarId])];
  if (mentioned.some((id) => !calendars.has(id)))
    throw new AppError('not-found', 'NOT_FOUND', 'There is no such calendar.');
  if (new Set(ids).size !== ids.length)
    throw new AppError('invalid', 'INVALID', 'A calendar is named twice in this group.');
  const readOnly = input.members.find(
    (member) => member.isTarget && calendars.get(member.calendarId)?.writable === false,
  );
  if (readOnly !== undefined) {
    const name = calendars.get(readOnly.calendarId)?.name ?? '';
    throw new AppError('invalid', 'NOT_WRITABLE', `${name} cannot be written to, so it can only be a source.`);
  }
  const [other] = await findOtherGroups(app.db, ids, groupId);
  if (other !== undefined) throw otherGroup(other.groupName);
}

const otherGroup = (name: string, cause?: unknown) =>
  new AppError(
    'conflict',
    'CALENDAR_IN_OTHER_GROUP',
    `One of these calendars is in ${name} already; a calendar can be in one mirror group only.`,
    { cause },
  );
