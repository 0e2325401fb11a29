import { randomUUIDv7 } from 'node:crypto';
import { demandRecentProof, recordAccountEvent } from '#features/accounts/public.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { exportTopic } from './events.ts';
import { makeJob } from './jobs.ts';
import { replaceExport } from './store/exports.ts';

const exports = { action: 'preparing an export', burst: 5, periodSeconds: 3_600 };

/** *Errors*: AppError forbidden (REAUTHENTICATE), limited. */
export async function startExport(
  app: Pick<App, 'db' | 'feed' | 'jobs'>,
  actor: Actor,
  request: RequestFacts,
): Promise<void> {
  demandRecentProof(actor);
  await takeAllowance(app.db, exports, actor.userId);
  const exportId = randomUUIDv7();
  await inTransaction(app.db, async (tx) => {
    await replaceExport(tx, actor.userId, exportId);
    await recordAccountEvent(tx, { userId: actor.userId, kind: 'data-exported', request });
    await app.jobs.send(makeJob, { exportId }, { tx, key: exportId });
    await app.feed.publish(tx, actor.userId, exportTopic);
  });
}
