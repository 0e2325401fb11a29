import { loadOwnerZone } from '#features/accounts/public.ts';
import { listHoldRules } from '#features/availability/public.ts';
import { listCalendars } from '#features/connections/public.ts';
import type { CalendarId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

/** How the events of people's calendars are read, each person asked about once. */
export type KnownReadings = Map<UserId, ReturnType<typeof loadReading>>;

/** The zones that the events of a calendar are read in, and the hold rules of its person. */
export async function loadClocks(
  db: Database,
  { calendarId, userId }: { calendarId: CalendarId; userId: UserId },
  known: KnownReadings,
) {
  const loading = known.get(userId) ?? loadReading(db, userId);
  known.set(userId, loading);
  const { ownerZone, zones, rules } = await loading;
  return { ownerZone, calendarZone: zones.get(calendarId) ?? ownerZone, rules };
}

async function loadReading(db: Database, userId: UserId) {
  return {
    ownerZone: await loadOwnerZone(db, userId),
    zones: new Map<string, string>((await listCalendars(db, userId)).map(({ id, zone }) => [id, zone])),
    rules: await listHoldRules(db, userId),
  };
}
