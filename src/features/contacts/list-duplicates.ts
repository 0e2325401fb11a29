import type { Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { contactsContract } from './contract.ts';
import { findPairs } from './store/find-contacts.ts';
import { countDue } from './store/meeting-rows.ts';

const mostPairs = 20;

/** Contacts that may be one person. */
export async function listDuplicates(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { userId }: Actor,
): Promise<Output<typeof contactsContract.listDuplicates>> {
  await countDue(db, userId, clock.nowMs());
  const pairs = await findPairs(db, userId, mostPairs);
  return {
    pairs: pairs.map((pair) => ({
      why: pair.why,
      keep: { id: pair.keepId, name: pair.keepName, address: pair.keepAddress },
      other: { id: pair.otherId, name: pair.otherName, address: pair.otherAddress },
    })),
  };
}
