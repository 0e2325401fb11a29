import { loadOwnerZone } from '#features/accounts/public.ts';
import { faceOf, listCalendars, listConnections } from '#features/connections/public.ts';
import { listTeamsOf, may, membersReading } from '#features/teams/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import { readTogether } from '#platform/reading.ts';
import type { analyticsContract } from './contract.ts';
import { getDigest } from './digests.ts';
import { findHistory } from './figures.ts';
import { dateOf } from './rules/period.ts';
import { findDaySums, findKeptZone } from './store/fact-rows.ts';
import { listTypeNames } from './store/read-facts.ts';

const everyDay = { firstDay: -25_567, endDay: 60_000 };

/** The daily sums of a person's bookings. The feature `booking` exports the bookings and their guests. */
export function exportAnalytics({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [
    jsonPart('daily-figures.json', async () => {
      const zone = await findKeptZone(db, userId);
      const sums = zone === null ? null : await findDaySums(db, userId, zone, everyDay);
      const days = [...(sums ?? [])].toSorted(([one], [other]) => one - other);
      return {
        weeklyDigest: (await getDigest({ db }, { userId })).weekly,
        zone,
        days: days.map(([day, counts]) => ({ day: dateOf(day), ...counts })),
      };
    }),
  ];
}

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
