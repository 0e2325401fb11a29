import { AppError } from '#kernel/errors.ts';
import type { RunId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { runsTopic } from './events.ts';
import { sendJobs } from './send-jobs.ts';
import { findRunState, reviveRun } from './store/run-rows.ts';

/** Has what was given up begin anew. *Errors*: AppError not-found, conflict (`NOT_GIVEN_UP`). */
export async function retryRun(app: App, { userId }: Actor, id: RunId): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    if (!(await reviveRun(tx, userId, id, app.clock.nowMs()))) {
      if ((await findRunState(tx, userId, id)) === null)
        throw new AppError('not-found', 'NOT_FOUND', 'There is no such run.');
      throw new AppError('conflict', 'NOT_GIVEN_UP', 'This was not given up: it waits, or is over.');
    }
    for (const job of sendJobs) await app.jobs.send(job, {}, { tx });
    await app.feed.publish(tx, userId, runsTopic);
  });
}
