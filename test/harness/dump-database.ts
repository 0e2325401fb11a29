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

/** Where a text occurs in a dump, in any spelling and case. */
export function findInDump(dump: Map<string, string[]>, text: string): string[] {
  return [...dump].flatMap(([table, rows]) =>
    rows.filter((row) => holdsText(row, text)).map((row) => `${table}: ${row}`),
  );
}

export function holdsText(where: string, text: string): boolean {
  const searched = where.toLowerCase();
  return spellingsOf(text).some((spelling) => searched.includes(spelling.toLowerCase()));
}

/** The ways in which a text may stand somewhere without looking like itself; binary columns are hexadecimal. */
function spellingsOf(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  const others = [
    text.replace(/[-\s]/g, ''),
    bytes.toString('hex'),
    Buffer.from(text, 'base64url').toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
  ];
  // a short one is found anywhere
  return [text, ...others.filter((spelling) => spelling.length >= 8)];
}
