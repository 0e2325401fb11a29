import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

export async function hasDigest(db: Database, userId: UserId): Promise<boolean> {
  const { rows } = await sql`select from analytics.digests where user_id = ${userId}`.execute(db);
  return rows.length > 0;
}

export async function insertDigest(db: Database, userId: UserId, nowMs: number): Promise<void> {
  await sql`insert into analytics.digests (user_id, asked_ms) values (${userId}, ${nowMs}) on conflict do nothing`.execute(
    db,
  );
}

export async function deleteDigest(db: Database, userId: UserId): Promise<void> {
  await sql`delete from analytics.digests where user_id = ${userId}`.execute(db);
}

/** A page of those who asked for it, by id. */
export async function listDigests(db: Database, after: UserId | null, limit: number): Promise<UserId[]> {
  const { rows } = await sql<{ userId: UserId }>`
    select user_id as "userId" from analytics.digests where ${after}::uuid is null or user_id > ${after}
    order by user_id limit ${limit}`.execute(db);
  return rows.map(({ userId }) => userId);
}
