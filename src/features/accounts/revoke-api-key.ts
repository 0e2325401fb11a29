import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { endApiKeys } from './end-api-keys.ts';
import { findKeyOwner } from './store/api-keys.ts';
import { lockUser } from './store/users.ts';

/** From its next call on the key opens nothing; its owner is told. *Errors*: AppError not-found. */
export async function revokeApiKey(
  app: Pick<App, 'db' | 'clock' | 'config' | 'mail'>,
  actor: Actor,
  { keyId, reason }: { keyId: string; reason: string },
  request: RequestFacts,
): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const ownerId = await findKeyOwner(tx, keyId);
    const owner = ownerId === undefined ? null : await lockUser(tx, ownerId);
    const by = { actorId: actor.userId, reason, request };
    const ended = owner === null ? 0 : await endApiKeys(app, tx, owner, { only: keyId }, by);
    if (ended === 0) throw new AppError('not-found', 'NOT_FOUND', 'There is no such key, or it was revoked before.');
  });
}
