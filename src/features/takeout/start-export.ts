import { demandRecentProof } from '#features/accounts/public.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { prepareExport } from './prepare-export.ts';

const exports = { action: 'preparing an export', burst: 5, periodSeconds: 3_600 };

/** *Errors*: AppError forbidden (REAUTHENTICATE), limited. */
export async function startExport(
  app: Pick<App, 'db' | 'feed' | 'jobs'>,
  actor: Actor,
  request: RequestFacts,
): Promise<void> {
  demandRecentProof(actor);
  await takeAllowance(app.db, exports, actor.userId);
  await inTransaction(app.db, (tx) => prepareExport(app, tx, actor.userId, request));
}
