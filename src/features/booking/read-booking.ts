import type { Output } from '#kernel/contract.ts';
import type { BookingId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Database } from '#platform/db.ts';
import { findOwnBooking, ownDates } from './find-own-booking.ts';
import { listHistory } from './list-history.ts';
import { readChanged } from './read-changed.ts';
import type { bookingEndpoints } from './rules/booking-endpoints.ts';
import { laterOf } from './rules/change-window.ts';
import { type Booking, listSeries } from './store/bookings.ts';

type Read = Output<typeof bookingEndpoints.readBooking>;

/** One booking as its host sees it, its history, and the dates of its series. *Errors*: AppError not-found. */
export async function readBooking(app: App, { userId }: { userId: UserId }, id: BookingId): Promise<Read> {
  const found = await findOwnBooking(app.db, userId, id, 'see-bookings');
  const [booking, history, series] = await Promise.all([
    readChanged(app, found),
    listHistory(app, id),
    readSeries(app.db, userId, found),
  ]);
  return { booking, history, series };
}

async function readSeries(db: Database, userId: UserId, { id, seriesId }: Booking): Promise<Read['series']> {
  if (seriesId === null) return null;
  const series = await listSeries(db, seriesId);
  const later = await ownDates(db, userId, laterOf(series, { id }));
  return {
    count: series.length,
    number: series.findIndex((one) => one.id === id) + 1,
    later: later.map((one) => ({ booking_id: one.id, start_time: one.startMs, end_time: one.endMs })),
  };
}
