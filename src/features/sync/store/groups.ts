import { sql } from 'kysely';
import type { CalendarId, GroupId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import { type Reading, readAlone } from '#platform/reading.ts';
import type { BreakerState } from '../rules/breaker.ts';
import type { MirrorRulePatch } from '../rules/mirror-rule.ts';
import { mirrorsAnything } from '../rules/mirrors-anything.ts';

export interface Group {
  id: GroupId;
  name: string;
  enabled: boolean;
  rule: MirrorRulePatch;
  revision: number;
  windowDay: string | null;
}

export interface Member {
  groupId: GroupId;
  calendarId: CalendarId;
  isSource: boolean;
  isTarget: boolean;
}

export interface PairRow {
  groupId: GroupId;
  sourceCalendarId: CalendarId;
  targetCalendarId: CalendarId;
  enabled: boolean;
  rule: MirrorRulePatch;
  breaker: BreakerState;
  breakerMs: number | null;
  breakerDeletes: number | null;
}

export interface GroupsOfUser {
  groups: Group[];
  members: Member[];
  pairs: PairRow[];
}

/** True if a person has set up any mirroring, on or off. */
export async function hasMirroring(db: Database, userId: UserId): Promise<boolean> {
  const { rows } = await membersOf(userId).execute(db);
  return Map.groupBy(rows, (member) => member.groupId)
    .values()
    .some(mirrorsAnything);
}

const membersOf = (userId: UserId) => sql<Member>`
  select m.group_id as "groupId", m.calendar_id as "calendarId", m.is_source as "isSource", m.is_target as "isTarget"
  from sync.members m join sync.groups g on g.id = m.group_id
  where g.user_id = ${userId} order by m.calendar_id`;

/** Everything a person's mirroring is ruled by; three queries. */
export function groupsReading(userId: UserId): Reading<GroupsOfUser> {
  const queries = [
    sql<Group>`
      select id, name, enabled, rule, revision, window_day::text as "windowDay"
      from sync.groups where user_id = ${userId} order by created_at, id`,
    membersOf(userId),
    sql<PairRow>`
      select p.group_id as "groupId", p.source_calendar_id as "sourceCalendarId",
        p.target_calendar_id as "targetCalendarId", p.enabled, p.rule, p.breaker,
        (extract(epoch from p.breaker_at) * 1000)::bigint as "breakerMs", p.breaker_deletes as "breakerDeletes"
      from sync.pairs p join sync.groups g on g.id = p.group_id
      where g.user_id = ${userId} order by p.source_calendar_id, p.target_calendar_id`,
  ];
  return {
    queries,
    read: ([groups, members, pairs]) => ({
      groups: groups as Group[],
      members: members as Member[],
      pairs: pairs as PairRow[],
    }),
  };
}

export const loadGroups = (db: Database, userId: UserId) => readAlone(db, groupsReading(userId));

/** True where the breaker of any pair is not closed. */
export async function hasTripped(db: Database, userId: UserId): Promise<boolean> {
  const { rows } = await sql`
    select 1 from sync.pairs p join sync.groups g on g.id = p.group_id
    where g.user_id = ${userId} and p.breaker <> 'closed' limit 1`.execute(db);
  return rows.length > 0;
}

export interface GroupInput {
  name: string;
  enabled: boolean;
  rule: MirrorRulePatch;
  members: { calendarId: string; isSource: boolean; isTarget: boolean }[];
  pairs: { sourceCalendarId: string; targetCalendarId: string; enabled: boolean; rule: MirrorRulePatch }[];
}

export const mostGroups = 100;

/** Inserts a group and its members. Returns false for a person with as many groups as they can have. */
export async function insertGroup(tx: Tx, userId: UserId, groupId: string, input: GroupInput): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into sync.groups (id, user_id, name, enabled, rule)
    select ${groupId}, ${userId}, ${input.name}, ${input.enabled}, ${JSON.stringify(input.rule)}::jsonb
    where (select count(*) from sync.groups g where g.user_id = ${userId}) < ${mostGroups}`.execute(tx);
  if (numAffectedRows === 0n) return false;
  await writeMembers(tx, groupId, input);
  return true;
}

/** Replaces a group if it is still at this revision; false if somebody else changed it first. */
export async function replaceGroup(
  tx: Tx,
  userId: UserId,
  groupId: GroupId,
  revision: number,
  input: GroupInput,
): Promise<boolean> {
  const { rows } = await sql`
    update sync.groups set name = ${input.name}, enabled = ${input.enabled}, rule = ${JSON.stringify(input.rule)}::jsonb,
      revision = revision + 1
    where id = ${groupId} and user_id = ${userId} and revision = ${revision} returning id`.execute(tx);
  if (rows.length === 0) return false;
  await sql`delete from sync.members where group_id = ${groupId}`.execute(tx);
  await sql`
    delete from sync.pairs where group_id = ${groupId} and breaker = 'closed'`.execute(tx);
  // the breaker's counts are kept, while rules of pairs that are no longer listed are reset
  await sql`update sync.pairs set enabled = true, rule = '{}' where group_id = ${groupId}`.execute(tx);
  await writeMembers(tx, groupId, input);
  return true;
}

async function writeMembers(tx: Tx, groupId: string, input: GroupInput): Promise<void> {
  if (input.members.length > 0) {
    await sql`
      insert into sync.members (calendar_id, group_id, is_source, is_target)
      select "calendarId", ${groupId}, "isSource", "isTarget"
      from jsonb_to_recordset(${JSON.stringify(input.members)}::jsonb)
        as r("calendarId" uuid, "isSource" boolean, "isTarget" boolean)`.execute(tx);
  }
  if (input.pairs.length > 0) {
    await sql`
      insert into sync.pairs (group_id, source_calendar_id, target_calendar_id, enabled, rule)
      select ${groupId}, "sourceCalendarId", "targetCalendarId", enabled, rule
      from jsonb_to_recordset(${JSON.stringify(input.pairs)}::jsonb)
        as r("sourceCalendarId" uuid, "targetCalendarId" uuid, enabled boolean, rule jsonb)
      order by 2, 3
      on conflict (source_calendar_id, target_calendar_id) do update set
        group_id = excluded.group_id, enabled = excluded.enabled, rule = excluded.rule`.execute(tx);
  }
}

export async function deleteGroup(tx: Tx, userId: UserId, groupId: GroupId): Promise<boolean> {
  const { rows } = await sql`
    delete from sync.groups where id = ${groupId} and user_id = ${userId} returning id`.execute(tx);
  return rows.length > 0;
}

/** Takes calendars out of every group: their account is leaving. */
export async function removeMembers(tx: Tx, calendarIds: CalendarId[]): Promise<void> {
  await sql`delete from sync.members where calendar_id = any(${calendarIds}::uuid[])`.execute(tx);
  await sql`
    delete from sync.pairs
    where source_calendar_id = any(${calendarIds}::uuid[]) or target_calendar_id = any(${calendarIds}::uuid[])`.execute(
    tx,
  );
}

/** Which of these calendars are members of other groups. */
export async function findOtherGroups(
  db: Database,
  calendarIds: string[],
  groupId: string | null,
): Promise<{ calendarId: CalendarId; groupName: string }[]> {
  const { rows } = await sql<{ calendarId: CalendarId; groupName: string }>`
    select m.calendar_id as "calendarId", g.name as "groupName"
    from sync.members m join sync.groups g on g.id = m.group_id
    where m.calendar_id = any(${calendarIds}::uuid[]) and g.id is distinct from ${groupId}::uuid
    order by g.name, m.calendar_id`.execute(db);
  return rows;
}

/**
 * Writes a pair's breaker, where given only from the state that was read: its owner may have answered since. The time it
 * began to wait is kept while it waits.
 */
export async function setBreaker(
  tx: Tx,
  pair: { groupId: GroupId; sourceCalendarId: CalendarId; targetCalendarId: CalendarId },
  breaker: BreakerState,
  deletes: number | null,
  from: BreakerState | null = null,
): Promise<void> {
  const unanswered = from === null ? sql`` : sql`where sync.pairs.breaker = ${from}`;
  await sql`
    insert into sync.pairs (group_id, source_calendar_id, target_calendar_id, breaker, breaker_at, breaker_deletes)
    values (${pair.groupId}, ${pair.sourceCalendarId}, ${pair.targetCalendarId}, ${breaker}, now(), ${deletes})
    on conflict (source_calendar_id, target_calendar_id) do update set
      breaker = excluded.breaker, breaker_deletes = excluded.breaker_deletes,
      breaker_at = case when sync.pairs.breaker = excluded.breaker then sync.pairs.breaker_at else now() end
    ${unanswered}`.execute(tx);
}

/** The window was planned for this day of its owner. */
export async function setWindowDay(tx: Tx, groupId: GroupId, day: string): Promise<void> {
  await sql`update sync.groups set window_day = ${day}::date where id = ${groupId}`.execute(tx);
}

/** Lists all owners of groups, for the sweep at each owner's midnight. */
export async function listGroupOwners(db: Database): Promise<{ userId: UserId; windowDay: string | null }[]> {
  const { rows } = await sql<{ userId: UserId; windowDay: string | null }>`
    select user_id as "userId", min(coalesce(window_day, '-infinity'))::text as "windowDay"
    from sync.groups group by user_id`.execute(db);
  return rows;
}

/** Calendars of one of a person's groups. */
export async function listMemberIds(db: Database, userId: UserId, groupId: string): Promise<CalendarId[]> {
  const { rows } = await sql<{ id: CalendarId }>`
    select m.calendar_id as id from sync.members m join sync.groups g on g.id = m.group_id
    where g.id = ${groupId} and g.user_id = ${userId}`.execute(db);
  return rows.map((row) => row.id);
}

/** Every calendar of the groups that these are in, themselves among them. */
export async function listPartners(db: Database, calendarIds: CalendarId[]): Promise<CalendarId[]> {
  const { rows } = await sql<{ id: CalendarId }>`
    select calendar_id as id from sync.members
    where group_id in (select group_id from sync.members where calendar_id = any(${calendarIds}::uuid[]))`.execute(db);
  return rows.map((row) => row.id);
}
