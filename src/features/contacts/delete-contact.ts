import type { ContactId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { contactsTopic } from './events.ts';
import { noContact } from './load-contact.ts';
import { markDeleted, unmarkDeleted } from './store/contact-rows.ts';

/** Stays away until a meeting comes that is not known yet; or takes that back. *Errors*: AppError not-found. */
export function deleteContact(
  app: Pick<App, 'db' | 'clock' | 'feed'>,
  { userId }: Actor,
  id: ContactId,
  isBack: boolean,
): Promise<void> {
  return inTransaction(app.db, async (tx) => {
    const mark = isBack ? unmarkDeleted : markDeleted;
    if (!(await mark(tx, userId, id, app.clock.nowMs()))) throw noContact();
    await app.feed.publish(tx, userId, contactsTopic);
  });
}
