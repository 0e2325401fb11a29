import { listUpdateReaders } from '#features/accounts/public.ts';
import { csvRow } from '#kernel/csv.ts';
import type { Database } from '#platform/db.ts';
import { listConfirmed } from './store/subscribers.ts';

const atOnce = 1_000;

/**
 * Everybody who wants news, as CSV: address, when it was confirmed, and the link that ends it. Subscribers of the landing
 * page first, then accounts that want product updates and have not subscribed.
 */
export async function listSubscribers(db: Database, publicUrl: string): Promise<string[]> {
  const rows = [csvRow(['email', 'confirmed', 'unsubscribe'])];
  const subscribed = new Set<string>();
  for await (const { id, email, confirmedAt } of pages((after) => listConfirmed(db, after, atOnce))) {
    subscribed.add(email);
    rows.push(csvRow([email, confirmedAt, `${publicUrl}/unsubscribe/${id}`]));
  }
  for await (const { email, confirmedAt } of pages((after) => listUpdateReaders(db, after, atOnce)))
    if (!subscribed.has(email)) rows.push(csvRow([email, confirmedAt, `${publicUrl}/profile`]));
  return rows;
}

async function* pages<Row extends { email: string }>(read: (after: string) => Promise<Row[]>): AsyncGenerator<Row> {
  for (let after = ''; ; ) {
    const some = await read(after);
    yield* some;
    const last = some.at(-1);
    if (last === undefined || some.length < atOnce) return;
    after = last.email;
  }
}
