import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import { listCalendars } from './store/calendars.ts';
import { type Connection, listConnections } from './store/connections.ts';

/** Columns of the export. A new column is left out until it is named here. */
const told = [
  ...(['id', 'provider', 'profile', 'label', 'baseUrl', 'username', 'addresses'] as const),
  ...(['status', 'statusCode', 'statusMessage'] as const),
] satisfies (keyof Connection)[];

/** Accounts at providers and their calendars, without any access to them. */
export function exportConnections({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [
    jsonPart('connections.json', async () =>
      (await listConnections(db, userId)).map((connection) =>
        Object.fromEntries(told.map((key) => [key, connection[key]])),
      ),
    ),
    jsonPart('calendars.json', () => listCalendars(db, userId)),
  ];
}
