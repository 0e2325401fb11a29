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

/** The same as mails write to them: a host who chose no time zone has that of their hours, or of their primary calendar. */
export const listMailedHosts = async (db: Database, ids: readonly UserId[]): Promise<Host[]> =>
  Promise.all(
    (await listHostsOf(db, ids)).map(async (host) =>
      host.zone === unchosen ? { ...host, zone: (await findZone(db, host.userId)) ?? unchosen } : host,
    ),
  );

const unchosen = 'UTC';

async function findZone(db: Database, userId: UserId): Promise<string | undefined> {
  const [hours] = (await listPolicies(db, userId)).filter((policy) => policy.hours.timezone !== unchosen);
  if (hours !== undefined) return hours.hours.timezone;
  const calendars = await listCalendars(db, userId);
  return calendars.find(({ isPrimary, zoneNamed, removed }) => isPrimary && zoneNamed && !removed)?.zone;
}
