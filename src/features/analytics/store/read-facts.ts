import { type RawBuilder, sql } from 'kysely';
import type { BookingId, CalendarId, EventTypeId, TeamId, UserId } from '#kernel/ids.ts';
import type { Span } from '#kernel/time/intervals.ts';
import type { Database } from '#platform/db.ts';
import type { BookingFact } from '../rules/count-booking.ts';
import { factColumns, type HostFact } from './fact-rows.ts';

/** Which bookings: of a host, or of a team, or of one in a team. */
export interface FactScope {
  hostId: UserId | null;
  teamId: TeamId | null;
  eventTypeIds: readonly EventTypeId[] | null;
  calendarId: CalendarId | null;
}

const within = ({ hostId, teamId, eventTypeIds, calendarId }: FactScope) => sql`
  ${hostId === null ? sql`true` : sql`f.host_id = ${hostId}`} and ${teamId === null ? sql`true` : sql`f.team_id = ${teamId}`}
  and ${eventTypeIds === null ? sql`true` : sql`f.event_type_id = any(${eventTypeIds}::uuid[])`}
  and ${calendarId === null ? sql`true` : sql`f.calendar_id = ${calendarId}`}`;

/** Bookings that start in the span, each once with its hosts. */
export function listStarting(db: Database, scope: FactScope, { startMs, endMs }: Span): Promise<BookingFact[]> {
  return listWhere(
    db,
    sql`select * from analytics.facts f where ${within(scope)} and start_ms >= ${startMs} and start_ms < ${endMs}`,
  );
}

/** Bookings that count something in the span: made, cancelled or starting in it. */
export function listCounting(db: Database, scope: FactScope, { startMs, endMs }: Span): Promise<BookingFact[]> {
  const each = (column: 'created_ms' | 'start_ms' | 'ended_ms') => sql`
    select * from analytics.facts f
    where ${within(scope)} and ${sql.ref(column)} >= ${startMs} and ${sql.ref(column)} < ${endMs}`;
  return listWhere(db, sql`${each('created_ms')} union ${each('start_ms')} union ${each('ended_ms')}`);
}

async function listWhere(db: Database, query: RawBuilder<unknown>): Promise<BookingFact[]> {
  const { rows } = await sql<HostFact>`select ${factColumns} from (${query}) f order by booking_id, host_id`.execute(
    db,
  );
  const facts = new Map<BookingId, BookingFact & { hostIds: UserId[] }>();
  for (const { hostId, ...fact } of rows) {
    const known = facts.get(fact.id);
    if (known === undefined) facts.set(fact.id, { ...fact, hostIds: [hostId] });
    else known.hostIds.push(hostId);
  }
  return [...facts.values()];
}

/** Facts of a scope beyond the bookings of the period. */
export interface Outline {
  /** When the first of all its bookings was made; null where there is none. */
  firstMadeMs: number | null;
  /** Bookings made in the period that are confirmed and not over. */
  upcoming: number;
}

export async function findOutline(
  db: Database,
  scope: FactScope,
  { startMs, endMs }: Span,
  nowMs: number,
): Promise<Outline> {
  const { rows } = await sql<Outline>`
    select (select created_ms from analytics.facts f where ${within(scope)} order by created_ms limit 1) as "firstMadeMs",
      (select count(distinct booking_id)::int from analytics.facts f
        where ${within(scope)} and created_ms >= ${startMs} and created_ms < ${endMs} and state = 'confirmed'
          and end_ms > ${nowMs}) as upcoming`.execute(db);
  return rows[0] ?? { firstMadeMs: null, upcoming: 0 };
}

export interface Told {
  id: BookingId;
  title: string;
  guestName: string | null;
  guestEmail: string | null;
}

/** Titles and guests of these bookings. */
export async function listBookingNames(db: Database, ids: readonly BookingId[]): Promise<Map<BookingId, Told>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Told>`
    select booking_id as id, title, guest_name as "guestName", guest_email as "guestEmail" from booking.told
    where booking_id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Guests of bookings in the span, each booking once; `isKnown`: an earlier booking of theirs is in this scope. */
export async function listGuests(
  db: Database,
  scope: FactScope,
  { startMs, endMs }: Span,
): Promise<{ address: string; key: BookingId; startMs: number; title: string; isKnown: boolean }[]> {
  const { rows } = await sql<{ address: string; key: BookingId; startMs: number; title: string; isKnown: boolean }>`
    with met as materialized (
      select distinct f.booking_id, f.start_ms, lower(t.guest_email) as address, t.guest_email, t.title
      from analytics.facts f join booking.told t on t.booking_id = f.booking_id
      where ${within(scope)} and f.start_ms >= ${startMs} and f.start_ms < ${endMs} and f.state = 'confirmed'
        and not f.guest_no_show and not f.host_no_show),
    known as (
      select address, exists (
        select from booking.told t join analytics.facts f on f.booking_id = t.booking_id
        where t.guest_email = any(m.spelt) and ${within(scope)} and f.start_ms < ${startMs} and f.state = 'confirmed'
          and not f.guest_no_show and not f.host_no_show) as is_known
      from (select address, array_agg(distinct guest_email) as spelt from met group by address) m)
    select met.address, met.booking_id as key, met.start_ms as "startMs", met.title, k.is_known as "isKnown"
    from met join known k on k.address = met.address order by met.start_ms desc, met.booking_id`.execute(db);
  return rows;
}

/** Event types of a person and these teams, in their order. */
export async function listTypeNames(
  db: Database,
  userId: UserId,
  teamIds: readonly TeamId[],
): Promise<{ id: EventTypeId; title: string; teamId: TeamId | null }[]> {
  const { rows } = await sql<{ id: EventTypeId; title: string; teamId: TeamId | null }>`
    select id, title, team_id as "teamId" from booking.owned_types
    where (user_id = ${userId} or team_id = any(${teamIds}::uuid[])) and not gone
    order by team_id nulls first, position, id`.execute(db);
  return rows;
}
