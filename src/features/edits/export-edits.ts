import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import { listUnwritten } from './store/edits.ts';

/** Events entered here that no calendar has yet. The rest is in the calendars. */
export function exportEdits({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [
    jsonPart('unwritten-edits.json', async () =>
      (await listUnwritten(db, userId)).map(({ id, kind, state, title, message, createdMs, steps, step }) => ({
        id,
        kind,
        state,
        title,
        message,
        createdMs,
        writes: steps.slice(step).map(({ calendarId, itemId, after }) => ({ calendarId, itemId, after })),
      })),
    ),
  ];
}
