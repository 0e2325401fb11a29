import { findHost, hostsReading } from '#features/accounts/public.ts';
import { teamReading } from '#features/teams/public.ts';
import type { Database } from '#platform/db.ts';
import { readTogether } from '#platform/reading.ts';
import type { PublicType } from './find-public-type.ts';
import type { EventType } from './store/event-type-rows.ts';

/** An event type with those whose it is; null where nobody is there to be booked. */
export async function joinHosts(
  db: Database,
  type: EventType,
  at: Pick<PublicType, 'handle' | 'link'>,
): Promise<PublicType | null> {
  if (type.teamId === null) {
    const host = type.userId === null ? null : await findHost(db, type.userId);
    return host === null ? null : { host, team: null, type, ...at };
  }
  const ids = type.hosts.map(({ userId }) => userId);
  const [team, found] = await readTogether(db, [teamReading(type.teamId), hostsReading(ids)]);
  const here = new Map(found.filter(({ suspended }) => !suspended).map((one) => [one.userId, one]));
  const hosts = ids.flatMap((id) => here.get(id) ?? []);
  const [host] = hosts;
  if (team === null || host === undefined) return null;
  // hosts whose account is being deleted or suspended get no new bookings
  const bookable = { ...type, hosts: type.hosts.filter(({ userId }) => here.has(userId)) };
  return { host, team: { ...team, hosts }, type: bookable, ...at };
}
