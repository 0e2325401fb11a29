import { loadOwnerZone } from '#features/accounts/public.ts';
import { faceOf, listCalendars, listConnections } from '#features/connections/public.ts';
import { listTeamsOf, may, membersReading } from '#features/teams/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { readTogether } from '#platform/reading.ts';
import type { analyticsContract } from './contract.ts';
import { listTypeNames } from './store/read-facts.ts';

/** What somebody can filter by: their own event types and calendars, and the teams whose figures they may see. */
export async function listFilters(
  { db }: Pick<App, 'db'>,
  { userId }: { userId: UserId },
): Promise<Output<typeof analyticsContract.listFilters>> {
  const [zone, all, calendars, connections] = await Promise.all([
    loadOwnerZone(db, userId),
    listTeamsOf(db, userId),
    listCalendars(db, userId),
    listConnections(db, userId),
  ]);
  const teams = all.filter(({ role }) => may(role, 'see-analytics'));
  const [types, members] = await Promise.all([
    listTypeNames(
      db,
      userId,
      teams.map(({ id }) => id),
    ),
    readTogether(
      db,
      teams.map(({ id }) => membersReading(id)),
    ),
  ]);
  const providerOf = new Map(connections.map((connection) => [connection.id, faceOf(connection).word]));
  return {
    zone,
    event_types: types.map(({ id, title, teamId }) => ({ event_type_id: id, title, team_id: teamId })),
    teams: teams.map(({ id, name }, n) => ({
      team_id: id,
      name,
      members: (members[n] ?? []).map((member) => ({ user_id: member.userId, name: member.name })),
    })),
    calendars: calendars
      .filter(({ removed }) => !removed)
      .map(({ id, name, connectionId }) => ({
        calendar_id: id,
        name,
        provider: providerOf.get(connectionId) ?? 'caldav',
      })),
  };
}
