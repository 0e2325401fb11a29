import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type ExportPart, jsonPart, listPart } from '#platform/export-part.ts';
import { listOwnKeys } from './store/api-keys.ts';
import { listSessionRows, listTrailRows, readOwnRow } from './store/exports.ts';

/** Profile, preferences, sessions, keys and trail of a person; nothing that proves who they are. */
export function exportAccount({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [
    jsonPart('account.json', () => readOwnRow(db, userId)),
    jsonPart('sessions.json', () => listSessionRows(db, userId)),
    jsonPart('api-keys.json', () => listOwnKeys(db, userId)),
    listPart('security-trail.json', (page: { after: number | null; limit: number }) => listTrailRows(db, userId, page)),
  ];
}
