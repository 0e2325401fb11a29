import { type Calendar, listCalendars } from '#features/connections/public.ts';
import { createCalendarWriter } from '#kernel/ical/serialise-calendar.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type ExportPart, jsonPart, listPart } from '#platform/export-part.ts';
import { listItems } from './store/items.ts';
import { listFeeds } from './store/published-feeds.ts';

const nobody = '00000000-0000-0000-0000-000000000000';
/** Few: an event with its changed instances may be megabytes. */
const pageItems = 50;

/**
 * Every calendar twice: as iCalendar for other programs, and as JSON with all that is kept of it. Blocks that Holdfast
 * wrote are copies of these and left out.
 */
export async function exportCalendars(app: Pick<App, 'db' | 'clock'>, userId: UserId): Promise<ExportPart[]> {
  const { db } = app;
  const calendars = await listCalendars(db, userId);
  return [
    ...calendars.flatMap(({ id, name }, at): ExportPart[] => {
      const path = `calendars/${String(at + 1).padStart(2, '0')}-${fileNameOf(name)}`;
      return [
        {
          path: `${path}.ics`,
          chunks: () => calendarChunks(app, { id, name }),
        },
        listPart(
          `${path}.json`,
          ({ after, limit }: { after: string | null; limit: number }) =>
            listItems(db, [id], { after: after ?? nobody, limit }),
          { keep: (item) => !item.gone, limit: pageItems },
        ),
      ];
    }),
    jsonPart('published-feeds.json', async () =>
      (await listFeeds(db, userId)).map(({ content, createdMs, lastReadMs }) => ({ content, createdMs, lastReadMs })),
    ),
  ];
}

/** One calendar as an iCalendar file, in pieces, without the blocks that Holdfast wrote. */
export async function* calendarChunks(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { id, name }: Pick<Calendar, 'id' | 'name'>,
): AsyncGenerator<string> {
  const writer = createCalendarWriter({ name, stampMs: clock.nowMs() });
  yield writer.head();
  for (let after: string = nobody; ; ) {
    const items = await listItems(db, [id], { after, limit: pageItems });
    for (const item of items) if (!item.gone) yield writer.event(item.uid ?? item.ref, item.body);
    after = items.at(-1)?.id ?? after;
    if (items.length < pageItems) break;
  }
  yield writer.end();
}

/** Letters and digits of a name, as every file system takes them. */
export function fileNameOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '');
  return plain === '' ? 'calendar' : plain;
}
