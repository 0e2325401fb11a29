import type { App } from '#platform/app.ts';
import type { BookedDates } from './rules/booked-shape.ts';
import { bookingTokenPlace } from './rules/booking-address.ts';
import { type Booking, listSeries } from './store/bookings.ts';

/** All dates that were booked together with a booking, as their guest sees them; empty where it was booked alone. */
export async function listDates(
  { db, keyring }: Pick<App, 'db' | 'keyring'>,
  { seriesId }: Booking,
): Promise<BookedDates> {
  const series = seriesId === null ? [] : await listSeries(db, seriesId);
  return series.flatMap(({ id, uid, state, startMs, endMs, token }) =>
    token === null
      ? []
      : [
          {
            uid,
            start: startMs / 60_000,
            duration: (endMs - startMs) / 60_000,
            state,
            token: keyring.open(token, bookingTokenPlace(id)),
          },
        ],
  );
}
