import { demandRecentProof, recordAccountEvent } from '#features/accounts/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { PasskeyId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { deletePasskey } from './store/passkeys.ts';

/** Forgets one of one's own passkeys: it opens nothing any more. *Errors*: AppError forbidden (REAUTHENTICATE), not-found. */
export async function removePasskey(
  app: Pick<App, 'db'>,
  actor: Actor,
  id: PasskeyId,
  request: RequestFacts,
): Promise<void> {
  demandRecentProof(actor);
  await inTransaction(app.db, async (tx) => {
    const name = await deletePasskey(tx, actor, id);
    if (name === undefined) throw new AppError('not-found', 'NOT_FOUND', 'This passkey has been removed already.');
    await recordAccountEvent(tx, { userId: actor.userId, kind: 'passkey-removed', request, details: { name } });
  });
}
