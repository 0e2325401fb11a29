import { type RawBuilder, sql } from 'kysely';
import type { BookingId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import { type BookingFact, type Counts, measures } from '../rules/count-booking.ts';
import { dateOf } from '../rules/period.ts';

/** A booking as it counts for one of its hosts. */
export interface HostFact extends Omit<BookingFact, 'hostIds'> {
  hostId: UserId;
}

export const factColumns = sql`booking_id as id, host_id as "hostId", event_type_id as "eventTypeId", team_id as "teamId",
  calendar_id as "calendarId", state, created_ms as "createdMs", start_ms as "startMs", end_ms as "endMs",
  ended_ms as "endedMs", confirmed_ms as "confirmedMs", guest_no_show as "guestNoShow", host_no_show as "hostNoShow",
  guest_zone as "guestZone"`;

const sumColumns = {
  created: sql`created`,
  leadMs: sql`lead_ms`,
  kept: sql`kept`,
  keptLeadMs: sql`kept_lead_ms`,
  cancelled: sql`cancelled`,
  standing: sql`standing`,
  due: sql`due`,
  noShows: sql`no_shows`,
  hostNoShows: sql`host_no_shows`,
} as const satisfies Record<keyof Counts, RawBuilder<unknown>>;
const sumNames = sql.join(measures.map((name) => sumColumns[name]));

/** Locks a person's sums, after running counts and recounts. */
export async function lockSums(tx: Tx, userId: UserId): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey(sql`${userId}::text`)})`.execute(tx);
}
const lockKey = (userId: RawBuilder<unknown>) => sql`hashtextextended('sums of ' || ${userId}, 0)`;

export interface CountedBooking {
  /** As it is. */
  now: HostFact[];
  /** As it was counted. */
  kept: HostFact[];
  /** In whose days it was, by host. */
  zones: { userId: UserId; zone: string }[];
}

/**
 * Reads one booking as it is and as it was counted. Recounts of its hosts' bookings wait until the transaction ends.
 */
export async function readCounted(tx: Tx, bookingId: BookingId): Promise<CountedBooking> {
  const { rows } = await sql<CountedBooking>`
    with now as materialized (select ${factColumns} from booking.counted where booking_id = ${bookingId}),
      kept as materialized (select ${factColumns} from analytics.facts where booking_id = ${bookingId}),
      hosts as materialized (select "hostId" as id from now union select "hostId" from kept order by 1),
      locked as materialized (select id, pg_advisory_xact_lock_shared(${lockKey(sql`id::text`)}) from hosts)
    select coalesce((select json_agg(n) from now n), '[]') as now, coalesce((select json_agg(k) from kept k), '[]') as kept,
      (select coalesce(json_agg(json_build_object('userId', l.id, 'zone', coalesce(p.zone, ''))), '[]')
        from locked l left join analytics.people p on p.user_id = l.id) as zones`.execute(tx);
  return rows[0] ?? { now: [], kept: [], zones: [] };
}

/** A change in a host's sum of a day. The zone decides where the day begins. */
export interface DayChange {
  hostId: UserId;
  zone: string;
  day: number;
  counts: Counts;
}

/**
 * Stores a booking as it counts now, with the changes of the sums. Returns the hosts whose bookings must be recounted,
 * because they never were, or were counted by days of another zone.
 */
export async function writeCounted(
  tx: Tx,
  bookingId: BookingId,
  { now, zones }: CountedBooking,
  changes: readonly DayChange[],
): Promise<UserId[]> {
  const days = changes.map(({ hostId, zone, day, counts }) => ({ hostId, zone, day: dateOf(day), ...counts }));
  const { rows } = await sql<{ userId: UserId }>`
    with gone as (
      delete from analytics.facts where booking_id = ${bookingId} and host_id <> all(${now.map(({ hostId }) => hostId)}::uuid[])),
    kept as (${insertFacts(now)}),
    summed as (${addDays(days, sql`join analytics.people p on p.user_id = d."hostId" and p.zone = d.zone and p.whole`)})
    insert into analytics.people as p (user_id, zone)
    select "userId", zone from jsonb_to_recordset(${JSON.stringify(zones)}::jsonb) as z("userId" uuid, zone text) order by 1
    on conflict (user_id) do update set whole = false where p.whole and p.zone <> excluded.zone
    returning user_id as "userId"`.execute(tx);
  return rows.map(({ userId }) => userId);
}

const insertFacts = (facts: readonly HostFact[]) => sql`
  insert into analytics.facts as f (booking_id, host_id, event_type_id, team_id, calendar_id, state, created_ms, start_ms,
    end_ms, ended_ms, confirmed_ms, guest_no_show, host_no_show, guest_zone)
  select id, "hostId", "eventTypeId", "teamId", "calendarId", state, "createdMs", "startMs", "endMs", "endedMs",
    "confirmedMs", "guestNoShow", "hostNoShow", "guestZone"
  from jsonb_to_recordset(${JSON.stringify(facts)}::jsonb) as n(id uuid, "hostId" uuid, "eventTypeId" uuid, "teamId" uuid,
    "calendarId" uuid, state text, "createdMs" bigint, "startMs" bigint, "endMs" bigint, "endedMs" bigint,
    "confirmedMs" bigint, "guestNoShow" boolean, "hostNoShow" boolean, "guestZone" text) order by 1, 2
  on conflict (booking_id, host_id) do update set event_type_id = coalesce(excluded.event_type_id, f.event_type_id),
    team_id = coalesce(excluded.team_id, f.team_id), calendar_id = coalesce(excluded.calendar_id, f.calendar_id), state = excluded.state,
    created_ms = excluded.created_ms, start_ms = excluded.start_ms, end_ms = excluded.end_ms, ended_ms = excluded.ended_ms,
    confirmed_ms = excluded.confirmed_ms, guest_no_show = excluded.guest_no_show, host_no_show = excluded.host_no_show,
    guest_zone = excluded.guest_zone`;

const addDays = (days: readonly object[], where: RawBuilder<unknown>) => sql`
  insert into analytics.days as t (host_id, day, ${sumNames})
  select d."hostId", d.day, ${sql.join(measures.map((name) => sql`d.${sql.ref(name)}`))}
  from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as d("hostId" uuid, zone text, day date,
    ${sql.join(measures.map((name) => sql`${sql.ref(name)} bigint`))}) ${where}
  order by 1, 2
  on conflict (host_id, day) do update set
    ${sql.join(measures.map((name) => sql`${sumColumns[name]} = t.${sumColumns[name]} + excluded.${sumColumns[name]}`))}`;

/** The sums of a person by day number; null where there are none by the days of that zone. */
export async function findDaySums(
  db: Database,
  userId: UserId,
  zone: string,
  { firstDay, endDay }: { firstDay: number; endDay: number },
): Promise<Map<number, Counts> | null> {
  const { rows } = await sql<{ day: number | null } & Counts>`
    select d.day - date '1970-01-01' as day,
      ${sql.join(measures.map((name) => sql`d.${sumColumns[name]} as ${sql.ref(name)}`))}
    from analytics.people p
      left join analytics.days d on d.host_id = p.user_id and d.day >= ${dateOf(firstDay)}::date
        and d.day < ${dateOf(endDay)}::date
    where p.user_id = ${userId} and p.whole and p.zone = ${zone}`.execute(db);
  if (rows.length === 0) return null;
  return new Map(rows.flatMap(({ day, ...counts }) => (day === null ? [] : [[day, counts] as const])));
}

/** In whose zone a person's bookings are summed up; null where they are not. */
export async function findKeptZone(db: Database, userId: UserId): Promise<string | null> {
  const { rows } = await sql<{ zone: string }>`
    select zone from analytics.people where user_id = ${userId} and whole`.execute(db);
  return rows[0]?.zone ?? null;
}

/** A page of a person's bookings as they are counted, by id. */
export async function listHostFacts(
  db: Database,
  userId: UserId,
  { after, limit }: { after: BookingId | null; limit: number },
): Promise<HostFact[]> {
  const { rows } = await sql<HostFact>`
    select ${factColumns} from analytics.facts
    where host_id = ${userId} and (${after}::uuid is null or booking_id > ${after}) order by booking_id limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** Puts sums in the place of those that are kept of a person. */
export async function replaceSums(
  tx: Tx,
  userId: UserId,
  zone: string,
  sums: ReadonlyMap<number, Counts>,
): Promise<void> {
  const days = [...sums].map(([day, counts]) => ({ hostId: userId, zone, day: dateOf(day), ...counts }));
  await sql`delete from analytics.days where host_id = ${userId}`.execute(tx);
  await sql`
    insert into analytics.people (user_id, zone, whole) values (${userId}, ${zone}, true)
    on conflict (user_id) do update set zone = excluded.zone, whole = true`.execute(tx);
  await addDays(days, sql``).execute(tx);
}

/** Lists people whose bookings must be recounted; with `all`, everybody with bookings. */
export async function listUncounted(db: Database, { all }: { all: boolean }): Promise<UserId[]> {
  const { rows } = await sql<{ id: UserId }>`
    select user_id as id from analytics.people where ${all} or not whole
    union select host_id from analytics.facts where ${all} order by 1`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Bookings of a page, by id, whose counts differ from their state. A deleted event type keeps its counts.
 */
export async function listMiscounted(
  db: Database,
  { after, limit }: { after: BookingId | null; limit: number },
): Promise<{ wrong: BookingId[]; last: BookingId | null }> {
  const same = sql`(f.calendar_id, f.state, f.created_ms, f.start_ms, f.end_ms, f.ended_ms, f.confirmed_ms, f.guest_no_show,
      f.host_no_show, f.guest_zone, f.event_type_id, f.team_id)
    is not distinct from (coalesce(c.calendar_id, f.calendar_id), c.state, c.created_ms, c.start_ms, c.end_ms, c.ended_ms, c.confirmed_ms,
      c.guest_no_show, c.host_no_show, c.guest_zone, coalesce(c.event_type_id, f.event_type_id), coalesce(c.team_id, f.team_id))`;
  const { rows } = await sql<{ wrong: BookingId[] | null; last: BookingId | null }>`
    with page as materialized (select id from booking.ids where ${after}::uuid is null or id > ${after} order by id limit ${limit})
    select (select max(id::text) from page) as last,
      (select array_agg(distinct coalesce(c.booking_id, f.booking_id))
        from (select * from booking.counted where booking_id in (select id from page)) c
          full join (select * from analytics.facts where booking_id in (select id from page)) f
            on f.booking_id = c.booking_id and f.host_id = c.host_id
        where f.booking_id is null or c.booking_id is null or not ${same}) as wrong`.execute(db);
  return { wrong: rows[0]?.wrong ?? [], last: rows[0]?.last ?? null };
}
