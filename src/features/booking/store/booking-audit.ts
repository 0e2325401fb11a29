import { sql } from 'kysely';
import type { BookingId } from '#kernel/ids.ts';
import { type Database, jsonb, type Tx } from '#platform/db.ts';
import type { BookingActor, BookingChange } from '../rules/booking-states.ts';

export interface AuditEntry {
  bookingId: BookingId;
  atMs: number;
  actor: BookingActor;
  kind: BookingChange;
  details: Record<string, unknown>;
}

export async function insertAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await sql`
    insert into booking.audit (booking_id, at_ms, actor, kind, details)
    values (${entry.bookingId}, ${entry.atMs}, ${entry.actor}, ${entry.kind}, ${jsonb(entry.details)})`.execute(tx);
}

/** What happened to a booking, in its order. */
export async function listAudit(db: Database, bookingId: BookingId): Promise<AuditEntry[]> {
  const { rows } = await sql<AuditEntry>`
    select booking_id as "bookingId", at_ms as "atMs", actor, kind, details from booking.audit
    where booking_id = ${bookingId} order by id`.execute(db);
  return rows;
}
