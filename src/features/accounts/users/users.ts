import type { UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import { listStopped } from '#platform/recipients.ts';
import type { KnownUser } from '../rules/profile.ts';
import { usualFormats } from '../rules/usual-formats.ts';
import { listConfirmed } from '../store/people.ts';
import { insertUser, type NewUser, restartUser } from '../store/users.ts';

type NewPerson = Pick<NewUser, 'id' | 'email' | 'role' | 'zone'> & { locale?: string | undefined };

/** A new account whose address nobody has proved yet, which reads as is usual for its locale, or null where the address (in its canonical form) has one. */
export async function createUser(tx: Tx, user: NewPerson): Promise<KnownUser | null> {
  if (!(await insertUser(tx, { ...user, ...readingOf(user) }))) return null;
  const { id, email, role } = user;
  return { id, email, role, name: null, company: null, mfa_enabled_at: null };
}

function readingOf({ locale = 'en-US' }: Pick<NewPerson, 'locale'>) {
  const { timeFormat: time_format, dateFormat: date_format, weekStart: week_start } = usualFormats(locale);
  return { locale, time_format, date_format, week_start };
}

/**
 * Gives the account of an address that nobody has confirmed to the proven owner of the address, with their zone and
 * locale. Its role stays. Returns its id, or null without such an account. The caller removes its sign-in methods.
 */
export function claimUnconfirmed(tx: Tx, owner: Pick<NewPerson, 'email' | 'zone' | 'locale'>): Promise<UserId | null> {
  return restartUser(tx, { ...owner, ...readingOf(owner) });
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
