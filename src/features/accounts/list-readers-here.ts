import type { Database } from '#platform/db.ts';
import { listStopped } from '#platform/recipients.ts';
import { listConfirmed } from './store/people.ts';

/**
 * The addresses, in lower case, whose readers have an account here and have confirmed them. The limit of mails to
 * unproved addresses does not count mails to them (decision 0070). Whoever has stopped these mails is not among them.
 */
export async function listReadersHere(db: Database, addresses: readonly string[]): Promise<ReadonlySet<string>> {
  if (addresses.length === 0) return new Set();
  const [confirmed, stopped] = await Promise.all([listConfirmed(db, addresses), listStopped(db, addresses)]);
  return new Set(confirmed.filter((address) => !stopped.has(address)));
}
