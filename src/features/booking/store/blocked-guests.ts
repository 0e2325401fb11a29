import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

export async function findBlocked(db: Database, userId: UserId): Promise<string[]> {
  const { rows } = await sql<{ entries: string[] }>`
    select entries from booking.blocked_guests where user_id = ${userId}`.execute(db);
  return rows[0]?.entries ?? [];
}

export async function putBlocked(db: Database, userId: UserId, entries: readonly string[]): Promise<void> {
  await sql`
    insert into booking.blocked_guests (user_id, entries) values (${userId}, ${entries}::text[])
    on conflict (user_id) do update set entries = excluded.entries`.execute(db);
}

/** Whether one of these hosts blocks one of these entries. */
export async function blocksAny(
  db: Database,
  userIds: readonly UserId[],
  entries: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    select from booking.blocked_guests
    where user_id = any(${userIds}::uuid[]) and entries && ${entries}::text[] limit 1`.execute(db);
  return rows.length > 0;
}
