import { csvRow } from '#kernel/csv.ts';
import type { Database } from '#platform/db.ts';
import { listConfirmed } from './store/subscribers.ts';

const atOnce = 1_000;

/** The list of the operator as CSV: address, when it was confirmed, and the link that ends it. */
export async function listSubscribers(db: Database, publicUrl: string): Promise<string[]> {
  const rows = [csvRow(['email', 'confirmed', 'unsubscribe'])];
  for (let after = ''; ; ) {
    const some = await listConfirmed(db, after, atOnce);
    for (const { id, email, confirmedAt } of some)
      rows.push(csvRow([email, confirmedAt, `${publicUrl}/unsubscribe/${id}`]));
    const last = some.at(-1);
    if (last === undefined || some.length < atOnce) return rows;
    after = last.email;
  }
}
