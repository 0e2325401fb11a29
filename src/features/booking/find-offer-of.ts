import type { App } from '#platform/app.ts';
import type { PublicType } from './find-public-type.ts';
import { joinHosts } from './join-hosts.ts';
import { narrowType } from './rules/narrow-type.ts';
import { notBookable } from './rules/slot-refusal.ts';
import type { Booking } from './store/bookings.ts';
import { findType } from './store/event-type-rows.ts';
import { findHandleOfType } from './store/handles.ts';
import { findRouted } from './store/routed-links.ts';

/**
 * Finds the event type within which a host may move a booking, with the hosts chosen by routing. Secret, hidden and
 * paused types count, too. *Errors*: AppError conflict (NOT_BOOKABLE) if it was deleted.
 */
export async function findOfferOf(app: App, { eventTypeId, linkId }: Booking): Promise<PublicType> {
  const [type, routed] = await Promise.all([
    eventTypeId === null ? null : findType(app.db, eventTypeId),
    linkId === null ? null : findRouted(app.db, linkId),
  ]);
  const offer =
    type === null
      ? null
      : await joinHosts(app.db, narrowType({ ...type, settings: { ...type.settings, paused: false } }, routed), {
          handle: await findHandleOfType(app.db, type.id),
          link: null,
        });
  if (offer === null) throw notBookable('This time is no longer available. Nothing was changed.');
  return offer;
}
