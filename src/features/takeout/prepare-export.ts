import { randomUUIDv7 } from 'node:crypto';
import { recordAccountEvent } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { exportTopic } from './events.ts';
import { makeJob } from './jobs.ts';
import { replaceExport } from './store/exports.ts';

/** Has an export of somebody's data made; one that is there is replaced. `request` is null where it is not their own. */
export async function prepareExport(
  app: Pick<App, 'feed' | 'jobs'>,
  tx: Tx,
  userId: UserId,
  request: RequestFacts | null,
): Promise<void> {
  const exportId = randomUUIDv7();
  await replaceExport(tx, userId, exportId);
  await recordAccountEvent(tx, { userId, kind: 'data-exported', request });
  await app.jobs.send(makeJob, { exportId }, { tx, key: exportId });
  await app.feed.publish(tx, userId, exportTopic);
}
