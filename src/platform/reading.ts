import { type RawBuilder, sql } from 'kysely';
import { type Database, queryByKey } from './db.ts';

/** A value that the database works out, such as an id that is looked up in the same statement. */
export type Expression<T> = RawBuilder<T>;

/**
 * A query that a store can combine with others: a round trip to the database costs more than a small query does. Rows
 * arrive as JSON: numbers, texts, booleans, null, and JSON itself.
 */
export interface Reading<T> {
  readonly queries: readonly RawBuilder<unknown>[];
  /** Maps the rows of each query to the result. */
  readonly read: (rows: readonly unknown[][]) => T | Promise<T>;
}

export function reading<Row, T>(query: RawBuilder<Row>, read: (rows: Row[]) => T | Promise<T>): Reading<T> {
  return { queries: [query], read: ([rows]) => read(rows as Row[]) };
}

/** A result that needs no query. */
export function known<T>(value: T): Reading<T> {
  return { queries: [], read: () => value };
}

type Values<Readings extends readonly Reading<unknown>[]> = {
  [N in keyof Readings]: Readings[N] extends Reading<infer T> ? T : never;
};

/** Several readings as one, for a door that needs them all to answer. */
export function joinReadings<const Readings extends readonly Reading<unknown>[], T>(
  readings: Readings,
  read: (values: Values<Readings>) => T | Promise<T>,
): Reading<T> {
  return {
    queries: readings.flatMap(({ queries }) => queries),
    async read(rows) {
      return read(await valuesOf(readings, rows));
    },
  };
}

/** Reads all of it in one statement, over connections that plan it once; in a transaction over its own. */
export async function readTogether<const Readings extends readonly Reading<unknown>[]>(
  db: Database,
  readings: Readings,
): Promise<Values<Readings>> {
  const parts = readings
    .flatMap(({ queries }) => queries)
    .map((query, n) => sql`(select json_agg(r) from (${query}) r) as ${sql.ref(`r${n}`)}`);
  if (parts.length === 0) return valuesOf(readings, []);
  const [all = {}] = await queryByKey(db, sql<Record<string, unknown[] | null>>`select ${sql.join(parts)}`);
  return valuesOf(
    readings,
    parts.map((_, n) => all[`r${n}`] ?? []),
  );
}

/** One reading alone. */
export async function readAlone<T>(db: Database, one: Reading<T>): Promise<T> {
  const [value] = await readTogether(db, [one]);
  return value;
}

async function valuesOf<const Readings extends readonly Reading<unknown>[]>(
  readings: Readings,
  rows: readonly unknown[][],
): Promise<Values<Readings>> {
  const values: unknown[] = [];
  let from = 0;
  for (const { queries, read } of readings) {
    const value = read(rows.slice(from, from + queries.length));
    values.push(value instanceof Promise ? await value : value);
    from += queries.length;
  }
  return values as Values<Readings>;
}
