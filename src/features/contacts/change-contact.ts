import type { Input } from '#kernel/contract.ts';
import type { ContactId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { contactsContract } from './contract.ts';
import { contactsTopic } from './events.ts';
import { loadContact } from './load-contact.ts';
import { trimLine, trimTags } from './rules/contact-draft.ts';
import { longest, mostTags } from './rules/contact-limits.ts';
import { writeContacts } from './store/contact-rows.ts';

/** *Errors*: AppError not-found. */
export function changeContact(
  app: Pick<App, 'db' | 'clock' | 'feed'>,
  { userId }: Actor,
  id: ContactId,
  wish: Input<typeof contactsContract.changeContact>['body'],
): Promise<void> {
  return inTransaction(app.db, async (tx) => {
    const before = await loadContact(tx, userId, id);
    const line = (field: 'name' | 'phone' | 'company') =>
      wish[field] === undefined ? before[field] : trimLine(wish[field], longest[field]);
    const contact = {
      id,
      address: before.address,
      name: line('name'),
      phone: line('phone'),
      company: line('company'),
      tags: wish.tags === undefined ? before.tags : trimTags(wish.tags, longest.tag, mostTags),
    };
    await writeContacts(tx, userId, 'hand', [contact], app.clock.nowMs());
    await app.feed.publish(tx, userId, contactsTopic);
  });
}
