import type { Tx } from '#platform/db.ts';
import type { KnownUser } from './rules/profile.ts';
import { insertUser, type NewUser } from './store/users.ts';

/** A new account whose address nobody has proved yet, or null where the address (in its canonical form) has one. */
export async function createUser(tx: Tx, user: NewUser): Promise<KnownUser | null> {
  if (!(await insertUser(tx, user))) return null;
  const { id, email, role } = user;
  return { id, email, role, name: null, company: null, mfa_enabled_at: null };
}
