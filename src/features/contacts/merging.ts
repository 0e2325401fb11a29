import { AppError } from '#kernel/errors.ts';
import type { ContactId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { noContact } from './contacts.ts';
import { contactsTopic } from './events.ts';
import { fillIn } from './files/rules.ts';
import {
  findBrought,
  lockContacts,
  markDue,
  moveAddresses,
  splitAddresses,
  writeContacts,
} from './store/contact-rows.ts';
import { insertStrangers } from './store/note-rows.ts';

type MergeApp = Pick<App, 'db' | 'clock' | 'feed'>;

/** The other one is this person too: what this one lacks comes from there. *Errors*: AppError not-found, invalid (`SAME_CONTACT`). */
export function mergeContacts(
  app: MergeApp,
  { userId }: Actor,
  id: ContactId,
  otherId: ContactId,
): Promise<{ moved: ContactId[] }> {
  if (id === otherId) throw new AppError('invalid', 'SAME_CONTACT', 'Choose two different contacts to merge.');
  return inTransaction(app.db, async (tx) => {
    const both = await lockContacts(tx, userId, [id, otherId]);
    const kept = both.find((one) => one.id === id);
    const other = both.find((one) => one.id === otherId);
    if (kept === undefined || other === undefined) throw noContact();
    const merged = fillIn(kept, other);
    const brought = {
      ...Object.fromEntries(
        (['name', 'phone', 'company'] as const)
          .filter((field) => kept[field] === null && merged[field] !== null)
          .map((field) => [field, merged[field]]),
      ),
      tags: merged.tags.filter((tag) => !kept.tags.includes(tag)),
    };
    const moved = await moveAddresses(tx, otherId, id, brought);
    await writeContacts(
      tx,
      userId,
      'hand',
      [{ ...merged, tags: [...merged.tags], id, address: kept.address }],
      app.clock.nowMs(),
    );
    await markDue(tx, userId, [kept.address]);
    await app.feed.publish(tx, userId, contactsTopic);
    return { moved };
  });
}

/** Splits these addresses off as a separate person, with the data that they brought. *Errors*: AppError not-found. */
export function splitContact(
  app: MergeApp,
  { userId }: Actor,
  id: ContactId,
  ids: readonly ContactId[],
): Promise<void> {
  return inTransaction(app.db, async (tx) => {
    const [kept] = await lockContacts(tx, userId, [id]);
    const [head] = ids;
    const brought = kept === undefined || head === undefined ? null : await findBrought(tx, id, head);
    if (kept === undefined || head === undefined || brought === null) throw noContact();
    // values that were entered since the merge stay
    const left = (field: 'name' | 'phone' | 'company') => (kept[field] === brought[field] ? null : kept[field]);
    const contact = {
      id,
      address: kept.address,
      name: left('name'),
      phone: left('phone'),
      company: left('company'),
      tags: kept.tags.filter((tag) => !(brought.tags ?? []).includes(tag)),
    };
    await writeContacts(tx, userId, 'hand', [contact], app.clock.nowMs());
    await splitAddresses(tx, id, head, ids);
    await markDue(tx, userId, [kept.address]);
    await app.feed.publish(tx, userId, contactsTopic);
  });
}

/** Two that look alike are two: not suggested again. *Errors*: AppError not-found. */
export function keepApart(app: MergeApp, { userId }: Actor, id: ContactId, otherId: ContactId): Promise<void> {
  return inTransaction(app.db, async (tx) => {
    if ((await lockContacts(tx, userId, [id, otherId])).length < 2) throw noContact();
    await insertStrangers(tx, id, otherId);
    await app.feed.publish(tx, userId, contactsTopic);
  });
}
