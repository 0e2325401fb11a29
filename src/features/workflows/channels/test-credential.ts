import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { openCredential } from './open-credential.ts';
import { reachAccount } from './reach-account.ts';
import { findCredentialRow, updateRefused } from './store/credentials.ts';

/** Tries an account, and keeps what it said. *Errors*: AppError not-found; as `reachAccount`. */
export async function testCredential(app: App, actor: Actor, id: string): Promise<void> {
  const row = await findCredentialRow(app.db, actor.userId, id);
  const credential = row && (await openCredential(app, row));
  if (credential === null) throw new AppError('not-found', 'NOT_FOUND', 'There is no such account.');
  try {
    await reachAccount(app, credential);
  } catch (error) {
    if (error instanceof AppError && error.code === 'SERVICE_REFUSED') {
      await updateRefused(app.db, credential.id, error.message);
      await app.feed.publish(app.db, actor.userId, 'channels');
    }
    throw error;
  }
  await updateRefused(app.db, credential.id, null);
  await app.feed.publish(app.db, actor.userId, 'channels');
}
