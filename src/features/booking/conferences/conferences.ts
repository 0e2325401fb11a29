import {
  findCalendar,
  findConnectionOf,
  listCalendars,
  listConnections,
  makesConference,
} from '#features/connections/public.ts';
import { listMembers, requirePermission } from '#features/teams/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { TeamId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Database } from '#platform/db.ts';
import type { teamBookingEndpoints } from '../rules/team-endpoints.ts';
import type { Appointment } from '../store/appointments.ts';

const kinds = ['google-meet', 'teams'] as const;
/** A provider creates a meeting in seconds, and a late one reaches its guest by email. */
const lateMs = 600_000;

/** Lists the meetings that each member's accounts can create. *Errors*: as `requirePermission`. */
export async function listTeamConferences(
  app: App,
  actor: { userId: UserId },
  teamId: TeamId,
): Promise<Output<(typeof teamBookingEndpoints)['listTeamConferences']>> {
  await requirePermission(app.db, actor, teamId, 'see-team');
  const members = await listMembers(app.db, teamId);
  const conferences = await listConferences(
    app.db,
    members.map(({ userId }) => userId),
  );
  return {
    members: members.map(({ userId, name }) => ({ user_id: userId, name, conferences: conferences.get(userId) ?? [] })),
  };
}

/** The meetings that the accounts of these people can create, by person. */
export async function listConferences(
  db: Database,
  userIds: readonly UserId[],
): Promise<Map<UserId, (typeof kinds)[number][]>> {
  const [calendars, connections] = await Promise.all([listCalendars(db, userIds), listConnections(db, userIds)]);
  const connected = new Map(
    connections.filter(({ status }) => status !== 'disconnecting').map((connection) => [connection.id, connection]),
  );
  const calendarsOf = Map.groupBy(
    calendars.filter(({ writable, removed }) => writable && !removed),
    ({ userId }) => userId,
  );
  const canMake = (userId: UserId, kind: string) =>
    calendarsOf.get(userId)?.some((calendar) => {
      const connection = connected.get(calendar.connectionId);
      return connection !== undefined && makesConference(calendar, connection, kind);
    });
  return new Map(userIds.map((userId) => [userId, kinds.filter((kind) => canMake(userId, kind))]));
}

/**
 * True if the host has to send the meeting link: no calendar of the booking creates such meetings, or its provider has
 * created none in ten minutes.
 */
export async function lacksLink(
  db: Database,
  { location: { kind }, joinUrl, calendarId }: Pick<Appointment, 'location' | 'joinUrl' | 'calendarId'>,
  { sinceMs, nowMs }: { sinceMs: number; nowMs: number },
): Promise<boolean> {
  if ((kind !== 'google-meet' && kind !== 'teams') || joinUrl !== null) return false;
  if (calendarId === null || nowMs - sinceMs > lateMs) return true;
  const [calendar, connection] = await Promise.all([findCalendar(db, calendarId), findConnectionOf(db, calendarId)]);
  if (calendar === null || calendar.removed || connection === null || connection.status === 'disconnecting')
    return true;
  return !makesConference(calendar, connection, kind);
}
