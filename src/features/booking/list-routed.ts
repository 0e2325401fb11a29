import type { BookingLinkId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { linkPlace, linkUrl } from './rules/booking-address.ts';
import { listOpenRouted, listRoutedBookings, type RoutedBooking } from './store/routed-links.ts';

/** What became of links that a form made: the address of each that is open, and what was booked at it. Two queries. */
export async function listRouted(
  { db, clock, config, keyring }: Pick<App, 'db' | 'clock' | 'config' | 'keyring'>,
  ids: readonly BookingLinkId[],
): Promise<{ urls: Map<BookingLinkId, string>; bookings: Map<BookingLinkId, RoutedBooking> }> {
  const [open, booked] = await Promise.all([listOpenRouted(db, ids, clock.nowMs()), listRoutedBookings(db, ids)]);
  return {
    urls: new Map(open.map(({ id, token }) => [id, linkUrl(config.publicUrl, keyring.open(token, linkPlace(id)))])),
    bookings: new Map(booked.map((one) => [one.linkId, one])),
  };
}
