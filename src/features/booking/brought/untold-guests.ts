import type { BookingId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { listUnreached } from '#platform/mail-troubles.ts';
import { listMailSubjects, listWithheld } from '../store/lapsed-invitations.ts';

export interface Bringing {
  id: BookingId;
  guests: readonly string[];
}

/** Keys of mails to guests who were brought along, without reminders: who misses one has the invitation. */
const form = { like: 'booking.%:invited %', unlike: 'booking.reminder:%' };

/**
 * Brought guests of these bookings whom no mail could invite, or tell of the last change: the mail was withheld, or a mail
 * server refused it for good.
 */
export async function listUntoldOf(
  db: Database,
  bookings: readonly Bringing[],
): Promise<ReadonlyMap<BookingId, readonly string[]>> {
  const bringing = bookings.filter(({ guests }) => guests.length > 0);
  if (bringing.length === 0) return new Map();
  const ids = bringing.map(({ id }) => id);
  const readers = [...new Set(bringing.flatMap(({ guests }) => guests))];
  const withheld = await listWithheld(db, ids);
  const unreached = await listUnreached(db, await listMailSubjects(db, ids), { readers, ...form });
  const isUnreached = new Set(unreached.map(({ group, to }) => `${group} ${to}`));
  const isUntold = (id: BookingId, address: string) =>
    withheld.get(id)?.has(address) === true || isUnreached.has(`${id} ${address}`);
  return new Map(bringing.map(({ id, guests }) => [id, guests.filter((one) => isUntold(id, one.toLowerCase()))]));
}

/** The same of one. */
export const listUntold = async (db: Database, booking: Bringing): Promise<readonly string[]> =>
  (await listUntoldOf(db, [booking])).get(booking.id) ?? [];
