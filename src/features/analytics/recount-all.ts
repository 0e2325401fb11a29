import type { BookingId } from '#kernel/ids.ts';
import { type Database, inTransaction } from '#platform/db.ts';
import { recountPerson } from './recount-person.ts';
import { listMiscounted, listUncounted } from './store/fact-rows.ts';
import { takeBooking } from './take-booking.ts';

export interface Recount {
  /** Bookings that were counted otherwise than they are. */
  bookings: number;
  people: number;
  /** Sums that were others than those of the facts. */
  sums: number;
}

const pageRows = 1_000;

/** Counts every booking anew and sums everybody's up: what is kept follows from the bookings alone. */
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
    for (const id of wrong) await inTransaction(db, (tx) => takeBooking(tx, id));
    bookings += wrong.length;
    if (last === null) break;
    after = last;
  }
  for (const userId of await listUncounted(db, { all: false })) await recountPerson(db, userId);
  return { bookings, people: people.length, sums };
}
