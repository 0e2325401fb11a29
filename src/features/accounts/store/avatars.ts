import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

/** The picture of somebody, under a new name. */
export async function saveAvatar(
  db: Database,
  avatar: { userId: UserId; file: string; bytes: Uint8Array },
): Promise<void> {
  const bytes = Buffer.from(avatar.bytes);
  await db
    .insertInto('accounts.avatars')
    .values({ user_id: avatar.userId, file: avatar.file, bytes })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ file: avatar.file, bytes, created_at: sql<Temporal.Instant>`now()` }),
    )
    .execute();
}

export async function deleteAvatar(db: Database, userId: UserId): Promise<void> {
  await db.deleteFrom('accounts.avatars').where('user_id', '=', userId).execute();
}

/** The picture of this name; that of somebody who is leaving is gone already. */
export async function findAvatar(db: Database, file: string): Promise<Uint8Array | null> {
  const row = await db
    .selectFrom('accounts.avatars as a')
    .innerJoin('accounts.users as u', 'u.id', 'a.user_id')
    .select('a.bytes')
    .where('a.file', '=', file)
    .where('u.leaving_at', 'is', null)
    .executeTakeFirst();
  return row?.bytes ?? null;
}
