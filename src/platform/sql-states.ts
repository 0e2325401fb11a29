import pg from 'pg';

/** Errors of PostgreSQL by SQLSTATE, as far as requests treat them apart. *Source*: PostgreSQL, appendix A. */

/** No space is left on the disk. */
export const diskFull = '53100';

/** A statement took longer than its limit (query_canceled). */
export const tookTooLong = '57014';

/** Nothing can be written: no space, or a server that is read-only (read_only_sql_transaction). */
export const noWrites: ReadonlySet<string> = new Set([diskFull, '25006']);

/**
 * A value that no column holds: numeric_value_out_of_range, character_not_in_repertoire, untranslatable_character,
 * check_violation.
 */
export const unstorable: ReadonlySet<string> = new Set(['22003', '22021', '22P05', '23514']);

/** SQLSTATE of an error of the database; undefined of any other. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** True where the error is a breach of this constraint: the way stores recognise "exists already". */
export function isViolationOf(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.constraint === constraint;
}

/** Codes of PostgreSQL for a server that ends, starts, or takes no more connections (57P01 to 57P03, 53300, class 08). */
const awayCode = /^(?:57P0[123]|53300|08)/;
/** The words of `pg` and its pool, which give no code of their own. */
const awayText =
  /timeout exceeded when trying to connect|^Connection terminated|not queryable|connection error and is not/i;
const brokenCodes = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** True where no answer of the database could be had: the same request may work in a moment. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isDatabaseAway);
  if (error instanceof pg.DatabaseError) return awayCode.test(error.code ?? '');
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return syscall === 'connect' || (syscall !== undefined && brokenCodes.has(code)) || awayText.test(error.message);
}

/** Failures of a transaction that may run again: serialization_failure, deadlock_detected. */
const retryable = new Set(['40001', '40P01']);

export const isRetryable = (error: unknown): boolean => retryable.has(sqlStateOf(error) ?? '');

/** A failure of a statement because of an earlier one of its transaction (in_failed_sql_transaction). */
export const isAftermath = (error: unknown): boolean => sqlStateOf(error) === '25P02';
