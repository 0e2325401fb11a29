import { type RawBuilder, sql } from 'kysely';
import type { BookingId, CalendarId, ContactId, ItemId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { Attendance } from '../rules.ts';

/** Meetings with a person by any of their addresses: `m`. */
const meetingsOf = (personId: RawBuilder<unknown>) => sql`
  contacts.contacts a join contacts.meetings m on m.user_id = a.user_id and m.address = a.address where a.person_id = ${personId}`;

/** Contacts that are counted by one statement. */
const countedTogether = 500;

/**
 * Counts the meetings of those whose numbers are not true any more: something changed, or a meeting came to its end. Done
 * when somebody looks, so that nothing has to run as time passes. After an import there may be thousands: what was counted
 * stays counted, and what another look is counting is left to it. `mostRounds` bounds the statements, of 500 contacts each.
 */
export async function countDue(db: Database, userId: UserId, nowMs: number, mostRounds = Infinity): Promise<void> {
  let counted = countedTogether;
  for (let round = 0; round < mostRounds && counted === countedTogether; round += 1)
    counted = await countSome(db, userId, nowMs);
}

async function countSome(db: Database, userId: UserId, nowMs: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update contacts.contacts c set bookings = n.bookings, met = n.met, last_ms = n.last_ms, next_ms = n.next_ms, due_ms = n.due_ms
    from (
      select d.id, k.*, b.bookings from (
        select id from contacts.contacts where user_id = ${userId} and id = person_id and due_ms <= ${nowMs}
        order by id limit ${countedTogether} for update skip locked
      ) d cross join lateral (
        select count(distinct (m.key, m.start_ms)) filter (where m.end_ms <= ${nowMs})::int as met,
          max(m.start_ms) filter (where m.end_ms <= ${nowMs}) as last_ms,
          min(m.start_ms) filter (where m.end_ms > ${nowMs}) as next_ms,
          min(m.end_ms) filter (where m.end_ms > ${nowMs}) as due_ms
        from ${meetingsOf(sql`d.id`)}) k cross join lateral (
        select count(distinct g.booking_id)::int as bookings from contacts.contacts a
          join contacts.guests g on g.user_id = a.user_id and g.address = a.address
          join booking.booked o on o.booking_id = g.booking_id and o.host_id = g.user_id
        where a.person_id = d.id) b
    ) n where c.id = n.id`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

export interface MeetingRow {
  title: string | null;
  startMs: number;
  endMs: number;
  itemId: ItemId | null;
  recId: string;
}

/** Meetings with a person that are over, the newest first. */
export async function listMeetings(
  db: Database,
  personId: ContactId,
  { nowMs, beforeMs, limit }: { nowMs: number; beforeMs: number | null; limit: number },
): Promise<MeetingRow[]> {
  const { rows } = await sql<MeetingRow>`
    select distinct on (m.start_ms, m.key) m.title, m.start_ms as "startMs", m.end_ms as "endMs", m.item_id as "itemId",
      m.rec_id as "recId"
    from ${meetingsOf(sql`${personId}`)} and m.end_ms <= ${nowMs} and m.start_ms < ${beforeMs ?? nowMs}
    order by m.start_ms desc, m.key, m.item_id nulls last, m.rec_id desc limit ${limit}`.execute(db);
  return rows;
}

/** The meeting with a person that is on, or comes next. */
export async function findNext(db: Database, personId: ContactId, nowMs: number): Promise<MeetingRow | null> {
  const { rows } = await sql<MeetingRow>`
    select m.title, m.start_ms as "startMs", m.end_ms as "endMs", m.item_id as "itemId", m.rec_id as "recId"
    from ${meetingsOf(sql`${personId}`)} and m.end_ms > ${nowMs}
    order by m.start_ms, m.item_id nulls last, m.rec_id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Bookings with a person that are on, or to come: the nearest first. */
export async function listBookingsAhead(
  db: Database,
  personId: ContactId,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<MeetingRow[]> {
  const { rows } = await sql<MeetingRow>`
    select distinct on (m.start_ms, m.booking_id) m.title, m.start_ms as "startMs", m.end_ms as "endMs",
      m.item_id as "itemId", m.rec_id as "recId"
    from ${meetingsOf(sql`${personId}`)} and m.end_ms > ${nowMs} and m.booking_id is not null
    order by m.start_ms, m.booking_id limit ${limit}`.execute(db);
  return rows;
}

/** Items whose version was not read yet. */
export async function listUnread(db: Database, items: readonly { id: ItemId; version: string }[]): Promise<ItemId[]> {
  const { rows } = await sql<{ id: ItemId }>`
    select i.id from unnest(${items.map(({ id }) => id)}::uuid[], ${items.map(({ version }) => version)}::text[])
      as i(id, version)
    left join contacts.readings r on r.item_id = i.id
    where r.version is distinct from i.version`.execute(db);
  return rows.map(({ id }) => id);
}

export interface ReadItem {
  id: ItemId;
  version: string;
  endsMs: number | null;
  people: Attendance[];
}

/**
 * Writes who takes part in these items in place of what was known of it. Answers with everybody in it now or before, and
 * what of it was not known.
 */
export async function replaceAttendances(
  tx: Tx,
  userId: UserId,
  calendarId: CalendarId,
  items: readonly ReadItem[],
): Promise<{ itemId: ItemId; address: string }[]> {
  const ids = items.map(({ id }) => id);
  await sql`
    insert into contacts.readings (item_id, calendar_id, version)
    select unnest(${ids}::uuid[]), ${calendarId}, unnest(${items.map(({ version }) => version)}::text[]) order by 1
    on conflict (item_id) do update set version = excluded.version`.execute(tx);
  const { rows: before } = await sql<{ itemId: ItemId; address: string }>`
    delete from contacts.attendances where item_id = any(${ids}::uuid[])
    returning item_id as "itemId", address`.execute(tx);
  const people = items.flatMap(({ id, people: all }) =>
    all.map(({ address, onlyIn, notIn }) => ({ item_id: id, address, only_in: onlyIn, not_in: notIn })),
  );
  if (people.length > 0) {
    await sql`
      insert into contacts.attendances (item_id, user_id, address, only_in, not_in)
      select item_id, ${userId}, address, only_in, not_in
      from jsonb_to_recordset(${JSON.stringify(people)}::jsonb)
        as p(item_id uuid, address text, only_in text[], not_in text[])`.execute(tx);
  }
  return before;
}

/** Forgets the events of a calendar that are gone; answers with who was in them. */
export async function deleteMissingItems(tx: Tx, userId: UserId, goneIds: readonly ItemId[]): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select distinct address from contacts.attendances
    where user_id = ${userId} and item_id = any(${goneIds}::uuid[])`.execute(tx);
  await sql`delete from contacts.readings where item_id = any(${goneIds}::uuid[])`.execute(tx);
  return rows.map(({ address }) => address);
}

/** Events of a calendar that were read, by id, after one of them. */
export async function listRead(
  db: Database,
  calendarId: CalendarId,
  { after, limit }: { after: string; limit: number },
): Promise<ItemId[]> {
  const { rows } = await sql<{ id: ItemId }>`
    select item_id as id from contacts.readings
    where calendar_id = ${calendarId} and item_id > ${after} order by item_id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Stores the guests of a booking. Returns the new ones. */
export async function insertGuests(
  tx: Tx,
  userId: UserId,
  bookingId: BookingId,
  addresses: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ address: string }>`
    insert into contacts.guests (booking_id, user_id, address)
    select ${bookingId}, ${userId}, unnest(${addresses}::text[])
    on conflict do nothing returning address`.execute(tx);
  return new Set(rows.map(({ address }) => address));
}

/** Forgets who comes to a booking for everybody who is no host of it any more; answers with whom it was. */
export async function deleteFormerGuests(
  tx: Tx,
  hostIds: readonly UserId[],
  bookingId: BookingId,
): Promise<{ userId: UserId; address: string }[]> {
  const { rows } = await sql<{ userId: UserId; address: string }>`
    delete from contacts.guests where booking_id = ${bookingId} and user_id <> all(${hostIds}::uuid[])
    returning user_id as "userId", address`.execute(tx);
  return rows;
}

/** Keeps what is over before the calendar forgets it (calendar/rules/span-window): it looks back ninety days. */
export async function storeHeldMeetings(db: Database, userId: UserId, endedBeforeMs: number): Promise<void> {
  await sql`
    insert into contacts.held (user_id, address, key, start_ms, end_ms, title)
    select distinct on (m.address, m.key, m.start_ms) m.user_id, m.address, m.key, m.start_ms, m.end_ms, m.title
    from contacts.meetings m
    where m.user_id = ${userId} and m.item_id is not null and m.end_ms <= ${endedBeforeMs}
    order by m.address, m.key, m.start_ms
    on conflict do nothing`.execute(db);
}
