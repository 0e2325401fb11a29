import { sql } from 'kysely';
import type { BookingId } from '#kernel/ids.ts';
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

/** Whom of these guests no mail could invite. */
export async function listUntold(db: Database, id: BookingId, guests: readonly string[]): Promise<string[]> {
  if (guests.length === 0) return [];
  const lapsed = await listLapsed(db, id);
  return guests.filter((address) => lapsed.has(lower(address)));
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
