import { findHost } from '#features/accounts/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { findBooked } from '../find-booked.ts';
import type { PublicType } from '../find-public-type.ts';
import type { Booked } from '../rules/booking-endpoints.ts';
import type { ShownHost } from '../rules/visit-data.ts';
import { showBooked } from '../show-booked.ts';
import type { Booking } from '../store/bookings.ts';
import { findType } from '../store/event-type-rows.ts';
import { findHandleOf } from '../store/handles.ts';
import { showHost } from './show-host.ts';
import { showNotice } from './show-notice.ts';

export interface VisitedBooking {
  /** `/booked/{token}` */
  path: string;
  token: string;
  booking: Booking;
  booked: Booked;
  host: ShownHost;
  /** What it was booked of, also while that is paused, hidden or secret; null once it is gone. */
  offer: PublicType | null;
}

/** The booking that an address leads to; a page that says so where it leads to none. */
export async function findVisitedBooking(app: App, call: PageCall): Promise<VisitedBooking | { answer: PageAnswer }> {
  const { token = '' } = call.params;
  try {
    const booking = await findBooked(app.db, token);
    const [booked, host, handle, type] = await Promise.all([
      showBooked(app, app.db, booking),
      findHost(app.db, booking.userId),
      findHandleOf(app.db, booking.userId),
      booking.eventTypeId === null ? null : findType(app.db, booking.eventTypeId),
    ]);
    return {
      path: `/booked/${token}`,
      token,
      booking,
      booked,
      host: host === null ? { name: booked.host, avatarUrl: null, path: null } : showHost({ host, handle }),
      offer: host === null || type === null ? null : { host, handle, type, link: null },
    };
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'not-found') throw error;
    return { answer: showNotice(call, 'gone', { status: 404 }) };
  }
}
