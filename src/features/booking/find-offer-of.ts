import { findHost } from '#features/accounts/public.ts';
import type { App } from '#platform/app.ts';
import type { PublicType } from './find-public-type.ts';
import { notBookable } from './rules/slot-refusal.ts';
import type { Booking } from './store/bookings.ts';
import { findType } from './store/event-type-rows.ts';
import { findHandleOf } from './store/handles.ts';

/**
 * What a booking may be moved within: its event type, be it secret, hidden or paused by now.
 * *Errors*: AppError conflict (NOT_BOOKABLE) where it is gone.
 */
export async function findOfferOf(app: App, { eventTypeId, userId }: Booking): Promise<PublicType> {
  const type = eventTypeId === null ? null : await findType(app.db, eventTypeId);
  const host = await findHost(app.db, userId);
  if (type === null || host === null) throw notBookable('This is not offered any more. Nothing was moved.');
  const settings = { ...type.settings, paused: false };
  return { type: { ...type, settings }, host, handle: await findHandleOf(app.db, userId), link: null };
}
