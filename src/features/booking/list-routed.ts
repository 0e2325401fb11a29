import type { BookingLinkId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { linkPlace, linkUrl } from './rules/booking-address.ts';
import { listOpenRouted, listRoutedBookings, type RoutedBooking } from './store/routed-links.ts';

/** Returns the results of links from routing forms: the address of each open link, and its booking. Two queries. */
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
