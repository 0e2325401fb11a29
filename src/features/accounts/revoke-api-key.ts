import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { recordAct } from './record-act.ts';
import { revokeKey } from './store/api-keys.ts';

/** From its next call on the key opens nothing. *Errors*: AppError not-found. */
export async function revokeApiKey(
  app: Pick<App, 'db'>,
  actor: Actor,
  { keyId, reason }: { keyId: string; reason: string },
  request: RequestFacts,
): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    if (!(await revokeKey(tx, keyId)))
      throw new AppError('not-found', 'NOT_FOUND', 'There is no such key, or it was revoked before.');
    await recordAct(tx, {
      actorId: actor.userId,
      action: 'key_revocation',
      subject: { kind: 'key', id: keyId },
      reason,
      request,
    });
  });
}
