import { sql } from 'kysely';
import { type Keyring, SealError } from '#platform/crypto.ts';
import type { Database } from '#platform/db.ts';
import { listSealedColumns } from '#platform/reseal.ts';

/** Opens every stored secret and forgets it: how many there are, how many do not open, how many an older key sealed. */
export async function unsealAll(
  db: Database,
  keyring: Keyring,
): Promise<{ total: number; unreadable: number; old: number }> {
  const found = { total: 0, unreadable: 0, old: 0 };
  for (const { schema, table, column, key } of await listSealedColumns(db)) {
    const name = `${schema}.${table}`;
    const { rows } = await sql<{ row: string; sealed: string }>`
      select ${sql.ref(key)}::text as "row", ${sql.ref(column)} as sealed from ${sql.table(name)}
      where ${sql.ref(column)} is not null`.execute(db);
    for (const { row, sealed } of rows) {
      found.total += 1;
      if (!keyring.isCurrent(sealed)) found.old += 1;
      try {
        keyring.open(sealed, { table: name, row, column });
      } catch (error) {
        if (!(error instanceof SealError)) throw error;
        found.unreadable += 1;
      }
    }
  }
  return found;
}
