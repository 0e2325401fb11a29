import { listAdministratorIds } from '#features/accounts/public.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, readDatabaseTime } from '#platform/db.ts';
import { listErrors } from '#platform/error-book.ts';
import { deadLetterQueue } from '#platform/jobs.ts';
import { measureSystem } from './measure-system.ts';
import { alertsTopic, planAlerts } from './rules/alert.ts';
import { listStandingAlerts, settleAlerts } from './store/alerts.ts';
import { noteServices, readWatched, takeWatch } from './store/watched.ts';

const errorsLookedAt = 50;
const deadWithinMs = 3_600_000;

/**
 * Looks after the running system: measures it, notes what was found, raises alerts and ends those that are over. A worker does so
 * by its schedule; a process that serves does where no worker has for a while, so that its absence is told.
 */
export async function watchSystem(app: App, by: 'worker' | 'server'): Promise<void> {
  const before = await readWatched(app.db);
  const { services, queues } = await measureSystem(app, by === 'worker' ? 0 : before.agoMs, null);
  const [errors, dead] = await Promise.all([listErrors(app.db, errorsLookedAt), app.jobs.listDeadLetters(100)]);
  const nowMs = (await readDatabaseTime(app.db)).epochMilliseconds;
  await inTransaction(app.db, async (tx) => {
    if (!(await takeWatch(tx))) return;
    const alerts = planAlerts(
      {
        services,
        queues: queues.filter(({ name }) => name !== deadLetterQueue),
        deadLetters: dead.filter(({ failedAt }) => nowMs - failedAt.epochMilliseconds < deadWithinMs).length,
        errors: errors.map((error) => ({ ...error, agoMs: nowMs - error.lastMs })),
      },
      await listStandingAlerts(tx),
    );
    if (await settleAlerts(tx, alerts)) await app.feed.publishToAll(tx, await listAdministratorIds(tx), alertsTopic);
    await noteServices(tx, services, by === 'worker');
  });
}
