import { sql } from 'kysely';
import type { BookingId } from '#kernel/ids.ts';
import { type Database, jsonb, type Tx } from '#platform/db.ts';
import type { KnownVersion } from '../rules/who-is-told.ts';

/**
 * Readers who hold an invitation whose last change waits, since their follow-ups of the day are used up: all SQL on
 * `booking.waiting_updates`. Addresses are in lower case.
 */

/** The versions that these readers were told of, by their addresses. */
export async function listWaiting(db: Database, id: BookingId): Promise<Map<string, KnownVersion>> {
  const { rows } = await sql<{ address: string; holds: KnownVersion }>`
    select address, holds from booking.waiting_updates where booking_id = ${id}`.execute(db);
  return new Map(rows.map(({ address, holds }) => [address, holds]));
}

/** Notes that the readers wait for a change of these bookings. A reader who waits already keeps the version they hold. */
export async function noteWaiting(
  tx: Tx,
  held: readonly { id: BookingId; holds: KnownVersion }[],
  addresses: readonly string[],
  nextMs: number,
): Promise<void> {
  await sql`
    insert into booking.waiting_updates (booking_id, address, holds, next_ms)
    select g.id, lower(address), g.holds, ${nextMs}
    from jsonb_to_recordset(${jsonb(held)}) as g(id uuid, holds jsonb), unnest(${addresses}::text[]) as address
    order by 1, 2
    on conflict (booking_id, address) do update set next_ms = excluded.next_ms`.execute(tx);
}

/** Forgets readers who were told of the bookings as they are. */
export async function dropWaiting(tx: Tx, ids: readonly BookingId[], addresses: readonly string[]): Promise<void> {
  await sql`
    delete from booking.waiting_updates
    where booking_id = any(${ids}::uuid[]) and address = any(${addresses.map((one) => one.toLowerCase())}::text[])`.execute(
    tx,
  );
}

/** Bookings of which a reader may be told now. Bookings that have begun are left out. */
export async function listDueWaiting(
  db: Database,
  { nowMs, lastMs, limit }: { nowMs: number; lastMs: number; limit: number },
): Promise<BookingId[]> {
  await sql`
    delete from booking.waiting_updates w using booking.bookings b join booking.appointments a on a.id = b.appointment_id
    where b.id = w.booking_id and greatest(a.start_ms, (w.holds ->> 'startMs')::bigint) <= ${nowMs}`.execute(db);
  const { rows } = await sql<{ id: BookingId }>`
    select w.booking_id as id from booking.waiting_updates w
      join booking.bookings b on b.id = w.booking_id join booking.appointments a on a.id = b.appointment_id
    where w.next_ms <= ${nowMs}
      or least(a.start_ms, (w.holds ->> 'startMs')::bigint) between ${nowMs} and ${nowMs + lastMs}
    group by 1 order by min(w.next_ms), 1 limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The times, epoch ms, at which these bookings begin, and at which their readers think that they do. */
export async function listStarts(
  db: Database,
  held: readonly { id: BookingId; holds: KnownVersion }[],
): Promise<number[]> {
  const { rows } = await sql<{ startMs: number }>`
    select a.start_ms as "startMs" from booking.bookings b join booking.appointments a on a.id = b.appointment_id
    where b.id = any(${held.map(({ id }) => id)}::uuid[])`.execute(db);
  return [...rows, ...held.map(({ holds }) => holds)].map(({ startMs }) => startMs);
}

/** Retries at once the updates of a reader who has confirmed the address. */
export async function hurryWaiting(tx: Tx, address: string): Promise<void> {
  await sql`update booking.waiting_updates set next_ms = 0 where address = ${address.toLowerCase()}`.execute(tx);
}
