import { loadOwner } from '#features/accounts/public.ts';
import type { Calendar } from '#features/connections/public.ts';
import { calendarBadge, faceOf, listCalendars, listConnections, openUrlOf } from '#features/connections/public.ts';
import type { CalendarId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { ownSideOf } from './rules/audience.ts';
import type { CalendarFace, Onlooker } from './rules/event-view.ts';

export interface Viewer extends Onlooker {
  faces: Map<CalendarId, CalendarFace & { calendar: Calendar; account: string }>;
}

/** The data needed to show a person's events; three queries. */
export async function loadViewer(db: Database, userId: UserId): Promise<Viewer> {
  const [calendars, connections, owner] = await Promise.all([
    listCalendars(db, userId),
    listConnections(db, userId),
    loadOwner(db, userId),
  ]);
  const byId = new Map(connections.map((connection) => [connection.id, connection]));
  const faces: Viewer['faces'] = new Map();
  for (const calendar of calendars) {
    const connection = byId.get(calendar.connectionId);
    faces.set(calendar.id, {
      calendar,
      account: connection?.label ?? '',
      provider: connection === undefined ? 'caldav' : faceOf(connection).word,
      badge: calendarBadge(calendar.name),
      writable: calendar.writable && !calendar.removed,
      connected: connection?.status !== 'needs-reconnect' && connection?.status !== 'disconnecting',
      openUrl: (itemRef, recId) =>
        connection === undefined ? null : openUrlOf(connection, { calendarRef: calendar.ref, itemRef, recId }),
    });
  }
  const own = ownSideOf([owner.email, ...connections.flatMap((connection) => connection.addresses)]);
  return { faces, ownerZone: owner.zone, own };
}
