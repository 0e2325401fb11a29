import { loadOwnerZone } from '#features/accounts/public.ts';
import { faceOf, listCalendars, listConnections } from '#features/connections/public.ts';
import { listTeamsOf, may, membersReading } from '#features/teams/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { readTogether } from '#platform/reading.ts';
import type { analyticsContract } from './contract.ts';
import { findHistory } from './find-history.ts';
import { listTypeNames } from './store/read-facts.ts';

/** The choices of the filters: the caller's event types and calendars, and teams whose figures they may see. */
export async function listFilters(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  { userId }: { userId: UserId },
): Promise<Output<typeof analyticsContract.listFilters>> {
  const { db } = app;
  const [zone, all, calendars, connections] = await Promise.all([
    loadOwnerZone(db, userId),
    listTeamsOf(db, userId),
    listCalendars(db, userId),
    listConnections(db, userId),
  ]);
  const teams = all.filter(({ role }) => may(role, 'see-analytics'));
  const [types, members, own, ofTeams] = await Promise.all([
    listTypeNames(
      db,
      userId,
      teams.map(({ id }) => id),
    ),
    readTogether(
      db,
      teams.map(({ id }) => membersReading(id)),
    ),
    findHistory(app, { userId, teamId: null }),
    Promise.all(teams.map(({ id }) => findHistory(app, { userId, teamId: id }))),
  ]);
  const providerOf = new Map(connections.map((connection) => [connection.id, faceOf(connection).word]));
  return {
    zone,
    history_days: own?.days ?? null,
    event_types: types.map(({ id, title, teamId }) => ({ event_type_id: id, title, team_id: teamId })),
    teams: teams.map(({ id, name }, n) => ({
      team_id: id,
      name,
      history_days: ofTeams[n]?.days ?? null,
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
