import { type RawBuilder, sql } from 'kysely';
import type { CalendarId, ConnectionId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

export interface PullState {
  cursor: string | null;
  wantListing: boolean;
  lastListingMs: number | null;
  failures: number;
  /** A complete listing was suddenly empty, and no event has come back since. */
  suspect: boolean;
  /** The heartbeat handed it out: nobody said that anything changed. */
  routine: boolean;
  /** Shortest interval of pulls that the feed's person chose, while nobody looks; 0 by default. */
  pollMs: number;
  /** When this was read, by the database's clock. */
  at: Temporal.Instant;
}

/** Starts following calendars; those followed already stay as they are. */
export async function followCalendars(
  tx: Tx,
  rows: { calendarId: CalendarId; userId: UserId; connectionId: ConnectionId }[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into sync.pulls (calendar_id, user_id, connection_id)
    select * from unnest(${rows.map((r) => r.calendarId)}::uuid[], ${rows.map((r) => r.userId)}::uuid[],
      ${rows.map((r) => r.connectionId)}::uuid[])
    on conflict (calendar_id) do nothing`.execute(tx);
}

/** How far a calendar has been read, or null when it is not followed. */
export async function findPull(db: Database, calendarId: CalendarId): Promise<PullState | null> {
  const { rows } = await sql<PullState>`
    select cursor, want_listing as "wantListing", failures, suspect, routine,
      (extract(epoch from last_listing_at) * 1000)::bigint as "lastListingMs",
      coalesce((select poll_seconds from sync.settings s where s.user_id = p.user_id), 0) * 1000 as "pollMs",
      clock_timestamp() as at
    from sync.pulls p where calendar_id = ${calendarId}`.execute(db);
  return rows[0] ?? null;
}

/** Delay of a pull after a notice, if the calendar was read too recently or is being read. */
export const steadyMs = 1_000;

/**
 * The end of a successful pull: the cursor, in the transaction that stored the last of its effects. A notice that came
 * while it ran, or so lately that its provider may not tell yet what it was about, has the calendar read once more.
 */
export async function finishPull(
  tx: Database,
  calendarId: CalendarId,
  end: {
    cursor: string | null;
    startedMs: number;
    nowMs: number;
    /** How long before what it tells of a notice may come. */
    noticesLeadMs: number;
    nextMs: number;
    /** Not read again before, unless its person asks for it. */
    notBeforeMs: number;
    listed: boolean;
    suspect: boolean;
    changed: boolean;
  },
): Promise<void> {
  await sql`
    update sync.pulls set cursor = ${end.cursor}, failures = 0, routine = false,
      next_pull_at = least(to_timestamp(${end.nextMs / 1000}), (
        select case
          when at > to_timestamp(${end.startedMs / 1000}) then at + make_interval(secs => ${steadyMs / 1000})
          when at + lead > to_timestamp(${end.nowMs / 1000}) then at + lead
        end
        from (select max(noticed_at) as at, make_interval(secs => ${end.noticesLeadMs / 1000}) as lead
          from sync.channels where calendar_id = ${calendarId}) noticed)),
      pulled_at = to_timestamp(${end.nowMs / 1000}),
      not_before = to_timestamp(${end.notBeforeMs / 1000}),
      want_listing = case when ${end.listed} then false else want_listing end,
      last_listing_at = case when ${end.listed} then now() else last_listing_at end,
      suspect = ${end.suspect},
      last_changed_at = case when ${end.changed} then now() else last_changed_at end
    where calendar_id = ${calendarId}`.execute(tx);
}

/** Nothing is kept of a calendar any more: its next pull asks for everything. */
export async function startOver(tx: Tx, calendarId: CalendarId): Promise<void> {
  await sql`update sync.pulls set cursor = null, want_listing = true where calendar_id = ${calendarId}`.execute(tx);
}

/** A pull that waits for its account's quota: nothing failed. */
export async function deferPull(db: Database, calendarId: CalendarId, nextMs: number): Promise<void> {
  await sql`
    update sync.pulls set next_pull_at = to_timestamp(${nextMs / 1000}) where calendar_id = ${calendarId}`.execute(db);
}

/** A pull that did not come to its end; `forget` where its cursor is of no use any more. */
export async function failPull(
  db: Database,
  calendarId: CalendarId,
  failure: { nextMs: number; forget: boolean; cursor?: string | null | undefined },
): Promise<void> {
  await sql`
    update sync.pulls set failures = failures + 1, next_pull_at = to_timestamp(${failure.nextMs / 1000}),
      cursor = case when ${failure.forget} then null else coalesce(${failure.cursor ?? null}, cursor) end,
      want_listing = want_listing or ${failure.forget}
    where calendar_id = ${calendarId}`.execute(db);
}

/** Takes what is due: at most `limit` calendars, `ofPerson` of each person, and each handed to one caller only. */
export async function takeDuePulls(
  db: Database,
  due: { nowMs: number; retryMs: number; limit: number; ofPerson: number },
): Promise<CalendarId[]> {
  const { rows } = await sql<{ id: CalendarId }>`
    update sync.pulls set next_pull_at = to_timestamp(${(due.nowMs + due.retryMs) / 1000}),
      -- 'epoch': somebody wants it read
      routine = next_pull_at > 'epoch'
    where calendar_id in (
      select calendar_id from sync.pulls where next_pull_at <= to_timestamp(${due.nowMs / 1000}) and calendar_id = any(array(
        select calendar_id from (
          select calendar_id, next_pull_at, row_number() over (partition by user_id order by next_pull_at) as place
          from sync.pulls where next_pull_at <= to_timestamp(${due.nowMs / 1000})) each_person
        where place <= ${due.ofPerson} order by next_pull_at limit ${due.limit}))
      for update skip locked)
    returning calendar_id as id`.execute(db);
  return rows.map((row) => row.id);
}

/** Rows that are about to be changed, locked in one order: two changes of several calendars never wait for each other. */
const inOrder = (which: RawBuilder<unknown>) =>
  sql`select calendar_id from sync.pulls where ${which} order by calendar_id for no key update`;

/** Speeds up pulls for people who look at their calendars now: this long after the last pull, less often under push. */
export async function hastenPulls(
  db: Database,
  userIds: UserId[],
  every: { plainMs: number; pushedMs: number },
): Promise<void> {
  if (userIds.length === 0) return;
  await sql`
    update sync.pulls p set next_pull_at = greatest(sooner.at, p.not_before)
    from (
      select calendar_id, pulled_at + make_interval(secs => (case when exists (
          select from sync.channels c where c.calendar_id = i.calendar_id and c.state = 'live')
        then ${every.pushedMs / 1000} else ${every.plainMs / 1000} end)::float8) as at
      from sync.pulls i where user_id = any(${userIds}::uuid[]) order by calendar_id for no key update
    ) sooner
    where sooner.calendar_id = p.calendar_id and p.failures = 0
      and p.next_pull_at > greatest(sooner.at, p.not_before)`.execute(db);
}

/** Schedules these calendars to be read at this time at the latest. */
export async function hastenCalendars(tx: Tx, calendarIds: CalendarId[], atMs: number): Promise<void> {
  if (calendarIds.length === 0) return;
  await sql`
    update sync.pulls set next_pull_at = least(next_pull_at, to_timestamp(${atMs / 1000}))
    where calendar_id in (${inOrder(sql`calendar_id = any(${calendarIds}::uuid[])`)}) and failures = 0`.execute(tx);
}

/** Asks for a complete listing of these calendars at the given time. */
export async function wantListing(tx: Tx, calendarIds: CalendarId[], atMs: number): Promise<void> {
  if (calendarIds.length === 0) return;
  await sql`
    update sync.pulls set want_listing = true, next_pull_at = least(next_pull_at, to_timestamp(${atMs / 1000}))
    where calendar_id in (${inOrder(sql`calendar_id = any(${calendarIds}::uuid[])`)})`.execute(tx);
}

/** The facts about source calendars that the breaker needs. */
export async function listListings(
  db: Database,
  calendarIds: CalendarId[],
): Promise<Map<CalendarId, { suspect: boolean; lastListingMs: number | null }>> {
  const { rows } = await sql<{ id: CalendarId; suspect: boolean; lastListingMs: number | null }>`
    select calendar_id as id, suspect, (extract(epoch from last_listing_at) * 1000)::bigint as "lastListingMs"
    from sync.pulls where calendar_id = any(${calendarIds}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, ...rest }) => [id, rest]));
}

/** Calendars whose last complete listing is a day old: the daily scrub, by the database's clock that stamped it. */
export async function listUnscrubbed(db: Database, limit: number): Promise<CalendarId[]> {
  const { rows } = await sql<{ id: CalendarId }>`
    select calendar_id as id from sync.pulls
    where last_listing_at < now() - interval '1 day' and not want_listing
    order by last_listing_at limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

/** Schedules these calendars to be read now, whatever their backoff. */
export async function readSoon(tx: Tx, calendarIds: CalendarId[]): Promise<void> {
  await sql`
    update sync.pulls set next_pull_at = 'epoch', failures = 0, routine = false
    where calendar_id in (${inOrder(sql`calendar_id = any(${calendarIds}::uuid[])`)})`.execute(tx);
}

/** The same of every calendar of these accounts; tells which they are. */
export async function readConnectionsSoon(tx: Tx, connectionIds: readonly ConnectionId[]): Promise<CalendarId[]> {
  const { rows } = await sql<{ id: CalendarId }>`
    update sync.pulls set next_pull_at = 'epoch', failures = 0, routine = false
    where calendar_id in (${inOrder(sql`connection_id = any(${connectionIds}::uuid[])`)}) returning calendar_id as id`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}
