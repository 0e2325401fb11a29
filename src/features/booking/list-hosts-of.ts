import { type Host, hostsReading } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { readAlone } from '#platform/reading.ts';

/** Hosts as guests see them, in this order; without those who are leaving. */
export async function listHostsOf(db: Database, ids: readonly UserId[]): Promise<Host[]> {
  const found = await readAlone(db, hostsReading(ids));
  return ids.flatMap((id) => found.find(({ userId }) => userId === id) ?? []);
}
