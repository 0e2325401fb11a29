import { type RawBuilder, sql } from 'kysely';
import type { EventTypeId, TeamId, UserId } from '#kernel/ids.ts';
import { type Database, isViolationOf, jsonb, type Tx } from '#platform/db.ts';
import { type Reading, reading } from '#platform/reading.ts';
import { soleHost, type TypeHost, type TypeOwner } from '../rules/type-hosts.ts';
import { readSettings, type TypeKind, type TypeSettings } from '../rules/type-settings.ts';

export interface EventType {
  id: EventTypeId;
  /** Owning person; null for a team's. */
  userId: UserId | null;
  teamId: TeamId | null;
  /** With whom it is booked, in their order; of a person's they alone. */
  hosts: readonly TypeHost[];
  slug: string;
  title: string;
  description: string;
  kind: TypeKind;
  hidden: boolean;
  secret: boolean;
  settings: TypeSettings;
  /** A calendar chosen for its conflicts or its events is no longer connected. */
  lacksCalendars: boolean;
  version: number;
  updatedMs: number;
}

/**
 * Settings of an event type with only those calendars that still exist. If none of the chosen calendars can block time any
 * more, all calendars of the host block. An empty choice stays empty, and so does the rest of the settings.
 */
export const presentSettings = (settings: RawBuilder<unknown>) => sql`
  case when ${choosesCalendars(settings)} then ${settings}
    || case when ${blocks(settings)} then jsonb_build_object('blocking_calendar_ids', (
      select case when bool_or(c.id is not null and not exists (select from connections.uncounted u where u.id = c.id))
        then jsonb_agg(chosen.id order by chosen.n) filter (where c.id is not null) else 'null'::jsonb end
      from jsonb_array_elements_text(${settings} -> 'blocking_calendar_ids') with ordinality as chosen(id, n)
        left join connections.known c on c.id = chosen.id::uuid)) else '{}' end
    || case when ${isTargeted(settings)} then jsonb_build_object('target_calendar_id', (
      select c.id from connections.known c where c.id = (${settings} ->> 'target_calendar_id')::uuid)) else '{}' end
  else ${settings} end`;

/** Whether a calendar of the settings no longer exists. */
export const lacksCalendars = (settings: RawBuilder<unknown>) => sql`
  case when ${choosesCalendars(settings)} then exists (
    select from jsonb_array_elements_text(case when ${blocks(settings)} then ${settings} -> 'blocking_calendar_ids' else '[]' end
        || case when ${isTargeted(settings)} then jsonb_build_array(${settings} ->> 'target_calendar_id') else '[]' end) as chosen(id)
      left join connections.known c on c.id = chosen.id::uuid where c.id is null) else false end`;

const blocks = (
  settings: RawBuilder<unknown>,
) => sql`case when jsonb_typeof(${settings} -> 'blocking_calendar_ids') = 'array'
  then jsonb_array_length(${settings} -> 'blocking_calendar_ids') > 0 else false end`;
const isTargeted = (settings: RawBuilder<unknown>) => sql`${settings} ->> 'target_calendar_id' is not null`;
const choosesCalendars = (settings: RawBuilder<unknown>) => sql`(${blocks(settings)} or ${isTargeted(settings)})`;

/** the subquery of hosts runs for team types only */
const columnsWith = (settings: RawBuilder<unknown>) => sql`id, user_id as "userId", team_id as "teamId", slug, title,
  description, kind, hidden, secret, ${settings} as settings,
  ${lacksCalendars(sql`event_types.settings`)} as "lacksCalendars", version,
  (extract(epoch from updated_at) * 1000)::bigint as "updatedMs",
  case when team_id is not null then (
    select coalesce(jsonb_agg(jsonb_build_object('userId', h.user_id, 'weight', h.weight, 'priority', h.priority,
      'optional', h.optional, 'calibration', h.calibration, 'sinceMs', h.since_ms, 'standIns', (
        select coalesce(jsonb_agg(jsonb_build_object('toUserId', s.to_user_id, 'fromMs', s.from_ms, 'untilMs', s.until_ms)
          order by s.from_ms), '[]')
        from booking.stand_ins s where s.team_id = h.team_id and s.user_id = h.user_id))
      order by h.position, h.user_id), '[]')
    from booking.hosts h where h.event_type_id = event_types.id) end as hosts`;
const columns = columnsWith(presentSettings(sql`event_types.settings`));

type Row = Omit<EventType, 'hosts'> & { hosts: TypeHost[] | null };

const readRow = ({ hosts, ...row }: Row): EventType => ({
  ...row,
  hosts: hosts ?? (row.userId === null ? [] : [soleHost(row.userId)]),
  settings: readSettings(row.kind, row.settings),
});

const ownedBy = ({ userId, teamId }: Pick<EventType, 'userId' | 'teamId'>) => sql`owner_id = ${userId ?? teamId}`;

/** Lists the event types of a person or a team, in order. */
export async function listTypesOf(db: Database, owner: TypeOwner): Promise<EventType[]> {
  const { rows } = await sql<Row>`
    select ${columns} from booking.event_types where ${ownedBy(owner)} and deleted_at is null
    order by position, created_at, id`.execute(db);
  return rows.map(readRow);
}

/** Characters of the descriptions and settings of an owner's event types: they are listed together. */
export async function countTypeText(tx: Tx, owner: TypeOwner): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(length(description) + length(settings::text)), 0)::int as count
    from booking.event_types where ${ownedBy(owner)} and deleted_at is null`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** An event type as a profile page shows it. */
export type OfferedType = Omit<EventType, 'settings'> & { settings: Omit<TypeSettings, 'questions'> };

/** The event types that anyone may find at the address of their owner, without their questions, which may be long. */
export async function listOffered(db: Database, owner: TypeOwner): Promise<OfferedType[]> {
  const { rows } = await sql<Row>`
    select ${columnsWith(sql`${presentSettings(sql`event_types.settings`)} - 'questions'`)} from booking.event_types
    where ${ownedBy(owner)} and deleted_at is null and not hidden and not secret
    order by position, created_at, id`.execute(db);
  return rows.map(readRow);
}

/** In their person's order; none of a team. */
export function listTypes(db: Database, userId: UserId): Promise<EventType[]> {
  return listTypesOf(db, { userId, teamId: null });
}

/** Lists the event types of several teams; each team's in order. */
export async function listTeamTypes(db: Database, teamIds: readonly TeamId[]): Promise<EventType[]> {
  const { rows } = await sql<Row>`
    select ${columns} from booking.event_types where team_id = any(${teamIds}::uuid[]) and deleted_at is null
    order by position, created_at, id`.execute(db);
  return rows.map(readRow);
}

export async function findType(db: Database, id: EventTypeId): Promise<EventType | null> {
  const { rows } = await sql<Row>`
    select ${columns} from booking.event_types where id = ${id} and deleted_at is null`.execute(db);
  return rows.map(readRow)[0] ?? null;
}

export interface TypeAt {
  type: EventType;
  /** The owner's current handle: the one in the address may be a former one. */
  handle: string;
  /** Names the row as it is: whatever changes it gives it another. */
  mark: string;
}

/** The event type at an address; a name in use goes before a former one. */
export function typeAtReading(handle: string, slug: string): Reading<TypeAt | null> {
  const query = sql<Row & { handle: string; mark: string }>`
    select t.*, n.handle
    from booking.handles h join booking.handles n on n.owner_id = h.owner_id and n.free_at is null
      join lateral (
        select ${columns}, xmin::text as mark from booking.event_types
        where owner_id = h.owner_id and (slug = ${slug} or ${slug} = any(former_slugs)) and deleted_at is null
        order by (slug = ${slug}) desc, updated_at desc limit 1) t on true
    where h.handle = ${handle} and (h.free_at is null or h.free_at > now())`;
  return reading(query, ([row]) => {
    if (row === undefined) return null;
    const { handle: inUse, mark, ...type } = row;
    return { type: readRow(type), handle: inUse, mark };
  });
}

/** Whether a person's event type is still the result of `typeAtReading`. Always false for a former handle. */
export function typeStandsReading(handle: string, { type, mark }: Pick<TypeAt, 'type' | 'mark'>): Reading<boolean> {
  const query = sql<{ stands: true }>`
    select true as stands from booking.handles h join booking.event_types t on t.user_id = h.user_id
    where h.handle = ${handle} and h.free_at is null
      and t.id = ${type.id} and t.xmin = ${mark}::xid and t.deleted_at is null`;
  return reading(query, (rows) => rows.length > 0);
}

/** Serializes additions to a team's event types. */
export async function lockTeamTypes(tx: Tx, teamId: TeamId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('event types of ' || ${teamId}, 0))`.execute(tx);
}

export type NewType = Omit<EventType, 'version' | 'updatedMs' | 'lacksCalendars' | 'hosts' | 'teamId'> & {
  teamId?: TeamId | null;
};

/** At the end of its owner's order. *Errors*: the database's, where `slugIsTaken`. */
export async function insertType(tx: Tx, { teamId = null, ...type }: NewType): Promise<void> {
  await sql`
    insert into booking.event_types (id, user_id, team_id, slug, title, description, kind, position, hidden, secret, settings)
    select ${type.id}, ${type.userId}::uuid, ${teamId}::uuid, ${type.slug}, ${type.title}, ${type.description}, ${type.kind},
      coalesce(max(position), 0) + 1, ${type.hidden}, ${type.secret}, ${jsonb(type.settings)}
    from booking.event_types where ${ownedBy({ userId: type.userId, teamId })}`.execute(tx);
}

export const slugIsTaken = (error: unknown) => isViolationOf(error, 'event_types_by_slug');

export type TypeChange = Pick<EventType, 'id' | 'slug' | 'title' | 'description' | 'hidden' | 'secret' | 'settings'>;

/** False where it is not the version that was seen. *Errors*: the database's, where `slugIsTaken`. */
export async function updateType(tx: Tx, seen: number, type: TypeChange): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update booking.event_types set slug = ${type.slug},
      former_slugs = case when slug = ${type.slug} then former_slugs
        else (array_prepend(slug, array_remove(former_slugs, ${type.slug})))[:20] end, title = ${type.title}, description = ${type.description},
      hidden = ${type.hidden}, secret = ${type.secret}, settings = ${jsonb(type.settings)}, version = version + 1,
      updated_at = now()
    where id = ${type.id} and version = ${seen} and deleted_at is null`.execute(tx);
  return numAffectedRows === 1n;
}

export interface TypeSwitches {
  hidden?: boolean | undefined;
  secret?: boolean | undefined;
  paused?: boolean | undefined;
}

/** Whatever its version is, which counts on: who edits it at the time is told. */
export async function switchType(tx: Tx, id: EventTypeId, { hidden, secret, paused }: TypeSwitches): Promise<void> {
  const settings = paused === undefined ? {} : { paused };
  await sql`
    update booking.event_types set hidden = coalesce(${hidden ?? null}, hidden),
      secret = coalesce(${secret ?? null}, secret), settings = settings || ${jsonb(settings)}, version = version + 1,
      updated_at = now()
    where id = ${id}`.execute(tx);
}

/** Orders these first, the others after them unchanged; ids of other owners are ignored. */
export async function orderTypes(tx: Tx, owner: TypeOwner, ids: EventTypeId[]): Promise<void> {
  await sql`
    update booking.event_types t set position = placed.n
    from (
      select e.id, row_number() over (order by given.n nulls last, e.position, e.created_at, e.id) as n
      from booking.event_types e left join unnest(${ids}::uuid[]) with ordinality as given(id, n) on given.id = e.id
      where ${ownedBy(owner)} and e.deleted_at is null) placed
    where placed.id = t.id and t.position <> placed.n`.execute(tx);
}

/** Deletions that an owner can undo. Older ones are final. */
const mostDeleted = 100;

export async function deleteType(tx: Tx, id: EventTypeId, owner: TypeOwner): Promise<void> {
  await sql`update booking.event_types set deleted_at = clock_timestamp() where id = ${id}`.execute(tx);
  await sql`
    delete from booking.event_types where id in (
      select id from booking.event_types where ${ownedBy(owner)} and deleted_at is not null
      order by deleted_at desc, id offset ${mostDeleted})`.execute(tx);
}

/** Finds the owner of an event type that was deleted in the last 30 days. */
export async function findOwnerOfDeleted(db: Database, id: EventTypeId): Promise<TypeOwner | null> {
  const { rows } = await sql<TypeOwner>`
    select user_id as "userId", team_id as "teamId" from booking.event_types
    where id = ${id} and deleted_at > now() - interval '30 days'`.execute(db);
  return rows[0] ?? null;
}

/** Takes back a deletion of the last 30 days; false where there is none. *Errors*: the database's, where `slugIsTaken`. */
export async function restoreType(tx: Tx, id: EventTypeId): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update booking.event_types set deleted_at = null
    where id = ${id} and deleted_at > now() - interval '30 days'`.execute(tx);
  return numAffectedRows === 1n;
}

/** Deletes event types that can no longer be restored. Their bookings stay, without a reference to the type. */
export async function deleteForgottenTypes(db: Database): Promise<void> {
  await sql`delete from booking.event_types where deleted_at < now() - interval '30 days'`.execute(db);
}
