import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Span } from '#kernel/time/intervals.ts';
import type { Database } from '#platform/db.ts';
import { blocking, isCounted } from '../store/overlapping.ts';

/** An event, or one instance of it, that does not count. */
export interface ExceptEvent {
  itemId: string;
  /** By the UID, copies in other calendars are known. */
  uid: string | null;
  /** Empty: all instances. */
  recId: string;
}

/** A person with more instances is busy throughout. */
const mostInstances = 2_000;

/** The time that is blocked for these people in a range, without `except` and its copies. One query. */
export async function listBusyExcept(
  db: Database,
  userIds: readonly UserId[],
  range: Span,
  except: ExceptEvent | null,
): Promise<(Span & { userId: UserId })[]> {
  const isOther =
    except === null
      ? sql`true`
      : sql`not (
          (item_id = ${except.itemId} or exists (
            select from calendar.items i where i.id = s.item_id and i.uid = ${except.uid}))
          and (${except.recId}::text = '' or rec_id = ${except.recId}))`;
  const { rows } = await sql<Span & { userId: UserId }>`
    select u.id as "userId", x.* from unnest(${userIds}::uuid[]) as u(id), lateral (
      select start_ms as "startMs", end_ms as "endMs" from (${blocking(sql`u.id`, range.startMs, range.endMs)}) s
      where class = 'busy' and start_ms < end_ms and ${isCounted(userIds)} and ${isOther}
      limit ${mostInstances + 1}) x`.execute(db);
  const counts = Map.groupBy(rows, ({ userId }) => userId);
  return [...counts].flatMap(([userId, spans]) => (spans.length > mostInstances ? [{ userId, ...range }] : spans));
}

/** When an event of a person, or one instance of it, takes place within a range. */
export async function listSpansOf(
  db: Database,
  userId: UserId,
  { itemId, recId }: Pick<ExceptEvent, 'itemId' | 'recId'>,
  range: Span,
): Promise<Span[]> {
  const { rows } = await sql<Span>`
    select start_ms as "startMs", end_ms as "endMs" from calendar.spans
    where user_id = ${userId} and item_id = ${itemId} and (${recId}::text = '' or rec_id = ${recId})
      and start_ms < ${range.endMs} and end_ms > ${range.startMs} and start_ms < end_ms
    limit ${mostInstances}`.execute(db);
  return rows;
}

/** The iCalendar UID of an item of a person; null where it has none, or is not theirs. */
export async function findUid(db: Database, userId: UserId, id: string): Promise<string | null> {
  const { rows } = await sql<{ uid: string | null }>`
    select uid from calendar.items where id = ${id} and user_id = ${userId}`.execute(db);
  return rows[0]?.uid ?? null;
}
