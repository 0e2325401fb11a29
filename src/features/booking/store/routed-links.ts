import { sql } from 'kysely';
import type { BookingId, BookingLinkId, EventTypeId, TeamId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { BookingState } from '../rules/booking-states.ts';

/** Links that a form gave to one guest each. Times are epoch ms. */

export interface Led {
  hostIds: UserId[] | null;
  ownerFirst: boolean;
}

/** With whom a link had its guest book; null for one that no form made. */
export async function findRouted(db: Database, id: BookingLinkId): Promise<Led | null> {
  const { rows } = await sql<Led>`
    select host_ids as "hostIds", owner_first as "ownerFirst" from booking.links
    where id = ${id} and kind = 'routed'`.execute(db);
  return rows[0] ?? null;
}

interface NewRouted extends Led {
  id: BookingLinkId;
  eventTypeId: EventTypeId;
  /** Sealed. */
  token: string;
  tokenHash: Buffer;
  expiresMs: number;
}

export async function insertRouted(tx: Tx, link: NewRouted): Promise<void> {
  await sql`
    insert into booking.links (id, event_type_id, kind, token_hash, token, uses_left, expires_at, host_ids, owner_first)
    values (${link.id}, ${link.eventTypeId}, 'routed', ${link.tokenHash}, ${link.token}, 1,
      to_timestamp(${link.expiresMs}::float8 / 1000), ${link.hostIds}::uuid[], ${link.ownerFirst})`.execute(tx);
}

/** Ends a routed link; false if somebody has booked with it. */
export async function endRouted(tx: Tx, id: BookingLinkId): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update booking.links set uses_left = 0, expires_at = least(expires_at, now())
    where id = ${id} and kind = 'routed' and uses_left > 0`.execute(tx);
  return numAffectedRows === 1n;
}

export async function deleteRouted(db: Database, ids: readonly BookingLinkId[]): Promise<void> {
  await sql`delete from booking.links where id = any(${ids}::uuid[]) and kind = 'routed'`.execute(db);
}

export interface OpenRouted {
  id: BookingLinkId;
  /** Sealed. */
  token: string;
}

/** Lists the links that can still be used. */
export async function listOpenRouted(
  db: Database,
  ids: readonly BookingLinkId[],
  nowMs: number,
): Promise<OpenRouted[]> {
  const { rows } = await sql<OpenRouted>`
    select id, token from booking.links
    where id = any(${ids}::uuid[]) and kind = 'routed' and uses_left > 0
      and expires_at > to_timestamp(${nowMs}::float8 / 1000)`.execute(db);
  return rows;
}

export interface RoutedBooking {
  linkId: BookingLinkId;
  bookingId: BookingId;
  state: BookingState;
  sequence: number;
  startMs: number;
  endMs: number;
  hostIds: UserId[];
}

/** Lists the bookings made at these links: for each, the first of its times. */
export async function listRoutedBookings(db: Database, ids: readonly BookingLinkId[]): Promise<RoutedBooking[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<RoutedBooking>`
    select distinct on (b.link_id) b.link_id as "linkId", b.id as "bookingId", b.state, b.sequence,
      a.start_ms as "startMs", a.end_ms as "endMs", a.host_ids as "hostIds"
    from booking.bookings b join booking.appointments a on a.id = b.appointment_id
    where b.link_id = any(${ids}::uuid[]) and b.state <> 'held'
    order by b.link_id, b.taken desc, a.start_ms, b.id`.execute(db);
  return rows;
}

/** Takes somebody out of links that forms of a team made, and out of why its pools passed them over. */
export async function forgetHost(tx: Tx, teamId: TeamId, userId: UserId): Promise<void> {
  await sql`
    update booking.links l set host_ids = array_remove(l.host_ids, ${userId}::uuid)
    from booking.event_types t
    where t.id = l.event_type_id and t.team_id = ${teamId} and ${userId}::uuid = any(l.host_ids)`.execute(tx);
  await sql`
    update booking.appointments a set passed = a.passed - ${userId}::text
    from booking.event_types t
    where t.id = a.event_type_id and t.team_id = ${teamId} and a.passed ? ${userId}::text`.execute(tx);
}
