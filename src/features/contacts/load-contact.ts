import { AppError } from '#kernel/errors.ts';
import type { ContactId, UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import { type Contact, lockContacts } from './store/contact-rows.ts';

export const noContact = () =>
  new AppError(
    'not-found',
    'NOT_FOUND',
    'There is no such contact. It may have been deleted or merged; reload the list.',
  );

/** A contact of theirs, which stays as it is until the transaction ends. *Errors*: AppError not-found. */
export async function loadContact(tx: Tx, userId: UserId, id: ContactId): Promise<Contact> {
  const [contact] = await lockContacts(tx, userId, [id]);
  if (contact === undefined) throw noContact();
  return contact;
}
