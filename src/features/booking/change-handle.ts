import { lockUser } from '#features/accounts/public.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { typesTopic } from './events.ts';
import { takeHandle } from './take-handle.ts';

/** The caller takes a name. *Errors*: as `takeHandle`. */
export async function changeHandle(app: App, { userId }: Actor, handle: string): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    await lockUser(tx, userId); // two changes of one person come one after the other
    if (await takeHandle(tx, { userId }, handle)) await app.feed.publish(tx, userId, typesTopic);
  });
}
