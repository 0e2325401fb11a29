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
