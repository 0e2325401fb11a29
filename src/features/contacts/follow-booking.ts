import { listBookingFacts } from '#features/booking/public.ts';
import type { BookingId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import type { ListenerApp } from '#platform/news.ts';
import { contactsTopic } from './events.ts';
import { listOwnAddresses } from './list-own-addresses.ts';
import { readAddress } from './rules/address.ts';
import { longest } from './rules/contact-limits.ts';
import { fillPhone, keepMet, markDue } from './store/contact-rows.ts';
import { dropFormerGuests, insertGuests } from './store/meeting-rows.ts';

/**
 * Whoever books is a contact once the booking stands, in the transaction of that; whatever else happens to it, their
 * numbers are counted again. A booking that was given to another host is theirs.
 */
export async function followBooking(app: ListenerApp, tx: Tx, heard: { bookingId: string }): Promise<void> {
  const bookingId = heard.bookingId as BookingId;
  const facts = (await listBookingFacts(app, tx, [bookingId])).get(bookingId);
  if (facts === undefined) return;
  const { userId } = facts;
  const former = await dropFormerGuests(tx, userId, bookingId);
  for (const [formerId, theirs] of Map.groupBy(former, (one) => one.userId)) {
    await markDue(tx, formerId, theirs.map(({ address }) => address).sort());
    await app.feed.publish(tx, formerId, contactsTopic);
  }
  const own = await listOwnAddresses(tx, userId);
  const people = new Map<string, string | null>();
  for (const [email, name] of [
    [facts.guest.email, facts.guest.name],
    ...facts.guests.map((one) => [one, null]),
  ] as const) {
    const address = readAddress(email ?? '');
    if (address !== null && !own.has(address) && !people.has(address)) people.set(address, name ?? null);
  }
  if (people.size === 0) return;
  const addresses = [...people.keys()].sort();
  if (facts.state === 'confirmed') {
    const fresh = await insertGuests(tx, userId, bookingId, addresses);
    const met = addresses.map((address) => ({ address, name: people.get(address) ?? null, isNew: fresh.has(address) }));
    await keepMet(tx, userId, 'booking', met, app.clock.nowMs());
    const address = readAddress(facts.guest.email ?? '');
    const phone = facts.guest.phone?.slice(0, longest.phone) ?? '';
    if (address !== null && phone !== '' && people.has(address)) await fillPhone(tx, userId, address, phone);
  } else {
    await markDue(tx, userId, addresses);
  }
  await app.feed.publish(tx, userId, contactsTopic);
}
