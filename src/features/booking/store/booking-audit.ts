import { type RawBuilder, sql } from 'kysely';
import type { BookingId } from '#kernel/ids.ts';
import { type Database, jsonb, type Tx } from '#platform/db.ts';
import type { BookingActor, BookingChange } from '../rules/booking-states.ts';

export interface AuditEntry {
  bookingId: BookingId;
  atMs: number;
  actor: BookingActor;
  /** `mail-withheld`: a guest whose address is unproved got no mail about it. */
  kind: BookingChange | 'mail-withheld';
  details: Record<string, unknown>;
}

/** Entries of one booking. Past them the oldest ones of changes that may repeat without end are deleted. */
const mostEntries = 200;
const repeated = ['rescheduled', 'reassigned', 'no-show', 'restored', 'guest-answered', 'linked', 'mail-withheld'];

export async function insertAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await sql`
    with surplus as (
      delete from booking.audit where kind = any(${repeated}::text[]) and id in (
        select id from booking.audit where booking_id = ${entry.bookingId} order by id desc offset ${mostEntries - 1}))
    ${auditInsert(entry, sql`true`)}`.execute(tx);
}

/** As part of the statement that it tells of. */
export const auditInsert = (entry: AuditEntry, where: RawBuilder<unknown>) => sql`
  insert into booking.audit (booking_id, at_ms, actor, kind, details)
  select ${entry.bookingId}::uuid, ${entry.atMs}::bigint, ${entry.actor}::text, ${entry.kind}::text, ${jsonb(entry.details)}
  where ${where}`;

/** The same as one more part of a `with`; nothing where there is nothing to tell. */
export const auditPart = (entry: AuditEntry | null, where: RawBuilder<unknown>) =>
  entry === null ? sql`` : sql`, told as (${auditInsert(entry, where)})`;

/** Lists the moves of a booking, by any actor, with the time it was moved from, in order. Epoch ms. */
export async function listMoves(db: Database, bookingId: BookingId): Promise<{ atMs: number; fromMs: number }[]> {
  const { rows } = await sql<{ atMs: number; fromMs: number }>`
    select at_ms as "atMs", (details -> 'from' ->> 'startMs')::bigint as "fromMs" from booking.audit where booking_id = ${bookingId} and kind = 'rescheduled' order by id`.execute(
    db,
  );
  return rows;
}

/** When a guest moved a booking, and from when, in order. Epoch ms. */
export async function listGuestMoves(db: Database, bookingId: BookingId): Promise<{ atMs: number; fromMs: number }[]> {
  const { rows } = await sql<{ atMs: number; fromMs: number }>`
    select at_ms as "atMs", (details -> 'from' ->> 'startMs')::bigint as "fromMs" from booking.audit
    where booking_id = ${bookingId} and kind = 'rescheduled' and actor = 'guest' order by id`.execute(db);
  return rows;
}

/** Lists the changes of a booking in order. */
export async function listAudit(db: Database, bookingId: BookingId): Promise<AuditEntry[]> {
  const { rows } = await sql<AuditEntry>`
    select booking_id as "bookingId", at_ms as "atMs", actor, kind, details from booking.audit
    where booking_id = ${bookingId} order by id`.execute(db);
  return rows;
}

/** The people whose acts made these bookings what they are, as one text each. Two people may act in one millisecond. */
export async function listActors(db: Database, ids: readonly BookingId[]): Promise<Map<BookingId, string>> {
  const { rows } = await sql<{ id: BookingId; actor: string }>`
    select distinct on (booking_id) booking_id as id, concat(actor, ' ', details ->> 'by') as actor from booking.audit
    where booking_id = any(${[...ids]}::uuid[])
      and kind in ('mail-wanted', 'requested', 'confirmed', 'declined', 'cancelled', 'expired')
    order by booking_id, booking.audit.id desc`.execute(db);
  return new Map(rows.map(({ id, actor }) => [id, actor]));
}
