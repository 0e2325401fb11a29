import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresDialect,
  type RawBuilder,
  sql,
  Transaction,
} from 'kysely';
import pg from 'pg';
import type { Tables } from './db-types.ts';
import { type ConnectionPool, shareConnections } from './fair-share.ts';
import type { Log } from './log.ts';
import { isAftermath, isRetryable } from './sql-states.ts';

export { isDatabaseAway, isViolationOf, sqlStateOf } from './sql-states.ts';

/** The database, or a transaction on it: what every store function takes first. */
export type Database = Kysely<Tables>;
export type Tx = Transaction<Tables>;

export interface DatabaseOptions {
  url: string;
  log: Log;
  poolSize?: number;
  slowQueryMs?: number;
  /** Slow statements are told from then on (`performance.now()`): those of a new database meet cold caches. */
  tellSlowFromMs?: number;
  applicationName?: string;
  /** How long a connection is waited for, a free one included: people do not wait as long as jobs. */
  patienceMs?: number;
  /** How long one statement may take; no limit unless given. Jobs, migrations, exports and backups have none. */
  statementMs?: number;
  /** `once`: for the values of each call, as screens need it. `kept`: for jobs, which ask the same by key, over and over. */
  plans?: 'once' | 'kept';
}

const oid = { int8: 20, date: 1082, timestamptz: 1184 } as const;

function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} does not fit a number`);
  return value;
}

/** `2026-11-20 12:00:00.123456+00` (the session is in UTC, see sessionOptions). */
function parseTimestamptz(text: string): Temporal.Instant {
  return Temporal.Instant.from(text.replace(' ', 'T'));
}

const parsers = new Map<number, (text: string) => unknown>([
  [oid.int8, parseInt8],
  [oid.timestamptz, parseTimestamptz],
  [oid.date, (text) => Temporal.PlainDate.from(text)],
]);

/** Per client, not global: pg-boss shares the driver and wants its own `Date`s. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(id)) ??
    pg.types.getTypeParser(id, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
};

/**
 * UTC and ISO whatever the server's defaults are; a lost client must not hold its locks for hours. Rows are found by key,
 * not by reading the whole table: at the price of a random read on a turning disk, a batch of 250 outcomes scanned the
 * ledger.
 */
const sessionOptions =
  '-c random_page_cost=1.1 -c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=iso_8601 -c idle_in_transaction_session_timeout=60000';

/**
 * Statements are prepared (below). Planning is more than half of the database's work in a pass of a few changes. A plan
 * for an empty table stays until something analyzes it, so that kept plans are not kept long.
 */
const planOptions = { once: '-c plan_cache_mode=force_custom_plan', kept: '-c plan_cache_mode=auto' } as const;
const plansKeptMs = 5_000;

/**
 * Options for small reads by key (platform/reading.ts), whose plan is the same for every caller. Each is planned once
 * per connection. Plans never scan whole tables, so that a plan made for an empty one does no harm. Planning took three
 * quarters of the server's cost of the slots of an event type: 800 us instead of 226.
 */
const readerOptions = `${sessionOptions} -c plan_cache_mode=force_generic_plan -c enable_seqscan=off`;

/** `pg` settings for every connection, also dedicated ones (LISTEN, advisory locks). */
export function clientOptions(url: string, applicationName = 'holdfast'): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    options: `${sessionOptions} ${planOptions.once}`,
    types,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  };
}

/** `pg` would send a Temporal value as JSON, in quotes, and takes three times as long over a list. */
function toParameter(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return arrayLiteral(value) ?? value.map(toParameter);
  if (
    value instanceof Temporal.Instant ||
    value instanceof Temporal.PlainDate ||
    value instanceof Temporal.PlainDateTime ||
    value instanceof Temporal.PlainTime
  ) {
    return value.toString();
  }
  return value;
}

/** A list of plain values as PostgreSQL writes arrays; null where it holds anything else. */
function arrayLiteral(list: unknown[]): string | null {
  let texts = 0;
  let plain = 0;
  let isClean = true;
  for (const value of list) {
    if (typeof value === 'string') {
      texts += 1;
      isClean &&= !escapedSign.test(value);
    } else if (typeof value === 'number' || typeof value === 'boolean') plain += 1;
    else if (typeof value === 'object' && value !== null) return null;
  }
  // joined in one go, and escaped in one: a text that grows by pieces costs a hundred bytes a piece
  if (plain === list.length) return `{${list.join()}}`;
  if (texts === list.length) {
    if (isClean) return `{"${list.join('","')}"}`;
    const parts = escaped(list.join('\u0000')).split('\u0000');
    // a text that holds the sign itself, which PostgreSQL refuses, stays one
    if (parts.length === list.length) return `{"${parts.join('","')}"}`;
  }
  return `{${list.map(toElement).join()}}`;
}

const escapedSign = /["\\]/;
const escaped = (text: string) => text.replaceAll(/["\\]/g, '\\$&');

function toElement(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'string') return `"${escaped(value)}"`;
  return String(value as number | boolean | bigint);
}

export interface DatabaseHandle {
  db: Database;
  pool: pg.Pool;
  close(): Promise<void>;
}

/** Opens the pool. Nothing is connected before the first query. */
export function openDatabase(options: DatabaseOptions): DatabaseHandle {
  const { plans = 'once' } = options;
  const tell = tellSlow(options);
  const pool = openPool(options, `${sessionOptions} ${planOptions[plans]}`);
  const db = kyselyOf(pool, { tell, onConnect: plans === 'kept' ? renewPlans() : null });
  const readerPool = openPool(options, readerOptions);
  const reader = kyselyOf(readerPool, { tell, onConnect: null });
  readers.set(db, { db: reader, pool: readerPool, tellSlow: tell });
  const close = async () => {
    await Promise.all([db.destroy(), reader.destroy()]);
    // Kysely ends a pool only where it has asked something itself; queryByKey goes past it
    await Promise.all([pool, readerPool].filter((one) => !one.ending).map((one) => one.end()));
  };
  return { db, pool, close };
}

function openPool(options: DatabaseOptions, sessionSettings: string): pg.Pool {
  const { log } = options;
  const pool = new pg.Pool({
    ...clientOptions(options.url, options.applicationName),
    options: `${sessionSettings}${options.statementMs === undefined ? '' : ` -c statement_timeout=${options.statementMs}`}`,
    max: options.poolSize ?? 10,
    ...(options.patienceMs === undefined ? {} : { connectionTimeoutMillis: options.patienceMs }),
    idleTimeoutMillis: 30_000,
    pipeline: true,
  });
  // Without listeners a database that goes away would take the process with it.
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke'));
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ err: error }, 'a database connection broke'));
  });
  return pool;
}

type OnConnect = (client: pg.ClientBase) => Promise<void>;

/** Dialect for a transaction's own Kysely, which is given its connection. */
const sameDialect = new PostgresDialect({ pool: () => Promise.reject(new Error('no pool of its own')) });

function kyselyOf(pool: pg.Pool, { tell, onConnect }: { tell: TellSlow; onConnect: OnConnect | null }): Database {
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: asKyselyPool(shareConnections(pool), onConnect) }),
    log(event) {
      if (event.level === 'query') tell(event.queryDurationMillis, event.query.sql);
    },
  });
}

type TellSlow = (tookMs: number, text: string) => void;

const tellSlow =
  ({ log, slowQueryMs = 500, tellSlowFromMs = 0 }: DatabaseOptions): TellSlow =>
  (tookMs, text) => {
    const durationMs = Math.round(tookMs);
    if (durationMs < slowQueryMs || performance.now() < tellSlowFromMs) return;
    log.warn({ durationMs, sql: text.replace(/\s+/g, ' ').slice(0, 500) }, 'slow query');
  };

interface Reader {
  db: Database;
  pool: pg.Pool;
  tellSlow: TellSlow;
}

const readers = new WeakMap<Database, Reader>();

/**
 * The connections for small statements by key, planned once; within a transaction its own. A transaction that has nothing
 * else may run on one of them.
 */
export function byKey(db: Database): Database {
  return readers.get(db)?.db ?? db;
}

/** One such statement, by the shortest way: the query builder's own takes a fifth of the time of a small one. */
export async function queryByKey<Row extends object>(db: Database, query: RawBuilder<Row>): Promise<Row[]> {
  const reader = readers.get(db);
  if (reader === undefined) return (await query.execute(db)).rows;
  const { sql: text, parameters } = query.compile(db);
  const startedMs = performance.now();
  const { rows } = await reader.pool.query<Row>({ name: nameOf(text), text, values: parameters.map(toParameter) });
  reader.tellSlow(performance.now() - startedMs, text);
  return rows;
}

/**
 * Limit of prepared statements per process. The product has some 900, and three for each job queue. Each connection
 * prepares only the statements that it runs. A generated text that comes only once gets no name, so that it does not
 * fill the server's memory.
 */
const mostPrepared = 2_000;
const preparedNames = new Map<string, string>();
const metOnce = new Set<string>();

/**
 * Read and analysed once per connection: a third of the time that a small statement takes. From the second time that a
 * text is met.
 */
export function nameOf(text: string): string | undefined {
  const name = preparedNames.get(text);
  if (name !== undefined || preparedNames.size >= mostPrepared) return name;
  if (metOnce.delete(text)) {
    const given = `s${preparedNames.size}`;
    preparedNames.set(text, given);
    return given;
  }
  if (metOnce.size >= mostPrepared) metOnce.clear();
  metOnce.add(text);
  return undefined;
}

/** Has a connection forget its plans from time to time; its statements stay prepared. */
function renewPlans(): OnConnect {
  const plannedMs = new WeakMap<pg.ClientBase, number>();
  return async (client) => {
    const nowMs = performance.now();
    const sinceMs = plannedMs.get(client) ?? nowMs;
    const isOld = nowMs - sinceMs > plansKeptMs;
    plannedMs.set(client, isOld ? nowMs : sinceMs);
    if (isOld) await client.query('discard plans');
  };
}

/**
 * The pool as Kysely sees it: Temporal values are turned into text on the way out, statements are prepared, and the first of
 * a transaction goes out together with what begins it, which saves a way to the database and back.
 */
function asKyselyPool(pool: ConnectionPool, onConnect: OnConnect | null) {
  const wrapped = new WeakSet<pg.PoolClient>();
  return {
    async connect() {
      const client = await pool.connect();
      // a broken connection reports that to its next user
      await onConnect?.(client).catch(() => undefined);
      if (!wrapped.has(client)) {
        wrapped.add(client);
        const query = client.query.bind(client) as (...args: unknown[]) => unknown;
        const send = (text: unknown, values?: unknown, ...rest: unknown[]) =>
          typeof text === 'string' && Array.isArray(values) && values.length > 0
            ? query({ name: nameOf(text), text, values: values.map(toParameter) }, ...rest)
            : query(text, values, ...rest);
        const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
        let begin: string | null = null;
        client.query = ((...asked: Parameters<typeof send>) => {
          const [text] = asked;
          if (typeof text === 'string' && text.startsWith('start transaction')) {
            begin = text;
            return Promise.resolve({ command: 'START', rowCount: null, rows: [] });
          }
          // statements that are issued together are sent together
          stream.cork();
          queueMicrotask(() => stream.uncork());
          if (begin === null) return send(...asked);
          const first = begin;
          begin = null;
          return Promise.all([send(first), send(...asked)]).then(([, answer]) => answer);
        }) as typeof client.query;
      }
      return client;
    },
    end: () => pool.end(),
    options: pool.options,
  };
}

/** A value for a jsonb column. Needed for arrays and scalars, which the driver would send as something else. */
export function jsonb<T>(value: T): RawBuilder<T> {
  return sql<T>`cast(${JSON.stringify(value)} as jsonb)`;
}

export interface TransactionOptions {
  isolation?: 'read committed' | 'repeatable read' | 'serializable';
  attempts?: number;
}

/**
 * Runs `work` in a transaction, again from its start when the database asks for that (serialization failure,
 * deadlock). `work` must therefore have no effect outside the database. Inside another transaction it just joins it.
 * Statements that do not need each other's answers may be asked together (`Promise.all`), and are taken in order.
 */
export async function inTransaction<T>(
  db: Database,
  work: (tx: Tx) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  if (db.isTransaction) return work(db as Tx);
  const attempts = options.attempts ?? 5;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db
        .transaction()
        .setIsolationLevel(options.isolation ?? 'read committed')
        .execute(async (tx) => withoutTurns(tx, work));
    } catch (error) {
      if (attempt >= attempts || !isRetryable(error)) throw error;
      await sleep(Math.random() * 10 * 2 ** attempt);
    }
  }
}

interface Unfinished {
  /** Statements that nobody has awaited yet. */
  sent: Promise<unknown>[];
  last: (() => Promise<void>)[];
}

const unfinished = new WeakMap<Tx, Unfinished>();

/** Statements of a transaction whose answers nobody needs before its end. Should one fail, so does the transaction, with its error. */
export function send(tx: Tx, ...statements: Promise<unknown>[]): void {
  const { sent } = unfinishedOf(tx);
  for (const statement of statements) statement.catch(() => undefined);
  sent.push(...statements);
}

/** Runs when all else of a transaction is done, before it commits. A holder of rows that are locked then waits for no other row. */
export function beforeCommit(tx: Tx, run: () => Promise<void>): void {
  unfinishedOf(tx).last.push(run);
}

function unfinishedOf(tx: Tx): Unfinished {
  const found = unfinished.get(tx);
  if (found === undefined) throw new Error('outside a transaction nobody would learn of its failure');
  return found;
}

/** Kysely has each statement of a transaction wait for the answer of the one before; the connection keeps their order. */
async function withoutTurns<T>(inTurns: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  const executor = inTurns.getExecutor();
  const connection = await executor.provideConnection((it) => Promise.resolve(it));
  let hasEnded = false;
  // An answer that passes through more functions arrives after the aftermath of its failure.
  let cause: unknown;
  const watched: DatabaseConnection = {
    executeQuery: (...asked) =>
      connection.executeQuery<never>(...asked).catch((error: unknown) => {
        if (!isAftermath(error)) cause = error;
        throw error;
      }),
    streamQuery: (...asked) => connection.streamQuery(...asked),
  };
  const tx = new Transaction<Tables>({
    config: { dialect: sameDialect },
    dialect: sameDialect,
    driver: new DummyDriver(),
    executor: executor.withConnectionProvider({
      provideConnection(consumer) {
        // one statement failed while others were under way: what would have followed them stands outside
        if (hasEnded) throw new Error('the transaction has ended');
        return consumer(watched);
      },
    }),
  });
  const { sent, last }: Unfinished = { sent: [], last: [] };
  unfinished.set(tx, { sent, last });
  try {
    const result = await work(tx);
    while (sent.length + last.length > 0) {
      while (sent.length > 0) await Promise.all(sent.splice(0));
      await last.shift()?.();
    }
    return result;
  } catch (error) {
    await Promise.allSettled(sent);
    throw isAftermath(error) ? (cause ?? error) : error;
  } finally {
    hasEnded = true;
  }
}

/** The database's clock: the one that all processes share, and the one rows are stamped with. */
export async function readDatabaseTime(db: Database): Promise<Temporal.Instant> {
  const { rows } = await sql<{ now: Temporal.Instant }>`select clock_timestamp() as now`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the database told no time');
  return row.now;
}
