import type { App } from '#platform/app.ts';
import { shareLook } from '#platform/share-look.ts';
import { findOffer } from './find-offer.ts';
import type { PublicType } from './find-public-type.ts';
import { notBookable } from './rules/slot-refusal.ts';

/**
 * Finds the event type at an address if it can be booked now. *Errors*: AppError not-found, conflict (NOT_BOOKABLE).
 */
export async function findBookable(app: App, address: { handle: string; slug: string }): Promise<PublicType> {
  const { handle, slug } = address;
  const found = await shareLook(app, `offer ${handle}/${slug}`, () => findOffer(app, address));
  if (found.type.settings.paused) throw notBookable(`${found.host.name} isn't taking bookings right now.`);
  return found;
}
