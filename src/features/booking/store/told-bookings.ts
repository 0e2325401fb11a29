import { sql } from 'kysely';
import type { BookingId } from '#kernel/ids.ts';
import { type Database, jsonb, type Tx } from '#platform/db.ts';
import type { KnownVersion } from '../rules/who-is-told.ts';
import type { Booking } from './bookings.ts';

/**
 * Arranged a day ahead and longer, people are reminded a day before; arranged today, an hour before. A booking that is
 * moved is arranged anew. Epoch ms.
 */
const leads = { dayMs: 86_400_000, hourMs: 3_600_000, bookedBeforeDayMs: 93_600_000, bookedBeforeHourMs: 7_200_000 };

/** Confirmed bookings whose reminder is due and not too late, of which nobody was told yet. */
export async function listToRemind(
  db: Database,
  { nowMs, lateMs, limit }: { nowMs: number; lateMs: number; limit: number },
): Promise<BookingId[]> {
  const ahead = sql`a.start_ms - greatest(coalesce(b.confirmed_ms, b.created_ms), b.arranged_ms)`;
  const dueMs = sql`a.start_ms - case when ${ahead} >= ${leads.bookedBeforeDayMs} then ${leads.dayMs}::bigint
    when ${ahead} >= ${leads.bookedBeforeHourMs} then ${leads.hourMs}::bigint end`;
  const { rows } = await sql<{ id: BookingId }>`
    select b.id from booking.appointments a join booking.bookings b on b.appointment_id = a.id
    where a.live and a.start_ms > ${nowMs} and a.start_ms <= ${nowMs + leads.dayMs} and b.state = 'confirmed'
      and b.reminded_sequence is distinct from b.sequence
      and ${dueMs} <= ${nowMs} and ${dueMs} > ${nowMs - lateMs}
    order by a.start_ms, b.id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** What is due in a state of the past that was put back may have been told since. */
export async function passOverReminders(tx: Tx, when: { nowMs: number; lateMs: number }): Promise<void> {
  const ids = await listToRemind(tx, { ...when, limit: 1_000_000 });
  await sql`update booking.bookings set reminded_sequence = sequence where id = any(${ids}::uuid[])`.execute(tx);
}

/** Notes that this version of a booking is told; false where it is another by now, or was told before. */
export async function markReminded(tx: Tx, id: BookingId, sequence: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update booking.bookings set reminded_sequence = sequence
    where id = ${id} and sequence = ${sequence} and state = 'confirmed'
      and reminded_sequence is distinct from sequence`.execute(tx);
  return numAffectedRows === 1n;
}

/** The version of each of these bookings that its people were last told of, where they were told of one. */
export async function findKnown(db: Database, ids: readonly BookingId[]): Promise<Map<BookingId, KnownVersion>> {
  const { rows } = await sql<{ id: BookingId; told: KnownVersion }>`
    select id, told from booking.bookings where id = any(${ids}::uuid[]) and told is not null`.execute(db);
  return new Map(rows.map(({ id, told }) => [id, told]));
}

/**
 * Notes the version of these bookings that their people are told of, `told`; null where only the guest is asked for a
 * proof. False where one of the bookings has another version by now.
 */
export async function keepKnown(
  tx: Tx,
  given: readonly (Pick<Booking, 'id' | 'sequence' | 'state'> & { told: KnownVersion | null })[],
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update booking.bookings b set told = coalesce(nullif(g.told, 'null'), b.told)
    from jsonb_to_recordset(${jsonb(given)}) as g(id uuid, sequence int, state text, told jsonb)
    where b.id = g.id and b.sequence = g.sequence and b.state = g.state`.execute(tx);
  return numAffectedRows === BigInt(given.length);
}
