import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type ExportPart, jsonPart, listPart } from '#platform/export-part.ts';
import { listAuditRows, listMirrorRows } from './store/exports.ts';
import { loadGroups } from './store/groups.ts';
import { loadSettings } from './store/settings.ts';

/** Groups with their rules, settings, the ledger of blocks and its trail. */
export function exportMirrors({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [
    jsonPart('mirror-groups.json', () => loadGroups(db, userId)),
    jsonPart('sync-settings.json', () => loadSettings(db, userId)),
    listPart('blocks.json', (page: { after: string | null; limit: number }) => listMirrorRows(db, userId, page)),
    listPart('audit.json', (page: { after: number | null; limit: number }) => listAuditRows(db, userId, page)),
  ];
}
