import type { UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import type { KnownUser } from './rules/profile.ts';
import { claimFirst, insertUser } from './store/users.ts';

/** A new account, or null where the address (in its canonical form) has one. The first of an install administers it. */
export async function createUser(
  tx: Tx,
  user: { id: UserId; email: string; zone: string | undefined },
): Promise<KnownUser | null> {
  const role = (await claimFirst(tx)) ? 'admin' : 'user';
  if (!(await insertUser(tx, { ...user, role }))) return null;
  return { id: user.id, email: user.email, name: null, company: null, role, mfa_enabled_at: null };
}
