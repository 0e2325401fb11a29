import { loadOwnerZone } from '#features/accounts/public.ts';
import type { BookingId, UserId } from '#kernel/ids.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import { type Database, inTransaction, type Tx } from '#platform/db.ts';
import { addCounts, type BookingFact, type Counts, measures, none } from './rules/count-booking.ts';
import { differenceByDay, sumByDay } from './rules/day-sums.ts';
import {
  findDaySums,
  findKeptZone,
  type HostFact,
  listHostFacts,
  listMiscounted,
  listUncounted,
  lockSums,
  readCounted,
  replaceSums,
  writeCounted,
} from './store/fact-rows.ts';

/**
 * Counts a booking as it is now, and no more as it was; two statements. Returns the hosts whose bookings must be
 * recounted.
 */
export async function recountBooking(tx: Tx, bookingId: BookingId): Promise<UserId[]> {
  const counted = await readCounted(tx, bookingId);
  const { now, kept, zones } = counted;
  if (now.length === 0 && kept.length === 0) return [];
  const changes = zones.flatMap(({ userId, zone: name }) => {
    const zone = loadZone(name);
    if (zone === null) return []; // sums of this host do not exist yet
    const of = (facts: readonly HostFact[]) => toFact(facts.find(({ hostId }) => hostId === userId));
    return differenceByDay(of(kept), of(now), zone).map((change) => ({ hostId: userId, zone: name, ...change }));
  });
  return writeCounted(tx, bookingId, counted, changes);
}

function toFact(fact: HostFact | undefined): BookingFact | null {
  return fact === undefined ? null : { ...fact, hostIds: [fact.hostId] };
}

const personRows = 2_000;
const everyDay = { firstDay: -25_567, endDay: 60_000 };

/**
 * Recomputes a person's sums by the days of the current zone. Returns how many sums for the same days differed; null
 * without any.
 */
export function recountPerson(db: Database, userId: UserId): Promise<number | null> {
  return inTransaction(db, async (tx) => {
    await lockSums(tx, userId);
    const name = await loadOwnerZone(tx, userId);
    const zone = loadZone(name) ?? utc;
    const sums = new Map<number, Counts>();
    for (let after: BookingId | null = null; ; ) {
      const page = await listHostFacts(tx, userId, { after, limit: personRows });
      const facts = page.map((fact) => ({ ...fact, hostIds: [userId] }));
      for (const [day, counts] of sumByDay(facts, zone, everyDay)) {
        const sum = sums.get(day) ?? { ...none };
        addCounts(sum, counts);
        sums.set(day, sum);
      }
      after = page.at(-1)?.id ?? null;
      if (page.length < personRows) break;
    }
    const kept = (await findKeptZone(tx, userId)) === name ? await findDaySums(tx, userId, name, everyDay) : null;
    await replaceSums(tx, userId, name, sums);
    return kept === null ? null : countDifferences(kept, sums);
  });
}

function countDifferences(kept: ReadonlyMap<number, Counts>, anew: ReadonlyMap<number, Counts>): number {
  const days = [...new Set([...kept.keys(), ...anew.keys()])];
  return days.reduce((all, day) => {
    const [one, other] = [kept.get(day) ?? none, anew.get(day) ?? none];
    return all + measures.filter((name) => one[name] !== other[name]).length;
  }, 0);
}

interface Recount {
  /** Bookings that were counted otherwise than they are. */
  bookings: number;
  people: number;
  /** Sums that were others than those of the facts. */
  sums: number;
}

const pageRows = 1_000;

/** Recounts every booking and all sums: they follow from the bookings alone. */
export async function recountAll(db: Database): Promise<Recount> {
  const people = await listUncounted(db, { all: true });
  // before what is missing is taken, so that a wrong sum is not put right by chance
  let sums = 0;
  for (const userId of people) sums += (await recountPerson(db, userId)) ?? 0;
  let bookings = 0;
  for (let after: BookingId | null = null; ; ) {
    const { wrong, last }: Awaited<ReturnType<typeof listMiscounted>> = await listMiscounted(db, {
      after,
      limit: pageRows,
    });
    for (const id of wrong) await inTransaction(db, (tx) => recountBooking(tx, id));
    bookings += wrong.length;
    if (last === null) break;
    after = last;
  }
  for (const userId of await listUncounted(db, { all: false })) await recountPerson(db, userId);
  return { bookings, people: people.length, sums };
}
