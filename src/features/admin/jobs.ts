import * as z from 'zod/mini';
import { listAccountsOfKind } from '#features/connections/public.ts';
import { readAgain } from '#features/sync/public.ts';
import type { ConnectionId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { trimErrors } from '#platform/error-book.ts';
import { defineJob, type Schedule } from '#platform/jobs.ts';
import { countEverything } from './count-everything.ts';
import { trimAlerts } from './store/alerts.ts';
import { dropProcesses, readWatched, trimProbes } from './store/watched.ts';
import { watchSystem } from './watch-system.ts';

const alone = { payload: z.strictObject({}), policy: 'stately', retryLimit: 0 } as const;

const watchJob = defineJob({ ...alone, name: 'admin.watch', handle: (app) => watchSystem(app, 'worker') });

const countJob = defineJob({
  ...alone,
  name: 'admin.count',
  handle: countEverything,
});

const trimJob = defineJob({
  ...alone,
  name: 'admin.trim',
  async handle({ db }) {
    const { logDays } = await readWatched(db);
    await trimErrors(db, logDays);
    await trimAlerts(db, logDays);
    await trimProbes(db);
    await dropProcesses(db, null);
  },
});

const resyncedAtOnce = 500;

export const resyncJob = defineJob({
  name: 'admin.resync',
  payload: z.strictObject({ provider: z.string(), profile: z.string(), after: z.nullable(z.string()) }),
  async handle(app, { after, ...kind }) {
    await inTransaction(app.db, async (tx) => {
      const page = { only: null, after: after as ConnectionId | null, limit: resyncedAtOnce };
      const ids = await listAccountsOfKind(tx, kind, page);
      await readAgain(app, tx, ids);
      const last = ids.at(-1);
      if (last !== undefined && ids.length === resyncedAtOnce)
        await app.jobs.send(resyncJob, { ...kind, after: last }, { tx });
    });
  },
});

export const jobs = [watchJob, countJob, trimJob, resyncJob];

export const watchEveryMs = 15_000;

export const schedules: Schedule[] = [
  { job: watchJob, everyMs: watchEveryMs, payload: {}, key: 'watch' },
  { job: countJob, everyMs: 60_000, payload: {}, key: 'count' },
  { job: trimJob, everyMs: 3_600_000, payload: {}, key: 'trim' },
];
