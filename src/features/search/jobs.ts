import * as z from 'zod/mini';
import { eventsChanged, forCalendar, moreComesMs } from '#features/calendar/events.ts';
import { listCalendars, listOwners } from '#features/connections/public.ts';
import type { CalendarId, UserId } from '#kernel/ids.ts';
import { defineJob, type Schedule } from '#platform/jobs.ts';
import { listenTo } from '#platform/news.ts';
import { refreshDocuments } from './documents.ts';
import { deleteStrangers } from './store.ts';

const refreshJob = defineJob({
  name: 'search.refresh-calendar',
  payload: z.strictObject({ calendarId: z.string() }),
  policy: 'stately',
  concurrency: 1,
  handle: (app, { calendarId }, signal) => refreshDocuments(app, calendarId as CalendarId, { signal }),
});

/** Rebuilds the whole index of a user. */
const wholeJob = defineJob({
  name: 'search.refresh-person',
  payload: z.strictObject({ userId: z.string() }),
  policy: 'stately',
  concurrency: 1,
  handle: async (app, payload, signal) => {
    const userId = payload.userId as UserId;
    for (const { id } of await listCalendars(app.db, userId)) await refreshDocuments(app, id, { all: true, signal });
    await deleteStrangers(app.db, userId);
  },
});

/** Repairs after a lost event, and after an upgrade that changes how texts are made. */
const checkJob = defineJob({
  name: 'search.check-documents',
  payload: z.strictObject({}),
  policy: 'stately',
  handle: async (app) => {
    for (const userId of await listOwners(app.db)) await app.jobs.send(wholeJob, { userId }, { key: userId });
  },
});

export const jobs = [refreshJob, wholeJob, checkJob];
export const schedules: Schedule[] = [{ job: checkJob, everyMs: 86_400_000, payload: {}, key: 'check' }];
export const listeners = [
  listenTo(eventsChanged, refreshJob, (heard) => ({ ...forCalendar(heard), startAfterMs: moreComesMs })),
];
