import { type RawBuilder, sql } from 'kysely';
import type { BookingId, EventTypeId } from '#kernel/ids.ts';
import { dayMs } from '#kernel/time/civil.ts';
import type { Span } from '#kernel/time/intervals.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { VisitScope } from '../rules/visit-scope.ts';
import { pauseMs, type StageCounts, type Visit } from '../rules/visits.ts';

const within = ({ ownerId, teamId, eventTypeIds }: VisitScope, { startMs, endMs }: Span) => sql`
  analytics.visits v join booking.owned_types t on t.id = v.event_type_id
    left join lateral (select confirmed_ms, state, end_ms, guest_no_show, host_no_show from analytics.facts f
      where f.booking_id = v.booking_id limit 1) f on v.booking_id is not null
  where ${ownerId === null ? sql`t.team_id = ${teamId}` : sql`t.user_id = ${ownerId}`}
    and ${eventTypeIds === null ? sql`true` : sql`t.id = any(${eventTypeIds}::uuid[])`}
    and v.first_ms >= ${startMs} and v.first_ms < ${endMs}`;

const isConfirmed = sql`v.submitted_ms is not null and f.confirmed_ms - v.chosen_ms <= ${sql.lit(dayMs)}`;
const isHeld = (nowMs: number) =>
  sql`coalesce(f.state = 'confirmed' and not f.guest_no_show and not f.host_no_show and f.end_ms <= ${nowMs}, false)`;

/** How far visits came that began in the span: rules/visits.ts, counted where they are. */
export async function countStages(db: Database, scope: VisitScope, span: Span, nowMs: number): Promise<StageCounts> {
  const { rows } = await sql<StageCounts>`
    select count(*)::int as viewed, count(v.chosen_ms)::int as chosen,
      count(*) filter (where v.chosen_ms is not null and v.submitted_ms is not null)::int as submitted,
      count(*) filter (where ${isConfirmed})::int as confirmed,
      count(*) filter (where ${isConfirmed} and ${isHeld(nowMs)})::int as held
    from ${within(scope, span)}`.execute(db);
  return rows[0] ?? { viewed: 0, chosen: 0, submitted: 0, confirmed: 0, held: 0 };
}

/** Visits that began in the span, the newest first. */
export async function listVisits(
  db: Database,
  scope: VisitScope,
  span: Span,
  { nowMs, limit, onlyChosen }: { nowMs: number; limit: number; onlyChosen: boolean },
): Promise<(Visit & { id: number; title: string; bookingId: BookingId | null })[]> {
  const { rows } = await sql<Visit & { id: number; title: string; bookingId: BookingId | null }>`
    select v.id, t.title, v.first_ms as "firstMs", v.chosen_ms as "chosenMs", v.submitted_ms as "submittedMs",
      f.confirmed_ms as "confirmedMs", ${isHeld(nowMs)} as "isHeld", v.booking_id as "bookingId"
    from ${within(scope, span)} and ${onlyChosen ? sql`v.chosen_ms is not null` : sql`true`}
    order by v.first_ms desc, v.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Since when visits are recorded. */
export async function findBegan(db: Database): Promise<number> {
  const { rows } = await sql<{ atMs: number }>`select at_ms as "atMs" from analytics.began`.execute(db);
  return rows[0]?.atMs ?? 0;
}

/** A step of a visitor, seen by a page. */
export interface Sign {
  eventTypeId: EventTypeId;
  visitor: Buffer;
  atMs: number;
  what: 'viewed' | 'chosen' | 'submitted';
  bookingId: BookingId | null;
}

/**
 * Adds signs to the visits they are of: the one of that visitor that had a sign within the pause before, or a new one.
 * One writer at a time: two at once would each begin the same visit.
 */
export async function addSigns(tx: Tx, signs: readonly Sign[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('analytics.visits', 0))`.execute(tx);
  for (const group of groupSigns(signs)) await addVisit(tx, group);
}

interface Found {
  eventTypeId: EventTypeId;
  visitor: string;
  firstMs: number;
  lastMs: number;
  chosenMs: number | null;
  submittedMs: number | null;
  bookingId: BookingId | null;
}

/** The steps of a batch as visits. A round has one visit of each visitor, and each round is one statement. */
function groupSigns(signs: readonly Sign[]): Found[][] {
  const visits: Found[] = [];
  const open = new Map<string, Found>();
  for (const { eventTypeId, visitor, atMs, what, bookingId } of signs.toSorted((one, other) => one.atMs - other.atMs)) {
    const key = visitor.toString('hex');
    const known = open.get(key);
    const visit =
      known !== undefined && atMs - known.lastMs < pauseMs
        ? known
        : {
            eventTypeId,
            visitor: key,
            firstMs: atMs,
            lastMs: atMs,
            chosenMs: null,
            submittedMs: null,
            bookingId: null,
          };
    if (visit !== known) {
      visits.push(visit);
      open.set(key, visit);
    }
    visit.lastMs = atMs;
    if (what !== 'viewed') visit.chosenMs ??= atMs;
    if (what === 'submitted') visit.submittedMs ??= atMs;
    visit.bookingId ??= bookingId;
  }
  // two visits of one visitor follow each other, and so do their statements
  const rounds: Found[][] = [];
  const round = new Map<string, number>();
  for (const visit of visits) {
    const n = round.get(visit.visitor) ?? 0;
    round.set(visit.visitor, n + 1);
    const found = rounds[n] ?? [];
    found.push(visit);
    rounds[n] = found;
  }
  return rounds;
}

async function addVisit(tx: Tx, visits: readonly Found[]): Promise<void> {
  const rows: RawBuilder<unknown> = sql`jsonb_to_recordset(${JSON.stringify(visits)}::jsonb) as n("eventTypeId" uuid,
    visitor text, "firstMs" bigint, "lastMs" bigint, "chosenMs" bigint, "submittedMs" bigint, "bookingId" uuid)`;
  await sql`
    with found as materialized (
      select n.*, decode(n.visitor, 'hex') as hash, (
        select v.id from analytics.visits v
        where v.visitor = decode(n.visitor, 'hex') and v.last_ms > n."firstMs" - ${pauseMs}
        order by v.last_ms desc limit 1) as id,
        (select b.id from booking.ids b where b.id = n."bookingId") as booking_id
      from ${rows}),
    continued as (
      update analytics.visits v set last_ms = greatest(v.last_ms, f."lastMs"),
        chosen_ms = coalesce(v.chosen_ms, f."chosenMs"), submitted_ms = coalesce(v.submitted_ms, f."submittedMs"),
        booking_id = coalesce(v.booking_id, f.booking_id)
      from found f where v.id = f.id)
    insert into analytics.visits (event_type_id, visitor, first_ms, last_ms, chosen_ms, submitted_ms, booking_id)
    select f."eventTypeId", f.hash, f."firstMs", f."lastMs", f."chosenMs", f."submittedMs", f.booking_id
    from found f join booking.owned_types t on t.id = f."eventTypeId" where f.id is null`.execute(tx);
}

/** The sealed salt of a day, which is the given one where there was none; those of other days are thrown away. */
export async function getSalt(tx: Tx, day: string, salt: string): Promise<string> {
  await sql`delete from analytics.salts where day < ${day}::date`.execute(tx);
  await sql`insert into analytics.salts (day, salt) values (${day}, ${salt}) on conflict do nothing`.execute(tx);
  const { rows } = await sql<{ salt: string }>`select salt from analytics.salts where day = ${day}::date`.execute(tx);
  const kept = rows[0]?.salt;
  if (kept === undefined) throw new Error(`no salt of ${day}`);
  return kept;
}

/** Throws away the salts of days that are over, and visits that no comparison looks back to. */
export async function dropOldVisits(
  db: Database,
  { today, visitsBeforeMs }: { today: string; visitsBeforeMs: number },
) {
  await sql`delete from analytics.salts where day < ${today}::date`.execute(db);
  await sql`delete from analytics.visits where last_ms < ${visitsBeforeMs}`.execute(db);
}
