import { sql } from 'kysely';
import type { Database } from '#platform/db.ts';
import type { SignUpPolicy } from '../rules/sign-up.ts';

/** Whether the rights of an administrator need a second factor. */
export async function requiresAdminMfa(db: Database): Promise<boolean> {
  const row = await db.selectFrom('accounts.settings').select('require_admin_mfa').executeTakeFirstOrThrow();
  return row.require_admin_mfa;
}

/** The policy for new accounts. */
export async function getSignUpPolicy(db: Database): Promise<{ policy: SignUpPolicy; allowed: string[] }> {
  return db
    .selectFrom('accounts.settings')
    .select(['sign_up as policy', 'sign_up_allowed as allowed'])
    .executeTakeFirstOrThrow();
}

/** Addresses, and domains as `@example.org`, that can book nowhere on this install. */
export async function listBlocked(db: Database): Promise<string[]> {
  const row = await db.selectFrom('accounts.settings').select('blocked_guests').executeTakeFirstOrThrow();
  return row.blocked_guests;
}

/** Whether the operator has blocked one of these addresses or domains. */
export async function blocksHere(db: Database, entries: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from accounts.settings where blocked_guests && ${entries}::text[]`.execute(db);
  return rows.length > 0;
}

export async function updateSettings(
  db: Database,
  changes: {
    require_admin_mfa?: boolean | undefined;
    sign_up?: SignUpPolicy | undefined;
    sign_up_allowed?: string[] | undefined;
    blocked_guests?: string[] | undefined;
  },
): Promise<void> {
  if (Object.values(changes).every((value) => value === undefined)) return;
  await db.updateTable('accounts.settings').set(changes).execute();
}
