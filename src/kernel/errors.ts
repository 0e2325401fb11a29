/** How the product says no. Use-cases throw an AppError, adapters a ProviderError; anything else is a bug. */

export type AppErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'gone'
  | 'too-large'
  | 'unsupported'
  | 'unprocessable'
  | 'limited'
  | 'unavailable';

/** The one table from kind to HTTP status. */
export const httpStatusOf: Record<AppErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  gone: 410,
  'too-large': 413,
  unsupported: 415,
  unprocessable: 422,
  limited: 429,
  unavailable: 503,
};

/** Marks a piece that is filled into a message: `scripts/list-errors.ts` finds it, and it is translated separately. */
export const part = (text: string): string => text;

/**
 * An error a person or a client can act on. `code` is declared by the endpoint's contract. `message` says what
 * happened, what was kept and what to do. `fields` maps an input path to its own message, or holds values for the
 * screen (declared by the use case).
 */
export class AppError extends Error {
  readonly kind: AppErrorKind;
  readonly code: string;
  readonly fields: Record<string, string> | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: AppErrorKind,
    code: string,
    message: string,
    options: { cause?: unknown; fields?: Record<string, string>; retryAfterMs?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.kind = kind;
    this.code = code;
    this.fields = options.fields;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/**
 * The meaning of a provider's failure for the engine.
 * - auth: the credential no longer works; only this kind marks a connection "needs reconnect"
 * - rate-limited: try later, not before `retryAfterMs`
 * - cursor-expired: forget the cursor and list everything
 * - not-found: the object or calendar is not there (deleting it is then done)
 * - precondition: somebody else changed it first (412); read again, never force
 * - rejected: permanent refusal of this object (too large, read-only, invalid); retrying does not help
 * - transient: everything that may work next time, including an unknown outcome
 */
export type ProviderErrorKind =
  | 'auth'
  | 'rate-limited'
  | 'cursor-expired'
  | 'not-found'
  | 'precondition'
  | 'rejected'
  | 'transient';

/** A provider's refusal or silence, translated by its adapter. Only the sync engine decides about retries. */
export class ProviderError extends Error {
  readonly kind: ProviderErrorKind;
  /** Stable machine word for screens and audit, e.g. `LOGIN_PAGE`, `TLS`, `READ_ONLY`, `TIMEOUT`. */
  readonly code: string;
  readonly retryAfterMs: number | undefined;
  readonly requestId: string | undefined;

  constructor(
    kind: ProviderErrorKind,
    code: string,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number; requestId?: string } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ProviderError';
    this.kind = kind;
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
    this.requestId = options.requestId;
  }
}
