import { sql } from 'kysely';
import { hashToken } from './crypto.ts';
import type { Database } from './db.ts';

/** Longer than any note of ours lives in a browser. */
const keptSeconds = 1_200;

/** Counts the use of something random that a browser's note holds; false where it was used before. */
export async function spendOnce(db: Database, secret: string): Promise<boolean> {
  await sql`delete from platform.spent where expires_at < now()`.execute(db);
  const { rows } = await sql`
    insert into platform.spent (hash, expires_at)
    values (${hashToken(secret)}, now() + make_interval(secs => ${keptSeconds}))
    on conflict do nothing returning hash`.execute(db);
  return rows.length > 0;
}
