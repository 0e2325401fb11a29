import { AppError } from '#kernel/errors.ts';
import type { BookingLinkId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { typesTopic } from './events.ts';
import { deleteLink as removeLink } from './store/links.ts';

/** Nobody comes in there any more; what was booked stays. *Errors*: AppError not-found. */
export async function deleteLink(app: App, { userId }: Actor, id: BookingLinkId): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    if (!(await removeLink(tx, userId, id))) throw new AppError('not-found', 'NOT_FOUND', 'There is no such link.');
    await app.feed.publish(tx, userId, typesTopic);
  });
}
