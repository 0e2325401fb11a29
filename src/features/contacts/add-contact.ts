import { randomUUID } from 'node:crypto';
import type { Input } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { ContactId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { contactsContract } from './contract.ts';
import { contactsTopic } from './events.ts';
import { readAddress } from './rules/address.ts';
import { trimLine, trimTags } from './rules/contact-draft.ts';
import { longest, mostContacts, mostTags } from './rules/contact-limits.ts';
import { listKnown, lockRoom, markDue, writeContacts } from './store/contact-rows.ts';

/** *Errors*: AppError invalid (`BAD_ADDRESS`), conflict (`CONTACT_EXISTS`, `fields.id` says which; `TOO_MANY`). */
export function addContact(
  app: Pick<App, 'db' | 'clock' | 'feed'>,
  { userId }: Actor,
  body: Input<typeof contactsContract.addContact>['body'],
): Promise<{ id: ContactId }> {
  const address = readAddress(body.address);
  if (address === null)
    throw new AppError(
      'invalid',
      'BAD_ADDRESS',
      'This is no e-mail address. Nothing was added; write it as name@example.org.',
      {
        fields: { address: 'Expected an address such as name@example.org' },
      },
    );
  const typed = {
    name: trimLine(body.name, longest.name),
    phone: trimLine(body.phone, longest.phone),
    company: trimLine(body.company, longest.company),
    tags: trimTags(body.tags ?? [], longest.tag, mostTags),
  };
  return inTransaction(app.db, async (tx) => {
    const room = await lockRoom(tx, userId);
    const [known] = await listKnown(tx, userId, [address]);
    if (known !== undefined && !known.deleted)
      throw new AppError(
        'conflict',
        'CONTACT_EXISTS',
        'You have a contact with this address already. Nothing was added.',
        {
          fields: { id: known.id },
        },
      );
    if (known === undefined && room <= 0)
      throw new AppError(
        'conflict',
        'TOO_MANY',
        `There is room for ${mostContacts} contacts. Nothing was added; delete some you no longer need.`,
      );
    const before = known ?? { name: null, phone: null, company: null, tags: [] };
    const id = known?.id ?? (randomUUID() as ContactId);
    const contact = {
      id,
      address,
      name: typed.name ?? before.name,
      phone: typed.phone ?? before.phone,
      company: typed.company ?? before.company,
      tags: typed.tags.length > 0 ? typed.tags : before.tags,
    };
    await writeContacts(tx, userId, 'hand', [contact], app.clock.nowMs());
    await markDue(tx, userId, [address]);
    await app.feed.publish(tx, userId, contactsTopic);
    return { id };
  });
}
