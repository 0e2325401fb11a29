import { listReadersHere } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { listUnproved } from './store/bookings.ts';

/** The addresses whose mails are limited: not proved to any of these hosts, and without a confirmed account here. */
export async function listStrangers(
  db: Database,
  hostIds: readonly UserId[],
  emails: readonly string[],
): Promise<string[]> {
  const [unproved, readers] = await Promise.all([listUnproved(db, hostIds, emails), listReadersHere(db, emails)]);
  return unproved.filter((email) => !readers.has(email.toLowerCase()));
}
