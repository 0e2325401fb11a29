import type { App } from '#platform/app.ts';
import { findOfferOf } from './find-offer-of.ts';
import type { PublicType } from './find-public-type.ts';
import { isMovable } from './is-movable.ts';
import { notBookable } from './rules/slot-refusal.ts';
import type { Booking } from './store/bookings.ts';
import { findType } from './store/event-type-rows.ts';

/**
 * The offer within which a guest may move a booking.
 * *Errors*: AppError conflict (NOT_BOOKABLE) where its event type is gone, or paused and its host asked for no other time.
 */
export async function findOfferForGuest(app: App, booking: Booking): Promise<PublicType> {
  const type = booking.eventTypeId === null ? null : await findType(app.db, booking.eventTypeId);
  if (type !== null && !(await isMovable(app.db, booking, type)))
    throw notBookable("This booking can't be rescheduled right now. Nothing was changed.");
  return findOfferOf(app, booking);
}
