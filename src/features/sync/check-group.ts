import { listCalendars } from '#features/connections/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { otherGroup } from './rules/group-errors.ts';
import type { GroupInput } from './store/groups.ts';
import { findOtherGroups } from './store/groups.ts';

/** Refuses what cannot work, before anything is stored. */
export async function checkGroup(app: App, actor: Actor, groupId: string | null, input: GroupInput): Promise<void> {
  const calendars = new Map<string, { name: string; writable: boolean }>(
    (await listCalendars(app.db, actor.userId)).map((calendar) => [calendar.id, calendar]),
  );
  const ids = input.members.map((member) => member.calendarId);
  const mentioned = [...ids, ...input.pairs.flatMap((pair) => [pair.sourceCalendarId, pair.targetCalendarId])];
  if (mentioned.some((id) => !calendars.has(id))) throw new AppError('not-found', 'NOT_FOUND', 'Calendar not found.');
  if (new Set(ids).size !== ids.length)
    throw new AppError('invalid', 'INVALID', 'The same calendar is listed twice. Remove one of them.');
  const readOnly = input.members.find(
    (member) => member.isTarget && calendars.get(member.calendarId)?.writable === false,
  );
  if (readOnly !== undefined) {
    const name = calendars.get(readOnly.calendarId)?.name ?? '';
    throw new AppError('invalid', 'NOT_WRITABLE', `${name} is read-only, so it can only be a source.`);
  }
  const [other] = await findOtherGroups(app.db, ids, groupId);
  if (other !== undefined) throw otherGroup(other.groupName);
}
