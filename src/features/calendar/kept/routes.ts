import { findCalendar } from '#features/connections/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { CalendarId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { bindRoutes } from '#platform/routes.ts';
import { calendarChunks, fileNameOf } from '../export-calendars.ts';
import { measureEvents } from '../store/items.ts';
import { keptContract } from './contract.ts';

async function getOwnCalendar(app: App, actor: Actor, calendarId: string) {
  const calendar = await findCalendar(app.db, calendarId as CalendarId);
  if (calendar === null || calendar.userId !== actor.userId)
    throw new AppError('not-found', 'NOT_FOUND', 'Calendar not found.');
  return calendar;
}

async function* encoded(chunks: AsyncIterable<string>): AsyncIterable<Uint8Array> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}

export const keptRoutes = bindRoutes(keptContract, {
  countKept: async ({ app, actor, input }) => {
    const { id } = await getOwnCalendar(app, actor, input.params.calendarId);
    return { events: (await measureEvents(app.db, id)).events };
  },
  downloadKept: async ({ app, actor, input }) => {
    const calendar = await getOwnCalendar(app, actor, input.params.calendarId);
    const name = `${fileNameOf(calendar.name)}.ics`;
    return { name, sizeBytes: null, chunks: encoded(calendarChunks(app, calendar)) };
  },
});
