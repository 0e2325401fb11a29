import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

/** When a person's latest appointments since then began, at most 500. */
export async function listStartTimes(db: Database, userId: UserId, sinceMs: number): Promise<number[]> {
  const { rows } = await sql<{ startMs: number }>`
    select start_ms as "startMs" from booking.appointments
    where user_id = ${userId} and start_ms >= ${sinceMs} and live
    order by start_ms desc limit 500`.execute(db);
  return rows.map(({ startMs }) => startMs);
}

/** Titles of these appointments by id. */
export async function listTitles(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; title: string }>`
    select id, title from booking.appointments where id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, title }) => [id, title]));
}
