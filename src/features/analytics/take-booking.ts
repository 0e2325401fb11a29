import type { BookingId, UserId } from '#kernel/ids.ts';
import { loadZone } from '#kernel/time/zones.ts';
import type { Tx } from '#platform/db.ts';
import type { BookingFact } from './rules/count-booking.ts';
import { differenceByDay } from './rules/day-sums.ts';
import { type HostFact, readCounted, writeCounted } from './store/fact-rows.ts';

/**
 * Counts a booking as it is now, and no more as it was; two statements. Answers with those of its hosts whose bookings have
 * to be counted anew.
 */
export async function takeBooking(tx: Tx, bookingId: BookingId): Promise<UserId[]> {
  const counted = await readCounted(tx, bookingId);
  const { now, kept, zones } = counted;
  if (now.length === 0 && kept.length === 0) return [];
  const changes = zones.flatMap(({ userId, zone: name }) => {
    const zone = loadZone(name);
    if (zone === null) return []; // nobody has summed up theirs yet
    const of = (facts: readonly HostFact[]) => toFact(facts.find(({ hostId }) => hostId === userId));
    return differenceByDay(of(kept), of(now), zone).map((change) => ({ hostId: userId, zone: name, ...change }));
  });
  return writeCounted(tx, bookingId, counted, changes);
}

function toFact(fact: HostFact | undefined): BookingFact | null {
  return fact === undefined ? null : { ...fact, hostIds: [fact.hostId] };
}
