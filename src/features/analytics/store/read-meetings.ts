import { sql } from 'kysely';
import type { BookingId, CalendarId, ItemId, TeamId, UserId } from '#kernel/ids.ts';
import type { Span } from '#kernel/time/intervals.ts';
import type { Database } from '#platform/db.ts';

export interface MeetingRow {
  key: string;
  startMs: number;
  title: string | null;
  itemId: ItemId | null;
  recId: string;
  /** Null: not booked here. */
  bookingId: BookingId | null;
  /** Null: booked here. */
  provider: string | null;
  profile: string | null;
}

/**
 * Meetings with somebody else that start in the span, each once: what was booked counts as booked, whichever calendars it
 * is in too. Titles are null unless asked for, because sorting long ones takes seconds.
 */
export async function listMeetings(
  db: Database,
  scope: {
    hostId: UserId | null;
    teamId: TeamId | null;
    eventTypeIds: readonly string[] | null;
    calendarId: CalendarId | null;
  },
  { startMs, endMs }: Span,
  { titles }: { titles: boolean },
): Promise<MeetingRow[]> {
  const { hostId, teamId, eventTypeIds, calendarId } = scope;
  const { rows } = await sql<MeetingRow>`
    select distinct on (start_ms, key) key, start_ms as "startMs", ${titles ? sql`title` : sql`null::text as title`},
      item_id as "itemId", rec_id as "recId", booking_id as "bookingId", provider, profile
    from analytics.meetings
    where ${hostId === null ? sql`true` : sql`user_id = ${hostId}`} and ${teamId === null ? sql`true` : sql`team_id = ${teamId}`}
      and ${eventTypeIds === null ? sql`true` : sql`event_type_id = any(${eventTypeIds}::uuid[])`}
      and ${calendarId === null ? sql`true` : sql`calendar_id = ${calendarId}`}
      and start_ms >= ${startMs} and start_ms < ${endMs}
    order by start_ms, key, booked desc, provider, profile`.execute(db);
  return rows;
}

/** A person in a meeting, and the meeting's source: a booking, or a calendar. */
export interface AttendanceRow {
  address: string;
  key: string;
  startMs: number;
  title: string | null;
  isKnown: boolean;
  itemId: ItemId | null;
  recId: string;
}

/** Participants of meetings that start in the span; `isKnown`: an earlier meeting with them exists. */
export async function listAttendances(
  db: Database,
  userId: UserId,
  calendarIds: readonly CalendarId[] | null,
  { startMs, endMs }: Span,
): Promise<AttendanceRow[]> {
  const { rows } = await sql<AttendanceRow>`
    with met as materialized (
      select distinct on (m.start_ms, m.key, m.address) m.address, m.key, m.start_ms, m.title, m.item_id, m.rec_id
      from analytics.met m
      where m.user_id = ${userId} and m.start_ms >= ${startMs} and m.start_ms < ${endMs}
        and ${calendarIds === null ? sql`true` : sql`m.calendar_id = any(${calendarIds}::uuid[])`}
      order by m.start_ms, m.key, m.address, m.title),
    known as (
      select p.address, exists (
        select from analytics.met e where e.user_id = ${userId} and e.address = p.address and e.start_ms < ${startMs}) as is_known
      from (select distinct address from met) p)
    select met.address, met.key, met.start_ms as "startMs", met.title, k.is_known as "isKnown",
      met.item_id as "itemId", met.rec_id as "recId"
    from met join known k on k.address = met.address order by met.start_ms desc, met.key, met.address`.execute(db);
  return rows;
}
