import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { findOffer } from './find-offer.ts';
import { settleBlocks } from './store/appointments.ts';
import { deleteHold } from './store/bookings.ts';

/** Gives what is held back, also while its event type is paused; what is not held (any more) is none of anybody's business. */
export async function releaseHold(app: App, address: { handle: string; slug: string }, holdId: string): Promise<void> {
  const offer = await findOffer(app, address);
  await inTransaction(app.db, async (tx) => {
    for (const left of await deleteHold(tx, holdId, offer.type.id)) await settleBlocks(tx, left);
  });
}
