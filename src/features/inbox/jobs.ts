import * as z from 'zod/mini';
import { listActiveUserIds } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import { defineJob, type Schedule } from '#platform/jobs.ts';
import { refreshNotices } from './refresh-notices.ts';

const refreshJob = defineJob({
  name: 'inbox.refresh-notices',
  payload: z.strictObject({ userId: z.string() }),
  policy: 'stately',
  handle: (app, { userId }) => refreshNotices(app, userId as UserId),
});

/**
 * For those who look; who comes back is told within seconds. By the clock and not with every change: a job of one person
 * that several readers send in their transactions would make them wait for each other.
 */
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
export const schedules: Schedule[] = [{ job: roundJob, everyMs: 15_000, payload: {}, key: 'round' }];
