import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { recordAct } from './record-act.ts';
import type { Flag } from './rules/flags.ts';
import { putFlag } from './store/flags.ts';

/** Switches a flag. Every process sees the change with its next read. */
export async function changeFlag(
  app: Pick<App, 'db'>,
  actor: Actor,
  { reason, ...flag }: Flag & { reason: string },
  request: RequestFacts,
): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    await putFlag(tx, flag);
    await recordAct(tx, {
      actorId: actor.userId,
      action: 'flag_change',
      subject: { kind: 'flag', id: flag.name },
      reason,
      request,
      details: { enabled: flag.enabled, rollout: flag.rollout },
    });
  });
}
