import { sql } from 'kysely';
import type { BookingId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { textConsentId } from '../rules/text-consent.ts';

/** When a guest ticked while booking that they want text messages about it; null: they did not. */
export async function findTextConsent(db: Database, id: BookingId): Promise<number | null> {
  const { rows } = await sql<{ atMs: number }>`
    select created_ms as "atMs" from booking.bookings
    where id = ${id} and answers -> ${textConsentId} = 'true'::jsonb`.execute(db);
  return rows[0]?.atMs ?? null;
}
