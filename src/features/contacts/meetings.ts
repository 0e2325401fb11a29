import { createHash } from 'node:crypto';
import { listHosts, loadOwner } from '#features/accounts/public.ts';
import { type BookingFacts, listBookingFacts } from '#features/booking/public.ts';
import { listLiveIds, listSearchable, listVersionsSince } from '#features/calendar/public.ts';
import { findCalendar, listAddressesOf, listCalendars } from '#features/connections/public.ts';
import { listTeammates } from '#features/teams/public.ts';
import type { BookingId, CalendarId, ItemId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type Database, inTransaction, type Tx } from '#platform/db.ts';
import type { ListenerApp } from '#platform/news.ts';
import { contactsTopic } from './events.ts';
import { attendanceEdition, attendancesOf, longest, readAddress } from './rules.ts';
import { addMetContacts, deleteFormerContacts, deleteOwn, fillPhone, markDue } from './store/contact-rows.ts';
import {
  deleteFormerGuests,
  deleteMissingItems,
  insertGuests,
  listRead,
  listUnread,
  replaceAttendances,
  storeHeldMeetings,
} from './store/meeting-rows.ts';

/** Versions compared at once, and events read in one transaction. */
const comparedAtOnce = 5_000;
const readAtOnce = 250;
const first = '00000000-0000-0000-0000-000000000000';

/**
 * Updates contacts from the events of a calendar. Versions are compared, so that it may run twice, late, or after a
 * crash. A deleted contact returns only with a new meeting that is not over.
 */
export async function readCalendar(
  app: Pick<App, 'db' | 'clock' | 'feed'>,
  calendarId: CalendarId,
  signal: AbortSignal,
): Promise<void> {
  const { db } = app;
  const calendar = await findCalendar(db, calendarId);
  if (calendar === null) return;
  const { userId } = calendar;
  const own = await listOwnAddresses(db, userId);
  const readBy = createHash('sha256')
    .update([...own].sort().join(' '))
    .digest('base64url')
    .slice(0, 8);
  const readVersion = (version: string) => `${attendanceEdition} ${readBy} ${version}`;
  for (let after = first; ; ) {
    const page = await listVersionsSince(db, calendarId, null, { after, limit: comparedAtOnce });
    const unread = await listUnread(
      db,
      page.map(({ id, version }) => ({ id, version: readVersion(version) })),
    );
    for (let start = 0; start < unread.length; start += readAtOnce) {
      signal.throwIfAborted();
      await readItems(unread.slice(start, start + readAtOnce));
    }
    const last = page.at(-1);
    if (last === undefined || page.length < comparedAtOnce) break;
    after = last.id;
  }
  await deleteGone(app, userId, calendarId);
  // the event of a booking that was handed over goes later than the booking
  await inTransaction(db, async (tx) => {
    if ((await deleteFormerContacts(tx, userId)) > 0) await app.feed.publish(tx, userId, contactsTopic);
  });

  async function readItems(ids: ItemId[]): Promise<void> {
    const nowMs = app.clock.nowMs();
    await inTransaction(db, async (tx) => {
      const items = (await listSearchable(tx, ids)).map(({ id, version, body, endsMs }) => ({
        id,
        version: readVersion(version),
        endsMs,
        people: attendancesOf(body, own),
      }));
      if (items.length === 0) return;
      const before = await replaceAttendances(tx, userId, calendarId, items);
      const known = new Set(before.map(({ itemId, address }) => `${itemId} ${address}`));
      const met = new Map<string, { address: string; name: string | null; isNew: boolean }>();
      for (const { id, endsMs, people } of items) {
        for (const { address, name } of people) {
          const isNew = !known.has(`${id} ${address}`) && (endsMs === null || endsMs > nowMs);
          const one = met.get(address);
          met.set(address, { address, name: one?.name ?? name, isNew: isNew || (one?.isNew ?? false) });
        }
      }
      await addMetContacts(tx, userId, 'calendar', [...met.values()], nowMs);
      await markDue(tx, userId, [...new Set(before.map(({ address }) => address))].sort());
      if (met.size + before.length > 0) await app.feed.publish(tx, userId, contactsTopic);
    });
  }
}

async function deleteGone(
  app: Pick<App, 'db' | 'feed'>,
  userId: Parameters<typeof deleteMissingItems>[1],
  calendarId: CalendarId,
): Promise<void> {
  for (let after: string = first; ; ) {
    const page = await listRead(app.db, calendarId, { after, limit: comparedAtOnce });
    const live = await listLiveIds(app.db, page);
    const gone = page.filter((id) => !live.has(id));
    if (gone.length > 0) {
      await inTransaction(app.db, async (tx) => {
        const addresses = await deleteMissingItems(tx, userId, gone);
        await markDue(tx, userId, addresses.sort());
        await app.feed.publish(tx, userId, contactsTopic);
      });
    }
    const last = page.at(-1);
    if (last === undefined || page.length < comparedAtOnce) return;
    after = last;
  }
}

/**
 * Adds the guests of a confirmed booking as contacts of its hosts, in its transaction. Every other change recounts their
 * figures. The contacts of a reassigned booking belong to the new host.
 */
export async function followBooking(app: ListenerApp, tx: Tx, heard: { bookingId: string }): Promise<void> {
  const bookingId = heard.bookingId as BookingId;
  const facts = (await listBookingFacts(app, tx, [bookingId])).get(bookingId);
  if (facts === undefined) return;
  const former = await deleteFormerGuests(tx, facts.hostIds, bookingId);
  for (const [formerId, theirs] of Map.groupBy(former, (one) => one.userId)) {
    const addresses = theirs.map(({ address }) => address).sort();
    await deleteFormerContacts(tx, formerId);
    await markDue(tx, formerId, addresses);
    await app.feed.publish(tx, formerId, contactsTopic);
  }
  for (const hostId of facts.hostIds.toSorted()) await followForHost(app, tx, hostId, facts);
}

async function followForHost(app: ListenerApp, tx: Tx, userId: UserId, facts: BookingFacts): Promise<void> {
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
    const fresh = await insertGuests(tx, userId, facts.id, addresses);
    const met = addresses.map((address) => ({ address, name: people.get(address) ?? null, isNew: fresh.has(address) }));
    await addMetContacts(tx, userId, 'booking', met, app.clock.nowMs());
    const address = readAddress(facts.guest.email ?? '');
    const phone = facts.guest.phone?.slice(0, longest.phone) ?? '';
    if (address !== null && phone !== '' && people.has(address)) await fillPhone(tx, userId, address, phone);
  } else {
    await markDue(tx, userId, addresses);
  }
  await app.feed.publish(tx, userId, contactsTopic);
}

/** The calendar keeps instances for ninety days: well before, what was held is written down. */
const heldAfterMs = 60 * 86_400_000;

/** Everything of a person's contacts, whatever was heard of it. */
export async function repairContacts(
  app: Pick<App, 'db' | 'clock' | 'feed'>,
  userId: UserId,
  signal: AbortSignal,
): Promise<void> {
  for (const { id } of await listCalendars(app.db, userId)) await readCalendar(app, id, signal);
  const own = await listOwnAddresses(app.db, userId);
  await inTransaction(app.db, async (tx) => {
    await storeHeldMeetings(tx, userId, app.clock.nowMs() - heldAfterMs);
    await deleteOwn(tx, userId, [...own]);
    // a deleted user has no contacts, so nothing is published
    if ((await markDue(tx, userId, null)) > 0) await app.feed.publish(tx, userId, contactsTopic);
  });
}

/** A person's own addresses and those of whom they are in teams with: no contacts of theirs. In lower case. */
export async function listOwnAddresses(db: Database, userId: UserId): Promise<Set<string>> {
  const mates = await listTeammates(db, userId);
  const people = [...new Set([userId, ...mates.map((one) => one.userId)])];
  const [owner, hosts, addresses] = await Promise.all([
    loadOwner(db, userId),
    listHosts(db, people),
    listAddressesOf(db, people),
  ]);
  return new Set([
    owner.email.toLowerCase(),
    ...[...hosts.values()].map(({ email }) => email.toLowerCase()),
    ...addresses,
  ]);
}
