import type { App } from '#platform/app.ts';
import type { PublicType } from './find-public-type.ts';
import { joinHosts } from './join-hosts.ts';
import { notBookable } from './rules/slot-refusal.ts';
import type { Booking } from './store/bookings.ts';
import { findType } from './store/event-type-rows.ts';
import { findHandleOfType } from './store/handles.ts';

/**
 * What a booking may be moved within: its event type, be it secret, hidden or paused by now.
 * *Errors*: AppError conflict (NOT_BOOKABLE) where it is gone.
 */
export async function findOfferOf(app: App, { eventTypeId }: Booking): Promise<PublicType> {
  const type = eventTypeId === null ? null : await findType(app.db, eventTypeId);
  const offer =
    type === null
      ? null
      : await joinHosts(
          app.db,
          { ...type, settings: { ...type.settings, paused: false } },
          { handle: await findHandleOfType(app.db, type.id), link: null },
        );
  if (offer === null) throw notBookable('This is not offered any more. Nothing was moved.');
  return offer;
}
