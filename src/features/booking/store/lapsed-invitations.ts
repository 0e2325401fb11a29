import { sql } from 'kysely';
import type { BookingId, UserId } from '#kernel/ids.ts';
import { type Database, jsonb, type Tx } from '#platform/db.ts';

/**
 * Addresses that hold no invitation to a confirmed booking, since the limit of mails kept it back or ended it: all SQL on
 * `booking.lapsed_invitations`. A series is one invitation.
 */

const firstOf = (id: BookingId) => sql`coalesce((
  select o.id from booking.bookings b join booking.bookings o on o.series_id = b.series_id
  where b.id = ${id} order by o.id limit 1), ${id})`;

export async function listLapsed(db: Database, id: BookingId): Promise<Set<string>> {
  const { rows } = await sql<{ address: string }>`
    select address from booking.lapsed_invitations where booking_id = ${firstOf(id)}`.execute(db);
  return new Set(rows.map(({ address }) => address));
}

/** Readers whose last mail the limit kept back or puts off, or who stopped mails, and who got none in its place. */
export async function listWithheld(db: Database, ids: readonly BookingId[]): Promise<Map<BookingId, Set<string>>> {
  const { rows } = await sql<{ id: BookingId; address: string }>`
    select b.id, l.address from booking.bookings b
    join booking.lapsed_invitations l on l.booking_id = coalesce((
      select o.id from booking.bookings o where o.series_id = b.series_id order by o.id limit 1), b.id)
    where b.id = any(${[...ids]}::uuid[]) and not l.informed
    union select booking_id, address from booking.waiting_updates where booking_id = any(${[...ids]}::uuid[])`.execute(
    db,
  );
  const byId = Map.groupBy(rows, ({ id }) => id);
  return new Map([...byId].map(([id, all]) => [id, new Set(all.map(({ address }) => address))]));
}

/** Names in the keys of mails about these bookings: a booking, the other dates of its series, and the series. */
export async function listMailSubjects(
  db: Database,
  ids: readonly BookingId[],
): Promise<{ group: BookingId; subject: string; userId: UserId }[]> {
  const { rows } = await sql<{ group: BookingId; subject: string; userId: UserId }>`
    with asked as (select id, series_id, user_id from booking.bookings where id = any(${[...ids]}::uuid[]))
    select id as "group", id::text as subject, user_id as "userId" from asked
    union select a.id, o.id::text, o.user_id from asked a join booking.bookings o on o.series_id = a.series_id
    union select a.id, a.series_id::text, a.user_id from asked a where a.series_id is not null`.execute(db);
  return rows;
}

/** These readers got the cancellation in place of a mail that the limit kept back: they know how the booking ended. */
export async function noteInformed(tx: Tx, id: BookingId, addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return;
  await sql`
    update booking.lapsed_invitations set informed = true
    where booking_id = ${firstOf(id)} and address = any(${addresses.map(lower)}::text[])`.execute(tx);
}

/** Notes the end of these invitations. Answers with those that had not ended: of several callers at once one gets each. */
export async function noteLapsed(tx: Tx, id: BookingId, addresses: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ address: string }>`
    insert into booking.lapsed_invitations (booking_id, address)
    select ${firstOf(id)}, address from jsonb_array_elements_text(${jsonb(addresses.map(lower))}) as given(address)
    order by address on conflict do nothing returning address`.execute(tx);
  return new Set(rows.map(({ address }) => address));
}

/** These addresses have a new invitation. */
export async function dropLapsed(tx: Tx, id: BookingId, addresses: readonly string[]): Promise<void> {
  await sql`
    delete from booking.lapsed_invitations
    where booking_id = ${firstOf(id)} and address = any(${addresses.map(lower)}::text[])`.execute(tx);
}

const lower = (address: string) => address.toLowerCase();
