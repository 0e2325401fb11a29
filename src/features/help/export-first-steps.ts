import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import { findFirstSteps } from './store/first-steps.ts';

/** What is noted of somebody's first steps. */
export function exportFirstSteps({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [jsonPart('first-steps.json', () => findFirstSteps(db, userId))];
}
