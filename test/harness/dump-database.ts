import { sql } from 'kysely';
import type { Database } from '#platform/db.ts';

/** Every row of every table, jobs included, as JSON, by table: what somebody who has taken the database can read. */
export async function dumpDatabase(db: Database): Promise<Map<string, string[]>> {
  const tables = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1`.execute(db);
  const dump = new Map<string, string[]>();
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ row: string }>`select to_jsonb(t)::text as "row" from ${sql.raw(name)} t`.execute(db);
    dump.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  return dump;
}

/** Where a text occurs in a dump, in any case, also as the bytes of a binary column. */
export function findInDump(dump: Map<string, string[]>, text: string): string[] {
  const forms = [text.toLowerCase(), Buffer.from(text).toString('hex')];
  return [...dump].flatMap(([table, rows]) =>
    rows.filter((row) => forms.some((form) => row.toLowerCase().includes(form))).map((row) => `${table}: ${row}`),
  );
}
