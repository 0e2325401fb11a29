import { loadOwnerZone } from '#features/accounts/public.ts';
import type { BookingId, UserId } from '#kernel/ids.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import { type Database, inTransaction } from '#platform/db.ts';
import { addCounts, type Counts, measures, none } from './rules/count-booking.ts';
import { sumByDay } from './rules/day-sums.ts';
import { findDaySums, findKeptZone, listHostFacts, lockSums, replaceSums } from './store/fact-rows.ts';

const pageRows = 2_000;
const everyDay = { firstDay: -25_567, endDay: 60_000 };

/**
 * Sums up a person's bookings anew, by the days of the zone they live in now. Answers with how many of the sums that were
 * kept by the same days were others; null where none were.
 */
export function recountPerson(db: Database, userId: UserId): Promise<number | null> {
  return inTransaction(db, async (tx) => {
    await lockSums(tx, userId);
    const name = await loadOwnerZone(tx, userId);
    const zone = loadZone(name) ?? utc;
    const sums = new Map<number, Counts>();
    for (let after: BookingId | null = null; ; ) {
      const page = await listHostFacts(tx, userId, { after, limit: pageRows });
      const facts = page.map((fact) => ({ ...fact, hostIds: [userId] }));
      for (const [day, counts] of sumByDay(facts, zone, everyDay)) {
        const sum = sums.get(day) ?? { ...none };
        addCounts(sum, counts);
        sums.set(day, sum);
      }
      after = page.at(-1)?.id ?? null;
      if (page.length < pageRows) break;
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
