import type * as z from 'zod/mini';
import {
  calendarBadge,
  faceOf,
  isoOf,
  listCalendars as listAll,
  listConnections,
  reconnectUrlOf,
} from '#features/connections/public.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { calendarShape } from './contract.ts';
import { countWarnings } from './store/warnings.ts';

/** Calendars of the unified view with how well each can be read; three queries. */
export async function listCalendars(app: App, actor: Actor): Promise<z.output<typeof calendarShape>[]> {
  const [calendars, connections] = await Promise.all([
    listAll(app.db, actor.userId),
    listConnections(app.db, actor.userId),
  ]);
  const warned = await countWarnings(
    app.db,
    calendars.map((calendar) => calendar.id),
  );
  return calendars
    .filter((calendar) => !calendar.removed)
    .map((calendar) => {
      const connection = connections.find((one) => one.id === calendar.connectionId);
      const found = warned.find((one) => one.calendarId === calendar.id);
      const broken = connection?.status === 'needs-reconnect' || connection?.status === 'error';
      return {
        id: calendar.id,
        name: calendar.name,
        provider: connection === undefined ? 'caldav' : faceOf(connection).word,
        visible: calendar.visible,
        color: calendar.color,
        badge: calendarBadge(calendar.name),
        email: connection?.label ?? '',
        status: broken || calendar.failures > 0 ? 'error' : calendar.lastSyncedMs === null ? 'syncing' : 'ok',
        message: connection?.statusMessage ?? calendar.errorMessage,
        reconnectUrl: connection?.status === 'needs-reconnect' ? reconnectUrlOf(connection) : null,
        lastSyncedAt: isoOf(calendar.lastSyncedMs),
        // nothing new goes to an account that is leaving
        writable: calendar.writable && connection?.status !== 'disconnecting',
        unread: found?.unread ?? 0,
        warnings: (found?.count ?? 0) + calendar.warnings.length,
      };
    });
}
