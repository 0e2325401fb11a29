import { sql } from 'kysely';
import type { Database } from '#platform/db.ts';

export interface PushKey {
  publicKey: string;
  /** Sealed where it is stored. */
  privateKey: string;
}

/** The key of this install: this one, where it has none yet. */
export async function findOrInsertKey(db: Database, candidate: PushKey): Promise<PushKey> {
  const { rows } = await sql<PushKey>`
    with made as (
      insert into inbox.push_key (public_key, private_key) values (${candidate.publicKey}, ${candidate.privateKey})
      on conflict do nothing returning public_key, private_key)
    select public_key as "publicKey", private_key as "privateKey" from made
    union all select public_key, private_key from inbox.push_key limit 1`.execute(db);
  const [found] = rows;
  // whoever came first has committed since this statement began
  return found ?? findOrInsertKey(db, candidate);
}
