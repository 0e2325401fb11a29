import type { Database, Tx } from '#platform/db.ts';
import { listStopped } from '#platform/recipients.ts';
import type { KnownUser } from '../rules/profile.ts';
import { usualFormats } from '../rules/usual-formats.ts';
import { listConfirmed } from '../store/people.ts';
import { insertUser, type NewUser } from '../store/users.ts';

type NewPerson = Pick<NewUser, 'id' | 'email' | 'role' | 'zone'> & { locale?: string | undefined };

/** A new account whose address nobody has proved yet, which reads as is usual for its locale, or null where the address (in its canonical form) has one. */
export async function createUser(tx: Tx, user: NewPerson): Promise<KnownUser | null> {
  const { locale = 'en-US' } = user;
  const { timeFormat: time_format, dateFormat: date_format, weekStart: week_start } = usualFormats(locale);
  if (!(await insertUser(tx, { ...user, locale, time_format, date_format, week_start }))) return null;
  const { id, email, role } = user;
  return { id, email, role, name: null, company: null, mfa_enabled_at: null };
}

/**
 * The addresses, in lower case, whose readers have an account here and have confirmed them, without readers who have stopped
 * the mails to unproved addresses (decision 0070).
 */
export async function listReadersHere(db: Database, addresses: readonly string[]): Promise<ReadonlySet<string>> {
  if (addresses.length === 0) return new Set();
  const [confirmed, stopped] = await Promise.all([listConfirmed(db, addresses), listStopped(db, addresses)]);
  return new Set(confirmed.filter((address) => !stopped.has(address)));
}
