import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Database, jsonb } from './db.ts';

export type Severity = 'low' | 'medium' | 'high' | 'critical';

/** One kind of error, as often as it happened. */
export interface ErrorGroup {
  fingerprint: string;
  severity: Severity;
  /** The line of the log. */
  told: string;
  /** The route or job it happened in. */
  place: string | null;
  cause: string;
  count: number;
  /** Request ids of the newest sightings, newest first, to find in the log. */
  requestIds: string[];
  firstMs: number;
  lastMs: number;
}

/** An error as the log has it, already redacted. */
export interface Sighting {
  /** pino's number. */
  level: number;
  told: string;
  fields: Readonly<Record<string, unknown>>;
}

/** Errors since the last write to the database. */
export interface ErrorBook {
  note(sighting: Sighting): void;
  /** From now on it is written down there every few seconds; resolves when that has ended. */
  keepIn(db: Database): () => Promise<void>;
  /** Writes the noted errors within `withinMs`, or gives up, because the caller is about to exit. */
  write(withinMs?: number): Promise<void>;
}

const everyMs = 5_000;
/** Kinds of errors between two writings; further ones are in the log only. */
const mostNoted = 200;
const idsKept = 5;

type Noted = Omit<ErrorGroup, 'firstMs' | 'lastMs'>;

export function createErrorBook(): ErrorBook {
  let noted = new Map<string, Noted>();
  let kept: Database | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = async () => {
    if (kept === undefined || noted.size === 0) return;
    const rows = noted;
    noted = new Map();
    try {
      await insertErrors(kept, [...rows.values()]);
    } catch {
      // An error about errors would be noted in turn. The database is away: these come with the next ones.
      for (const row of rows.values()) merge(noted, row);
    }
  };
  const book: ErrorBook = {
    note: (sighting) => merge(noted, groupOf(sighting)),
    write(withinMs) {
      writing = writing.then(write);
      if (withinMs === undefined) return writing;
      return Promise.race([writing, new Promise<void>((resolve) => setTimeout(resolve, withinMs).unref())]);
    },
    keepIn(db) {
      kept = db;
      const timer = setInterval(() => void book.write(), everyMs).unref();
      return async () => {
        clearInterval(timer);
        await book.write();
        if (kept === db) kept = undefined;
      };
    },
  };
  return book;
}

function merge(noted: Map<string, Noted>, row: Noted): void {
  const known = noted.get(row.fingerprint);
  if (known !== undefined) {
    known.count += row.count;
    known.requestIds = [...row.requestIds, ...known.requestIds].slice(0, idsKept);
  } else if (noted.size < mostNoted) noted.set(row.fingerprint, row);
}

/** By the level of the log: a process that ends, work that was lost, work that is tried again, an account's own trouble. */
const severityOf = (level: number): Severity =>
  level >= 60 ? 'critical' : level >= 50 ? 'high' : level >= 40 ? 'medium' : 'low';

const short = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 500);
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

/**
 * Gives errors of the same cause the same name: ids, numbers, addresses and quoted names differ between occurrences.
 */
export function groupOf({ level, told, fields }: Sighting): Noted {
  const causes = causesOf(fields.err ?? fields.error);
  const cause = short(causes.length > 0 ? causes.join(' < ') : (textOf(fields.code) ?? told));
  const place = textOf(fields.route) ?? textOf(fields.job);
  const alike = cause
    .replace(/"[^"]*"|'[^']*'/g, '?')
    .replace(/\b[\w.+-]+@[\w.-]+\b/g, '?')
    .replace(/\b[0-9a-f]{8,}(-[0-9a-f]{4,})*\b/gi, '?')
    .replace(/\d+/g, '?');
  const requestId = textOf(fields.requestId) ?? textOf(fields.jobId);
  return {
    fingerprint: createHash('sha256')
      .update(JSON.stringify([told, place, alike]))
      .digest('hex')
      .slice(0, 32),
    severity: severityOf(level),
    told: short(told),
    place,
    cause,
    count: 1,
    requestIds: requestId === null ? [] : [requestId],
  };
}

/** The thrown error and its causes, as logged. */
function causesOf(error: unknown): string[] {
  const found: string[] = [];
  for (
    let at = error;
    typeof at === 'object' && at !== null && found.length < 4;
    at = (at as { cause?: unknown }).cause
  ) {
    const { type, code, message } = at as { type?: unknown; code?: unknown; message?: unknown };
    const name = [textOf(type), textOf(code)].filter((part) => part !== null).join(' ');
    found.push([name, textOf(message)].filter((part) => part !== null && part !== '').join(': '));
  }
  return found;
}

async function insertErrors(db: Database, rows: readonly Noted[]): Promise<void> {
  await sql`
    insert into platform.errors as e (fingerprint, severity, told, place, cause, count, request_ids)
    select fingerprint, severity, told, place, cause, count, coalesce(ids, '{}')
    from jsonb_to_recordset(${jsonb(rows)}) as given(fingerprint text, severity text, told text, place text, cause text,
        count bigint, "requestIds" jsonb),
      lateral (select array_agg(value) as ids from jsonb_array_elements_text("requestIds")) listed
    order by fingerprint
    on conflict (fingerprint) do update set severity = excluded.severity, cause = excluded.cause,
      count = e.count + excluded.count, last_at = now(),
      request_ids = (excluded.request_ids || e.request_ids)[1:${sql.lit(idsKept)}]`.execute(db);
}

/** The newest first. */
export async function listErrors(db: Database, limit: number): Promise<ErrorGroup[]> {
  const { rows } = await sql<ErrorGroup>`
    select fingerprint, severity, told, place, cause, count, request_ids as "requestIds",
      floor(extract(epoch from first_at) * 1000)::float8 as "firstMs",
      floor(extract(epoch from last_at) * 1000)::float8 as "lastMs"
    from platform.errors order by last_at desc, fingerprint limit ${limit}`.execute(db);
  return rows;
}

const mostKept = 500;

/** Removes what was not seen for so many days, and what is too much. */
export async function trimErrors(db: Database, keptDays: number): Promise<void> {
  await sql`
    delete from platform.errors where last_at < now() - make_interval(days => ${keptDays})
      or fingerprint in (select fingerprint from platform.errors order by last_at desc offset ${mostKept})`.execute(db);
}
