import * as z from 'zod/mini';
import { listActiveUserIds } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import { defineJob, type Schedule } from '#platform/jobs.ts';
import { refreshNotices } from './notices.ts';
import { pushJob } from './pushes.ts';
import { claimAwayUsers, deleteOldPushes } from './store.ts';

const refreshJob = defineJob({
  name: 'inbox.refresh-notices',
  payload: z.strictObject({ userId: z.string() }),
  policy: 'stately',
  handle: (app, { userId }) => refreshNotices(app, userId as UserId),
});

/** Users with a device and no open window: the interval for each, and the number in one round. */
const awaySeconds = 60;
const mostAway = 200;

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
    const [active, away] = await Promise.all([
      listActiveUserIds(app.db),
      claimAwayUsers(app.db, awaySeconds, mostAway),
    ]);
    for (const userId of new Set([...active, ...away])) await app.jobs.send(refreshJob, { userId }, { key: userId });
  },
});

const sweepJob = defineJob({
  name: 'inbox.sweep-pushes',
  payload: z.strictObject({}),
  policy: 'stately',
  handle: (app) => deleteOldPushes(app.db),
});

export const jobs = [refreshJob, roundJob, pushJob, sweepJob];
export const schedules: Schedule[] = [
  { job: roundJob, everyMs: 15_000, payload: {}, key: 'round' },
  { job: sweepJob, everyMs: 600_000, payload: {}, key: 'sweep' },
];
