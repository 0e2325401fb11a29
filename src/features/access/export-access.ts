import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import { readWaysIn } from './store/exports.ts';

/** By which ways a person signs in, and since when; none of them can be used with it. */
export function exportAccess({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [jsonPart('ways-to-sign-in.json', () => readWaysIn(db, userId))];
}
