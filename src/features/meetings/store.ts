import { type RawBuilder, sql } from 'kysely';
import type { CalendarId, ItemId, MirrorId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

/** Which rows of a table of the console, and in which order. */
export interface RowFilter {
  /** Calendars of the origins; of mirrors the targets. Null: any. */
  calendarIds: CalendarId[] | null;
  /** The search: part of the title, or words (folded) that each begin a word of title, place, or attendees. */
  typed: string;
  words: readonly string[];
  attendee: string | null;
  fromMs: number | null;
  toMs: number | null;
  /** For meetings: failed, pending, synced, none. For mirrors: a state. */
  state: string | null;
  sort: 'date' | 'title' | 'origin' | 'health';
  descending: boolean;
  nowMs: number;
}

interface PageOf {
  offset: number;
  limit: number;
}

export interface MeetingKey {
  itemId: ItemId;
  recId: string;
}

const direction = ({ descending }: RowFilter) => (descending ? sql`desc` : sql`asc`);
const all = (conditions: RawBuilder<unknown>[]) => sql.join(conditions, sql` and `);

/** Conditions on an instance `m`. */
function conditionsOf(userId: UserId, filter: RowFilter): RawBuilder<unknown>[] {
  const { typed, words, attendee, fromMs, toMs } = filter;
  const found: RawBuilder<unknown>[] = [];
  if (typed !== '') {
    const pattern = `%${typed.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
    const hasWords = words.map((word) => sql`w.text like ${`% ${word}%`}`);
    const indexed = sql`m.item_id in (
      select item_id from search.event_words w where w.user_id = ${userId} and ${all(hasWords)})`;
    // the index is moments behind the events; a title is found at once
    const comers = sql`m.item_id in (select key from booking.comers c where c.user_id = ${userId}
      and (c.guest_name ilike ${pattern} or c.guest_email ilike ${pattern}))`;
    found.push(
      words.length === 0 ? sql`m.title ilike ${pattern}` : sql`(m.title ilike ${pattern} or ${indexed} or ${comers})`,
    );
  }
  if (attendee !== null) {
    found.push(
      sql`(m.item_id in (select item_id from search.event_people where user_id = ${userId} and email = ${attendee})
        or m.item_id in (select key from booking.comers where user_id = ${userId} and lower(guest_email) = ${attendee}))`,
    );
  }
  if (fromMs !== null) found.push(sql`m.end_ms > ${fromMs}`);
  if (toMs !== null) found.push(sql`m.start_ms < ${toMs}`);
  return found;
}

/** A block of the instance `m`: its own, or that of the whole in a target where it has none of its own. */
const blockOf = (userId: UserId, states: readonly string[]) => sql`
  exists (select from sync.standings b where b.user_id = ${userId} and b.item_id = m.item_id
    and b.state = any(${states}::text[]) and (b.rec_id = m.rec_id or b.rec_id = '' and not exists (
      select from sync.standings o where o.user_id = ${userId} and o.item_id = m.item_id and o.rec_id = m.rec_id
        and o.target_calendar_id = b.target_calendar_id)))`;

/** Rank of the badge: failed, pending, synced, not mirrored. */
const healthRank = (userId: UserId) => sql`
  case when ${blockOf(userId, ['failed'])} then 0 when ${blockOf(userId, ['pending'])} then 1
    when ${blockOf(userId, ['created'])} then 2 else 3 end`;

function healthIs(userId: UserId, health: string): RawBuilder<unknown> {
  const [failed, pending, created] = ['failed', 'pending', 'created'].map((state) => blockOf(userId, [state]));
  switch (health) {
    case 'failed':
      return sql`${failed}`;
    case 'pending':
      return sql`${pending} and not ${failed}`;
    case 'synced':
      return sql`${created} and not ${blockOf(userId, ['failed', 'pending'])}`;
    default:
      return sql`not ${blockOf(userId, ['failed', 'pending', 'created'])}`;
  }
}

/**
 * Instances of events with somebody else, and what was booked and stands in no calendar as such: a booking and its event
 * are one. `m`.
 */
const meetingsOf = (userId: UserId) => sql`(
  select item_id, rec_id, user_id, calendar_id, start_ms, end_ms, title from calendar.meetings where user_id = ${userId}
  union all
  select b.key, '', b.user_id, b.calendar_id, b.start_ms, b.end_ms, b.title from booking.meetings b
  where b.user_id = ${userId} and (b.item_id is null or not exists (
    select from calendar.meetings c where c.user_id = ${userId} and c.item_id = b.item_id))) m`;

const ahead = (scope: 'upcoming' | 'past', nowMs: number) =>
  scope === 'upcoming' ? sql`m.end_ms > ${nowMs}` : sql`m.end_ms <= ${nowMs}`;

function matching(userId: UserId, scope: 'upcoming' | 'past', filter: RowFilter): RawBuilder<unknown> {
  const conditions = [ahead(scope, filter.nowMs), ...conditionsOf(userId, filter)];
  if (filter.calendarIds !== null) conditions.push(sql`m.calendar_id = any(${filter.calendarIds}::uuid[])`);
  if (filter.state !== null) conditions.push(healthIs(userId, filter.state));
  return all(conditions);
}

/** A page of meetings, by their keys. */
export async function listMeetingKeys(
  db: Database,
  userId: UserId,
  scope: 'upcoming' | 'past',
  filter: RowFilter,
  page: PageOf,
): Promise<MeetingKey[]> {
  const keys = {
    date: sql`m.start_ms`,
    title: sql`lower(m.title) collate "C"`,
    origin: sql`array_position(${filter.calendarIds}::uuid[], m.calendar_id)`,
    health: healthRank(userId),
  };
  const time = scope === 'past' ? sql`m.start_ms desc` : sql`m.start_ms`;
  const { rows } = await sql<MeetingKey>`
    select m.item_id as "itemId", m.rec_id as "recId" from ${meetingsOf(userId)}
    where ${matching(userId, scope, filter)}
    order by ${keys[filter.sort]} ${direction(filter)}, ${time}, m.item_id, m.rec_id
    offset ${page.offset} limit ${page.limit}`.execute(db);
  return rows;
}

export async function countMeetings(
  db: Database,
  userId: UserId,
  scope: 'upcoming' | 'past',
  filter: RowFilter,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${meetingsOf(userId)} where ${matching(userId, scope, filter)}`.execute(db);
  return rows[0]?.count ?? 0;
}

type Counts = Record<'upcoming' | 'past' | 'mirrors' | 'created' | 'pending' | 'failed' | 'skipped', number>;

/** Rows of each tab, and mirrors by their state, whatever the filters; two queries. */
export async function countTabs(db: Database, userId: UserId, nowMs: number): Promise<Counts> {
  const [meetings, mirrors] = await Promise.all([
    sql<{ upcoming: number; past: number }>`
      select count(*) filter (where end_ms > ${nowMs})::int as upcoming,
        count(*) filter (where end_ms <= ${nowMs})::int as past
      from ${meetingsOf(userId)}`.execute(db),
    sql<Record<'created' | 'pending' | 'failed' | 'skipped', number>>`
      select count(*) filter (where state = 'created')::int as created,
        count(*) filter (where state = 'pending')::int as pending,
        count(*) filter (where state = 'failed')::int as failed,
        count(*) filter (where state = 'skipped')::int as skipped
      from sync.standings where user_id = ${userId}`.execute(db),
  ]);
  const { upcoming, past } = meetings.rows[0] ?? { upcoming: 0, past: 0 };
  const states = mirrors.rows[0] ?? { created: 0, pending: 0, failed: 0, skipped: 0 };
  return { upcoming, past, mirrors: Object.values(states).reduce((sum, one) => sum + one, 0), ...states };
}

/** The instance `n` that a mirror `b` was written for. A mirror of a whole series has none. */
const instanceOfMirror = (userId: UserId) => sql`
  left join calendar.instances n on n.user_id = ${userId} and n.item_id = b.item_id and n.rec_id = b.rec_id`;

/** The same, or of a whole series the one that is on or comes next, else the last. One by one, so only where it must. */
const ofInstance = (column: 'start_ms' | 'title', nowMs: number) => sql`
  coalesce(n.${sql.ref(column)}, (select i.${sql.ref(column)} from calendar.instances i where i.item_id = b.item_id
    order by (i.end_ms <= ${nowMs}), abs(i.start_ms - ${nowMs}) limit 1))`;

function matchingMirrors(userId: UserId, filter: RowFilter): RawBuilder<unknown> {
  const conditions = [sql`b.user_id = ${userId}`];
  if (filter.calendarIds !== null) conditions.push(sql`b.target_calendar_id = any(${filter.calendarIds}::uuid[])`);
  if (filter.state !== null) conditions.push(sql`b.state = ${filter.state}`);
  const asked = conditionsOf(userId, filter);
  if (asked.length > 0) {
    conditions.push(sql`exists (select from calendar.instances m where m.item_id = b.item_id
      and (b.rec_id = '' or m.rec_id = b.rec_id) and m.user_id = ${userId} and ${all(asked)})`);
  }
  return all(conditions);
}

/** A page of mirrors, by their ids; those in trouble first unless another order is asked for. */
export async function listMirrorIds(
  db: Database,
  userId: UserId,
  filter: RowFilter,
  page: PageOf,
): Promise<MirrorId[]> {
  const trouble = sql`case b.state when 'failed' then 0 when 'pending' then 1 when 'created' then 2 else 3 end`;
  const keys = {
    date: ofInstance('start_ms', filter.nowMs),
    title: sql`lower(${ofInstance('title', filter.nowMs)}) collate "C"`,
    origin: sql`array_position(${filter.calendarIds}::uuid[], b.target_calendar_id)`,
    health: trouble,
  };
  const looksAtInstance = filter.sort === 'date' || filter.sort === 'title';
  const { rows } = await sql<{ id: MirrorId }>`
    select b.id from sync.standings b ${looksAtInstance ? instanceOfMirror(userId) : sql``}
    where ${matchingMirrors(userId, filter)}
    order by ${keys[filter.sort]} ${direction(filter)} nulls last, b.near_ms, b.id
    offset ${page.offset} limit ${page.limit}`.execute(db);
  return rows.map(({ id }) => id);
}

export async function countMirrors(db: Database, userId: UserId, filter: RowFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from sync.standings b where ${matchingMirrors(userId, filter)}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Every block of these events, as a whole or of these instances. */
export async function listBlockStates(
  db: Database,
  userId: UserId,
  keys: readonly MeetingKey[],
): Promise<
  { itemId: ItemId; recId: string; targetId: CalendarId; state: 'created' | 'pending' | 'failed' | 'skipped' }[]
> {
  const { rows } = await sql<Awaited<ReturnType<typeof listBlockStates>>[number]>`
    select item_id as "itemId", rec_id as "recId", target_calendar_id as "targetId", state from sync.standings
    where user_id = ${userId} and item_id = any(${[...new Set(keys.map((key) => key.itemId))]}::uuid[])
      and rec_id = any(${['', ...new Set(keys.map((key) => key.recId))]}::text[])`.execute(db);
  return rows;
}

/** When and what the origins of these mirrors are. */
export async function listOrigins(
  db: Database,
  userId: UserId,
  mirrorIds: MirrorId[],
  nowMs: number,
): Promise<
  Map<MirrorId, { recId: string; startMs: number; allDay: boolean; title: string | null; recurring: boolean }>
> {
  const { rows } = await sql<{
    id: MirrorId;
    recId: string;
    startMs: number;
    allDay: boolean;
    title: string | null;
    recurring: boolean;
  }>`
    select b.id, n.rec_id as "recId", n.start_ms as "startMs", n.all_day as "allDay", n.title, n.recurring
    from sync.standings b
    join lateral (
      select i.rec_id, i.start_ms, i.all_day, i.title, i.recurring from calendar.instances i
      where i.item_id = b.item_id and (b.rec_id = '' or i.rec_id = b.rec_id)
      order by (i.end_ms <= ${nowMs}), abs(i.start_ms - ${nowMs}) limit 1) n on true
    where b.user_id = ${userId} and b.id = any(${mirrorIds}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, ...rest }) => [id, rest]));
}
