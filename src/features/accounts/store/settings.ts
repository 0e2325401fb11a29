import type { Database } from '#platform/db.ts';

/** Whether the rights of an administrator need a second factor. */
export async function requiresAdminMfa(db: Database): Promise<boolean> {
  const row = await db.selectFrom('accounts.settings').select('require_admin_mfa').executeTakeFirstOrThrow();
  return row.require_admin_mfa;
}

export async function updateSettings(
  db: Database,
  changes: { require_admin_mfa?: boolean | undefined },
): Promise<void> {
  if (Object.values(changes).every((value) => value === undefined)) return;
  await db.updateTable('accounts.settings').set(changes).execute();
}
