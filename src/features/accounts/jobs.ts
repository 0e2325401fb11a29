import * as z from 'zod/mini';
import { newsOf } from '#kernel/announcement.ts';
import { inTransaction } from '#platform/db.ts';
import { trimFeed } from '#platform/feed.ts';
import { defineJob, type Schedule } from '#platform/jobs.ts';
import { trimLimits } from '#platform/limits.ts';
import { accountLeaving } from './events.ts';
import { deleteOldAccountEvents } from './store/account-log.ts';
import { ensureWordIndex } from './store/audit-words.ts';
import { deleteUnconfirmedUsers, listLeavers } from './store/deletion.ts';
import { deleteExpiredSessions } from './store/sessions.ts';

/** Removes expired sessions, unconfirmed accounts, attempts, live updates, and old account events. */
export const sweepExpired = defineJob({
  name: 'accounts.sweep-expired',
  payload: z.strictObject({}),
  async handle(app) {
    const [sessions, unconfirmed, limits, entries, trail] = [
      await deleteExpiredSessions(app.db),
      await deleteUnconfirmedUsers(app.db),
      await trimLimits(app.db),
      await trimFeed(app.db),
      await deleteOldAccountEvents(app.db),
    ];
    // should the news of it have been lost: somebody who is leaving is not forgotten
    const leavers = await listLeavers(app.db);
    await inTransaction(app.db, (tx) =>
      app.news.announceAll(
        tx,
        leavers.map((userId) => newsOf(accountLeaving, { userId })),
      ),
    );
    app.log.debug({ sessions, unconfirmed, limits, entries, trail }, 'expired rows removed');
  },
});

/** After an upgrade with a long audit (migration 0153). */
export const indexAudit = defineJob({
  name: 'accounts.index-audit',
  payload: z.strictObject({}),
  concurrency: 1,
  retryLimit: 0,
  timeoutSeconds: 14_400,
  handle: (app) => ensureWordIndex(app.db),
});

export const jobs = [sweepExpired, indexAudit];
export const schedules: readonly Schedule[] = [
  { job: sweepExpired, everyMs: 600_000, payload: {} },
  { job: indexAudit, everyMs: 3_600_000, payload: {} },
];
