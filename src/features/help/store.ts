import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

export async function findFirstSteps(db: Database, userId: UserId): Promise<{ copied: boolean; skipped: boolean }> {
  const { rows } = await sql<{ copied: boolean; skipped: boolean }>`
    select copied_at is not null as copied, skipped_at is not null as skipped
    from help.first_steps where user_id = ${userId}`.execute(db);
  return rows[0] ?? { copied: false, skipped: false };
}

export async function updateFirstSteps(
  db: Database,
  userId: UserId,
  { copied = false, skipped }: { copied?: boolean | undefined; skipped?: boolean | undefined },
): Promise<void> {
  await sql`
    insert into help.first_steps as s (user_id, copied_at, skipped_at)
    values (${userId}, case when ${copied} then now() end, case when ${skipped ?? false} then now() end)
    on conflict (user_id) do update set
      copied_at = coalesce(s.copied_at, excluded.copied_at),
      skipped_at = case when ${skipped === undefined} then s.skipped_at else excluded.skipped_at end`.execute(db);
}
