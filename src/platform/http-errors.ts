import { AppError, type AppErrorKind, httpStatusOf } from '#kernel/errors.ts';
import { isDatabaseAway } from './db.ts';
import { sayError } from './error-words.ts';

const awayRetryMs = 5_000;

/** How every refusal looks on the wire, whoever refuses. */
export interface ErrorAnswer {
  status: number;
  retryAfterSeconds: number | undefined;
  body: { detail: { code: string; message: string; fields?: Record<string, string> } };
}

/** `bug` is what belongs into the log as a fault of ours; a refusal is not one. */
export function toErrorAnswer(error: unknown, language: string): { answer: ErrorAnswer; bug: boolean } {
  if (error instanceof AppError) return { answer: ofAppError(error, language), bug: false };
  const framework = ofFramework(error);
  if (framework) return { answer: ofAppError(framework, language), bug: false };
  if (isDatabaseAway(error)) {
    const message = 'The server cannot reach its database at the moment. Try again in a few seconds.';
    const away = new AppError('unavailable', 'UNAVAILABLE', message, { retryAfterMs: awayRetryMs });
    return { answer: ofAppError(away, language), bug: false };
  }
  const hidden = new AppError(
    'unavailable',
    'INTERNAL',
    'Something went wrong on our side. Nothing was changed by this call that was not complete. Try again, and give your administrator the request id if it happens again.',
  );
  return { answer: { ...ofAppError(hidden, language), status: 500 }, bug: true };
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

/** What Fastify and its plugins refuse by themselves. */
const frameworkRefusals: Record<string, readonly [AppErrorKind, string, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupported,
  FST_ERR_CTP_INVALID_TYPE: unsupported,
  FST_ERR_CTP_BODY_TOO_LARGE: ['too-large', 'TOO_LARGE', 'This is larger than the call accepts.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid', 'INVALID_INPUT', 'The length of the body is not the announced one.'],
  FST_ERR_BAD_URL: ['invalid', 'INVALID_INPUT', 'The address cannot be read.'],
  FST_ERR_MAX_PARAM_LENGTH: ['not-found', 'NOT_FOUND', 'There is nothing here.'],
  FST_ERR_ROUTE_NOT_FOUND: ['not-found', 'NOT_FOUND', 'There is nothing here.'],
};

function ofFramework(error: unknown): AppError | undefined {
  if (!(error instanceof Error)) return undefined;
  const refusal = frameworkRefusals[(error as NodeJS.ErrnoException).code ?? ''];
  return refusal && new AppError(...refusal, { cause: error });
}
