import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

/** Ways in, without what opens them. */
export async function getSignInMethods(db: Database, userId: UserId): Promise<unknown> {
  const { rows } = await sql<{ ways: unknown }>`
    select json_build_object(
      'passwordChangedAt', (select changed_at from access.passwords where user_id = ${userId}),
      'authenticatorSince', (select created_at from access.totp where user_id = ${userId}),
      'backupCodesLeft', (select count(*) from access.backup_codes where user_id = ${userId}),
      'identities', (
        select coalesce(json_agg(json_build_object('provider', provider, 'label', label, 'linkedAt', created_at)
          order by created_at), '[]') from access.identities where user_id = ${userId}),
      'passkeys', (
        select coalesce(json_agg(json_build_object('name', name, 'createdAt', created_at, 'lastUsedAt', last_used_at)
          order by created_at), '[]') from access.passkeys where user_id = ${userId})) as ways`.execute(db);
  return rows[0]?.ways;
}
