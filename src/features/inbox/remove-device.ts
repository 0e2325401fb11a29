import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { inboxTopic } from './refresh-notices.ts';
import { deleteDevice } from './store/devices.ts';

/** Nothing is sent there any more, what is on its way included. *Errors*: AppError not-found. */
export async function removeDevice(app: Pick<App, 'db' | 'feed'>, { userId }: Actor, id: string): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    if (!(await deleteDevice(tx, userId, id)))
      throw new AppError('not-found', 'NOT_FOUND', 'This device is removed already.');
    await app.feed.publish(tx, userId, inboxTopic);
  });
}
