import type { DestinationStream, Logger } from 'pino';
import { pino, stdTimeFunctions } from 'pino';
import { createErrorBook, type ErrorBook } from './error-book.ts';
import { diskFull } from './sql-states.ts';

export type Log = Logger;

export interface LogOptions {
  level: string;
  /** `auto` is pretty in a terminal and JSON elsewhere. */
  format: 'auto' | 'json' | 'pretty';
  destination?: DestinationStream;
}

const secretKey =
  /^(?:.*(?:password|passwd|secret|token|credential|api[-_]?key|private[-_]?key)|authorization|proxy-authorization|cookie|set-cookie|pass|pwd|code[-_]?verifier)$/i;
const hidden = '[hidden]';

/** Secrets that hide inside longer texts: URLs, headers, connection strings, error messages of libraries. */
const secretPatterns: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic)\s+[a-z0-9._~+/=-]{6,}/gi, `$1 ${hidden}`],
  // a longer scheme would be looked for from each of its letters
  [/([a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/@?#]*):[^\s/@]+@/gi, `$1:${hidden}@`],
  [/([?&;](?:[a-z_-]*token|[a-z_-]*secret|code|sig|signature|key|password|auth)=)[^&\s"'#]+/gi, `$1${hidden}`],
  // The secret addresses of private feeds: Google's /private-<32 hex>/, iCloud's /published/2/<long>
  [/(\/private-)[0-9a-f]{16,}/gi, `$1${hidden}`],
  [/(\/published\/\d+\/)[\w-]{16,}/gi, `$1${hidden}`],
  [
    /("?\b(?:password|passwd|client_secret|refresh_token|access_token|id_token)\b"?\s*[:=]\s*"?)[^"\s,;&}]+/gi,
    `$1${hidden}`,
  ],
];

/** One of these is in all of them: an id, as every request has one, is passed at once. */
const signOfSecrets = /[\s:=/]/;

/** The same text without the secrets that can be recognised by their form. */
export function redactText(text: string): string {
  if (!signOfSecrets.test(text)) return text;
  let out = text;
  for (const [pattern, replacement] of secretPatterns) out = out.replace(pattern, replacement);
  return out;
}

/** Fields that `pg` adds to errors: the values of a row, the text of a statement, and the client with its settings. */
const rowsInErrors = new Set(['detail', 'hint', 'where', 'internalQuery', 'query', 'parameters', 'client']);

/** A copy without secrets, by key and by form, at most six levels deep. Errors keep name, message, code, stack, cause. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return `${value}`;
  if (value === null || typeof value !== 'object') return value;
  if (depth >= 6) return '[deep]';
  if (value instanceof Error) {
    const told = Object.entries(value).filter(([key]) => !rowsInErrors.has(key));
    const fields = redact(Object.fromEntries(told), depth + 1) as Record<string, unknown>;
    return {
      ...fields,
      type: value.name,
      message: redactText(value.message),
      ...(value.stack === undefined ? {} : { stack: redactText(value.stack) }),
      ...(value.cause === undefined ? {} : { cause: redact(value.cause, depth + 1) }),
    };
  }
  if (Array.isArray(value)) return value.map((entry) => redact(entry, depth + 1));
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
  if ('toJSON' in value && typeof value.toJSON === 'function') return redact(value.toJSON(), depth + 1);
  const out: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(value)) {
    out[key] = secretKey.test(key) && entry !== undefined && entry !== null ? hidden : redact(entry, depth + 1);
  }
  return out;
}

const books = new WeakMap<object, ErrorBook>();

/** The errors of this log, for the job that stores them. */
export function errorsOf(log: Log): ErrorBook {
  const book = books.get(log);
  if (book === undefined) throw new Error('this log was not made by createLog');
  return book;
}

const errorLevel = 50;

/** A full disk fails every write, and the log may be on the same disk: one line a minute tells it. */
const diskFullEveryMs = 60_000;

/** Null where a line is only counted; else how many were counted since the last one. */
function createDiskFullCounter(): () => number | null {
  let nextMs = 0;
  let counted = 0;
  return () => {
    const nowMs = performance.now();
    if (nowMs < nextMs) {
      counted += 1;
      return null;
    }
    nextMs = nowMs + diskFullEveryMs;
    const others = counted;
    counted = 0;
    return others;
  };
}

function isDiskFull({ err }: { err?: unknown }): boolean {
  for (let error = err; error instanceof Error; error = error.cause) {
    if ((error as NodeJS.ErrnoException).code === diskFull) return true;
  }
  return false;
}

/** The process log. Everything that passes through is redacted, also what libraries log. */
export async function createLog(options: LogOptions): Promise<Log> {
  const pretty = options.format === 'pretty' || (options.format === 'auto' && process.stdout.isTTY);
  const destination =
    options.destination ??
    (pretty
      ? (await import('pino-pretty')).default({ colorize: process.stdout.isTTY, ignore: 'pid,hostname', sync: true })
      : undefined);
  const book = createErrorBook();
  const countDiskFull = createDiskFullCounter();
  const log = pino(
    {
      level: options.level,
      timestamp: stdTimeFunctions.isoTime,
      // Level as a word: readable without a table, and what most collectors expect.
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redact(fields) as Record<string, unknown>,
      },
      // formatters.log has turned errors into plain objects already.
      serializers: { err: (error: unknown) => redact(error), error: (error: unknown) => redact(error) },
      hooks: {
        logMethod(args, method, level) {
          const [fields, told] = args as unknown[];
          const isError = typeof fields === 'object' && fields !== null && 'err' in fields;
          if (isError || level >= errorLevel) {
            const all = redact({ ...this.bindings(), ...(typeof fields === 'object' ? fields : {}) });
            const line = typeof fields === 'string' ? fields : typeof told === 'string' ? told : '';
            book.note({ level, told: redactText(line), fields: all as Record<string, unknown> });
          }
          if (isError && isDiskFull(fields)) {
            const others = countDiskFull();
            if (others === null) return;
            args = [{ ...fields, othersNotLogged: others }, ...args.slice(1)] as typeof args;
          }
          method.apply(this, args.map((arg) => (typeof arg === 'string' ? redactText(arg) : arg)) as typeof args);
        },
      },
    },
    destination as DestinationStream,
  );
  // pino leaves the fields of children alone: they do not pass formatters.bindings.
  const child = log.child;
  log.child = function redactingChild(this: Log, fields: object, options?: object) {
    return child.call(this, redact(fields) as Record<string, unknown>, options as never);
  } as typeof log.child;
  books.set(log, book);
  return log;
}
