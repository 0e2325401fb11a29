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
  return {
    members: await Promise.all(
      members.map(async ({ userId, name }) => ({
        user_id: userId,
        name,
        conferences: await listConferences(app.db, userId),
      })),
    ),
  };
}

/** The meetings that an account of this person can create. */
export async function listConferences(db: Database, userId: UserId): Promise<(typeof kinds)[number][]> {
  const [calendars, connections] = await Promise.all([listCalendars(db, userId), listConnections(db, userId)]);
  const connected = connections.filter(({ status }) => status !== 'disconnecting');
  return kinds.filter((kind) =>
    calendars.some((calendar) => {
      const connection = connected.find(({ id }) => id === calendar.connectionId);
      return calendar.writable && !calendar.removed && connection && makesConference(calendar, connection, kind);
    }),
  );
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
