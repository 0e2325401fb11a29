import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import { listEverything } from './store/holds.ts';

/** Every hold that a person made, and what became of it. */
export function exportHolds({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [jsonPart('holds.json', () => listEverything(db, userId))];
}
