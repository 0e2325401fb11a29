import { recordAct } from '#features/accounts/public.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { updateLogDays } from './store/watched.ts';

/** What is older goes with the next hourly round. */
export async function changeRetention(
  app: Pick<App, 'db'>,
  actor: Actor,
  { logDays, reason }: { logDays: number; reason: string },
  request: RequestFacts,
): Promise<{ logDays: number }> {
  await inTransaction(app.db, async (tx) => {
    await updateLogDays(tx, logDays);
    await recordAct(tx, {
      actorId: actor.userId,
      action: 'settings_change',
      subject: { kind: 'setting', id: 'logDays' },
      reason,
      request,
      details: { logDays },
    });
  });
  return { logDays };
}
