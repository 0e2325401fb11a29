import { sql } from 'kysely';
import type { Keyring } from './crypto.ts';
import { type Database, inTransaction } from './db.ts';

/** A column that holds sealed secrets: its comment in the migration says `@sealed`. */
export interface SealedColumn {
  schema: string;
  table: string;
  column: string;
  /** The primary key, of one column; as text it is the `row` of the seal's place. */
  key: string;
}

export interface Resealed {
  table: string;
  column: string;
  /** Number of values that this run sealed again. */
  changed: number;
  /** All sealed values of the column. */
  total: number;
}

/** Every sealed column of the database. *Errors*: Error for one whose table has no primary key of one column. */
export async function listSealedColumns(db: Database): Promise<SealedColumn[]> {
  const { rows } = await sql<SealedColumn & { keys: string[] }>`
    select n.nspname as schema, c.relname as "table", a.attname as "column",
      array(select k.attname::text from pg_index i join pg_attribute k on k.attrelid = c.oid and k.attnum = any(i.indkey)
        where i.indrelid = c.oid and i.indisprimary) as keys
    from pg_description d
      join pg_class c on c.oid = d.objoid and d.classoid = 'pg_class'::regclass
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum = d.objsubid
    where d.description ~ '@sealed' order by 1, 2, 3`.execute(db);
  return rows.map(({ keys, ...column }) => {
    const [key] = keys;
    if (key === undefined || keys.length > 1) throw new Error(`${column.schema}.${column.table} needs one primary key`);
    return { ...column, key };
  });
}

/**
 * Seals with the current key whatever an older one sealed, in small transactions; may be stopped and run again at any
 * point, and beside a running product whose keyring has both keys.
 * *Errors*: SealError for a value that no key of the ring opens; what was done before stays done.
 */
export async function resealAll(db: Database, keyring: Keyring, batch = 200): Promise<Resealed[]> {
  const results: Resealed[] = [];
  for (const column of await listSealedColumns(db)) {
    let changed = 0;
    for (let done = batch; done === batch; changed += done) done = await resealBatch(db, keyring, column, batch);
    const table = sql.table(`${column.schema}.${column.table}`);
    const { rows } = await sql<{ n: number }>`select count(${sql.ref(column.column)}) as n from ${table}`.execute(db);
    results.push({ table: `${column.schema}.${column.table}`, column: column.column, changed, total: rows[0]?.n ?? 0 });
  }
  return results;
}

function resealBatch(db: Database, keyring: Keyring, column: SealedColumn, batch: number): Promise<number> {
  const name = `${column.schema}.${column.table}`;
  const [table, key, value] = [sql.table(name), sql.ref(column.key), sql.ref(column.column)];
  return inTransaction(db, async (tx) => {
    // Locked, so that a new password that somebody enters meanwhile is not overwritten with the old one.
    const { rows } = await sql<{ row: string; sealed: string }>`
      select ${key}::text as "row", ${value} as sealed from ${table}
      where ${value} is not null and not starts_with(${value}, ${`v1.${keyring.currentKeyName}.`})
      order by ${key} limit ${batch} for update`.execute(tx);
    for (const { row, sealed } of rows) {
      const place = { table: name, row, column: column.column };
      const anew = keyring.seal(keyring.open(sealed, place), place);
      await sql`update ${table} set ${value} = ${anew} where ${key}::text = ${row}`.execute(tx);
    }
    return rows.length;
  });
}
