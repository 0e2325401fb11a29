import type { App } from '#platform/app.ts';
import { bookingTokenPlace } from '../rules/booking-address.ts';
import { laterOf } from '../rules/change-window.ts';
import { shownFormerTime } from '../rules/moving.ts';
import type { BookedData, BookedDate } from '../rules/visit-data.ts';
import { type Booking, listSeries, type SeriesBooking } from '../store/bookings.ts';
import { findKnown } from '../store/told-bookings.ts';

/** The dates that were booked together with a booking, in order, each with its own page; null where it was booked alone. */
export async function showSeries(
  app: Pick<App, 'db' | 'keyring' | 'clock'>,
  booking: Booking,
): Promise<BookedData['series']> {
  if (booking.seriesId === null) return null;
  const nowMs = app.clock.nowMs();
  const series = await listSeries(app.db, booking.seriesId);
  const known = await findKnown(
    app.db,
    series.map(({ id }) => id),
  );
  const dates = series.flatMap((one): BookedDate[] => {
    const { id, token, startMs, seriesStartMs } = one;
    if (token === null) return [];
    const told = known.get(id);
    // a date that was moved before any mail about it is known from the page of the booking
    const formerMs = told === undefined ? seriesStartMs : shownFormerTime(told, startMs)?.startMs;
    return [
      {
        startMinute: startMs / 60_000,
        beforeMinute: formerMs == null || formerMs === startMs ? null : formerMs / 60_000,
        state: stateOf(one, nowMs),
        path: id === booking.id ? null : `/booked/${app.keyring.open(token, bookingTokenPlace(id))}`,
      },
    ];
  });
  const leftOut = (series[0]?.leftOutMs ?? []).map(
    (startMs): BookedDate => ({ startMinute: startMs / 60_000, beforeMinute: null, state: 'left-out', path: null }),
  );
  const at = series.findIndex(({ id }) => id === booking.id);
  const all = [...dates, ...leftOut].toSorted((one, other) => one.startMinute - other.startMinute);
  return { count: series.length, number: at + 1, dates: all, later: laterOf(series, booking).length > 0 };
}

function stateOf({ state, endMs, expiresMs }: SeriesBooking, nowMs: number): BookedDate['state'] {
  if (state === 'confirmed') return endMs <= nowMs ? 'over' : 'upcoming';
  if (state === 'held' || (state === 'awaiting-mail' && (expiresMs ?? 0) <= nowMs)) return 'expired';
  return state;
}
