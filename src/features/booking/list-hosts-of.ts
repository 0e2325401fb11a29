import { type Host, hostsReading } from '#features/accounts/public.ts';
import { listPolicies } from '#features/availability/public.ts';
import { listCalendars } from '#features/connections/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { readAlone } from '#platform/reading.ts';

/** Hosts as guests see them, in this order; without those who are leaving. */
export async function listHostsOf(db: Database, ids: readonly UserId[]): Promise<Host[]> {
  const found = await readAlone(db, hostsReading(ids));
  return ids.flatMap((id) => found.find(({ userId }) => userId === id) ?? []);
}

/** The same as mails write to them. */
export const listMailedHosts = async (db: Database, ids: readonly UserId[]): Promise<Host[]> =>
  Promise.all((await listHostsOf(db, ids)).map(async (host) => ({ ...host, zone: await findUsualZone(db, host) })));

const unchosen = 'UTC';

/** A person who chose no time zone has that of their hours, or of their primary calendar. */
export async function findUsualZone(db: Database, { userId, zone }: Pick<Host, 'userId' | 'zone'>): Promise<string> {
  if (zone !== unchosen) return zone;
  const [hours] = (await listPolicies(db, userId)).filter((policy) => policy.hours.timezone !== unchosen);
  if (hours !== undefined) return hours.hours.timezone;
  const calendars = await listCalendars(db, userId);
  return calendars.find(({ isPrimary, zoneNamed, removed }) => isPrimary && zoneNamed && !removed)?.zone ?? unchosen;
}
