import { loadOwnerZone } from '#features/accounts/public.ts';
import { listHoldRules } from '#features/availability/public.ts';
import { capabilitiesOf, listCalendars, listConnections } from '#features/connections/public.ts';
import type { CalendarId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

/** How the events of people's calendars are read, each person asked about once. */
export type KnownReadings = Map<UserId, ReturnType<typeof loadReading>>;

/** The zones that the events of a calendar are read in, whether its single events are instants, and the hold rules of its person. */
export async function loadClocks(
  db: Database,
  { calendarId, userId }: { calendarId: CalendarId; userId: UserId },
  known: KnownReadings,
) {
  const loading = known.get(userId) ?? loadReading(db, userId);
  known.set(userId, loading);
  const { ownerZone, zones, ofInstants, rules } = await loading;
  const calendarZone = zones.get(calendarId) ?? ownerZone;
  return { ownerZone, calendarZone, keepsInstants: ofInstants.has(calendarId), rules };
}

async function loadReading(db: Database, userId: UserId) {
  const calendars = await listCalendars(db, userId);
  const connections = (await listConnections(db, userId)).filter((one) => capabilitiesOf(one).keepsInstants === true);
  const accounts = new Set(connections.map(({ id }) => id));
  return {
    ownerZone: await loadOwnerZone(db, userId),
    zones: new Map<string, string>(calendars.map(({ id, zone }) => [id, zone])),
    ofInstants: new Set(calendars.filter((one) => accounts.has(one.connectionId)).map(({ id }) => id)),
    rules: await listHoldRules(db, userId),
  };
}
