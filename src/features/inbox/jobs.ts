import * as z from 'zod/mini';
import { listActiveUserIds } from '#features/accounts/public.ts';
import { eventsChanged } from '#features/calendar/events.ts';
import type { UserId } from '#kernel/ids.ts';
import { defineJob, type Schedule } from '#platform/jobs.ts';
import { listenTo } from '#platform/news.ts';
import { refreshNotices } from './refresh-notices.ts';

/** Changes come in bursts; a conflict may be half of a move. */
const restMs = 4_000;

const refreshJob = defineJob({
  name: 'inbox.refresh-notices',
  payload: z.strictObject({ userId: z.string() }),
  policy: 'stately',
  handle: (app, { userId }) => refreshNotices(app, userId as UserId),
});

/** For those who look: who comes back is told within half a minute. */
const roundJob = defineJob({
  name: 'inbox.go-round',
  payload: z.strictObject({}),
  policy: 'stately',
  retryLimit: 0,
  handle: async (app) => {
    for (const userId of await listActiveUserIds(app.db)) await app.jobs.send(refreshJob, { userId }, { key: userId });
  },
});

export const jobs = [refreshJob, roundJob];
export const schedules: Schedule[] = [{ job: roundJob, everyMs: 30_000, payload: {}, key: 'round' }];
export const listeners = [
  listenTo(eventsChanged, refreshJob, ({ userId }) => ({ payload: { userId }, key: userId, startAfterMs: restMs })),
];
