import * as z from 'zod/mini';
import { trimFeed } from '#platform/feed.ts';
import { defineJob, type Schedule } from '#platform/jobs.ts';
import { trimLimits } from '#platform/limits.ts';
import { deleteExpiredSessions } from './store/sessions.ts';
import { deleteOldTrail } from './store/trail.ts';

/** Removes what has had its time: sessions, attempts, what browsers were told, and old trails. */
export const sweepExpired = defineJob({
  name: 'accounts.sweep-expired',
  payload: z.strictObject({}),
  async handle(app) {
    const [sessions, limits, entries, trail] = [
      await deleteExpiredSessions(app.db),
      await trimLimits(app.db),
      await trimFeed(app.db),
      await deleteOldTrail(app.db),
    ];
    app.log.debug({ sessions, limits, entries, trail }, 'expired rows removed');
  },
});

export const schedules: readonly Schedule[] = [{ job: sweepExpired, everyMs: 600_000, payload: {} }];
