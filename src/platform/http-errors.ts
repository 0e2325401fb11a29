import { AppError, type AppErrorKind, httpStatusOf } from '#kernel/errors.ts';
import { isDatabaseAway, sqlStateOf } from './db.ts';
import { sayError } from './error-words.ts';
import { diskFull, tookTooLong, unstorable } from './sql-states.ts';

const awayRetryMs = 5_000;

/** The wire form of every refusal. */
export interface ErrorAnswer {
  status: number;
  retryAfterSeconds: number | undefined;
  body: { detail: { code: string; message: string; fields?: Record<string, string> } };
}

/** `logged`: where it belongs into the log as a fault of ours or of the machine; a refusal does not. */
export function toErrorAnswer(
  error: unknown,
  language: string,
): { answer: ErrorAnswer; logged: 'error' | 'warn' | null } {
  if (error instanceof AppError) return { answer: ofAppError(error, language), logged: null };
  const framework = ofFramework(error);
  if (framework) return { answer: ofAppError(framework, language), logged: null };
  const database = ofDatabase(error);
  if (database)
    return { answer: ofAppError(database, language), logged: database.kind === 'invalid' ? 'warn' : 'error' };
  if (isDatabaseAway(error)) {
    const message = "The database can't be reached right now. Try again in a few seconds.";
    const away = new AppError('unavailable', 'UNAVAILABLE', message, { retryAfterMs: awayRetryMs });
    return { answer: ofAppError(away, language), logged: null };
  }
  const hidden = new AppError(
    'unavailable',
    'INTERNAL',
    'Something went wrong on our side. No partial changes were saved. Try again. If it keeps happening, give your administrator the request id.',
  );
  return { answer: { ...ofAppError(hidden, language), status: 500 }, logged: 'error' };
}

function ofAppError(error: AppError, language: string): ErrorAnswer {
  const { fields } = error;
  const say = (text: string) => sayError(text, language);
  return {
    status: httpStatusOf[error.kind],
    retryAfterSeconds: error.retryAfterMs === undefined ? undefined : Math.ceil(error.retryAfterMs / 1000),
    body: {
      detail: {
        code: error.code,
        message: say(error.message),
        ...(fields && {
          fields: Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, say(text)])),
        }),
      },
    },
  };
}

const unsupported = ['unsupported', 'UNSUPPORTED_TYPE', 'Send application/json in UTF-8.'] as const;

/** Refusals of Fastify and its plugins. */
const frameworkRefusals: Record<string, readonly [AppErrorKind, string, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupported,
  FST_ERR_CTP_INVALID_TYPE: unsupported,
  FST_ERR_CTP_BODY_TOO_LARGE: ['too-large', 'TOO_LARGE', 'The request is too large.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'invalid',
    'INVALID_INPUT',
    "The length of the body doesn't match Content-Length.",
  ],
  FST_ERR_BAD_URL: ['invalid', 'INVALID_INPUT', 'The address is not valid.'],
  FST_ERR_MAX_PARAM_LENGTH: ['not-found', 'NOT_FOUND', 'Not found.'],
  FST_ERR_ROUTE_NOT_FOUND: ['not-found', 'NOT_FOUND', 'Not found.'],
};

function ofFramework(error: unknown): AppError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, statusCode } = error as NodeJS.ErrnoException & { statusCode?: number };
  // Fastify's reader of bodies gives 400 to what a socket throws; elsewhere the same code is a fault
  const isCutOff = code === 'ECONNRESET' && statusCode === 400;
  const refusal = frameworkRefusals[isCutOff ? 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' : (code ?? '')];
  return refusal && new AppError(...refusal, { cause: error });
}

/** A safety net for values that a contract let through. Each hit shows a gap in that contract. */
function ofDatabase(cause: unknown): AppError | undefined {
  const state = sqlStateOf(cause) ?? '';
  if (unstorable.has(state)) {
    return new AppError(
      'invalid',
      'INVALID_INPUT',
      "A value is out of range or contains characters that can't be stored.",
      {
        cause,
      },
    );
  }
  if (state === tookTooLong) {
    return new AppError(
      'unavailable',
      'UNAVAILABLE',
      'The database took too long to respond. Nothing was changed. Try again later.',
      { cause, retryAfterMs: 30_000 },
    );
  }
  if (state !== diskFull) return undefined;
  return new AppError(
    'unavailable',
    'UNAVAILABLE',
    'The database is out of disk space. Nothing was changed. Try again later.',
    { cause, retryAfterMs: 30_000 },
  );
}
