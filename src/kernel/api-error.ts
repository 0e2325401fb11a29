/** A refusal of the server (or its silence: status 0, code `NETWORK`), as a screen meets it. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Finds the request in the server's log. */
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  /** The answer's body as it came. */
  readonly data: unknown;

  constructor(
    status: number,
    code: string,
    message: string,
    options: {
      fields?: Record<string, string> | undefined;
      requestId?: string | undefined;
      retryAfterMs?: number | undefined;
      data?: unknown;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.fields = options.fields ?? {};
    this.requestId = options.requestId;
    this.retryAfterMs = options.retryAfterMs;
    this.data = options.data;
  }
}

/** Error of a request without an answer. */
export const silence = (cause: unknown): ApiError =>
  new ApiError(0, 'NETWORK', 'The server cannot be reached. Check your connection and try again.', { cause });

/** JSON where it is JSON, else the text: a proxy in between may answer with a page. */
export function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** An answer that is a refusal, read from its body and its headers. */
export function refusalOf(response: Response, data: unknown): ApiError {
  const detail = isRecord(data) && isRecord(data.detail) ? data.detail : {};
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError(response.status, typeof detail.code === 'string' ? detail.code : 'UNKNOWN', errorMessage(data), {
    fields: isRecord(detail.fields) ? (detail.fields as Record<string, string>) : undefined,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : undefined,
    data,
  });
}

/**
 * Returns the text to show for a refused call: `detail` (text, or its message or error), else `error`, else `message`.
 */
export function errorMessage(data: unknown): string {
  if (!isRecord(data)) return 'Request failed';
  const { detail } = data;
  const candidates = [
    detail,
    isRecord(detail) && detail.message,
    isRecord(detail) && detail.error,
    data.error,
    data.message,
  ];
  return candidates.find((one): one is string => typeof one === 'string' && one !== '') ?? 'Request failed';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
