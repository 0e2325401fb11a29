import type * as z from 'zod/mini';

/**
 * Endpoints as data. A feature's `contract.ts` lists them; the server binds handlers to them, the browser's client and
 * the OpenAPI document are made from them. Schemas are zod codecs (no transforms): decode on the way in, encode on the
 * way out. Objects of an input are `z.strictObject`, so that unknown keys are refused (a test holds every contract to
 * it); an output's `z.object` drops what it does not name, its `z.strictObject` makes that a fault.
 */

/** The allowed callers. `user` and `admin` need a session. The use case checks object-level rights. */
export type Auth = 'public' | 'user' | 'admin';

export type Schema = z.ZodMiniType;

/** So many at once, and as many again over each period, spread evenly (GCRA). */
export interface Allowance {
  /** Name of the limit, e.g. `sign-in per account`. */
  action: string;
  burst: number;
  periodSeconds: number;
}

export interface Endpoint<
  Params extends Schema | undefined = Schema | undefined,
  Query extends Schema | undefined = Schema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Output extends Schema = Schema,
  Code extends string = string,
  Caller extends Auth = Auth,
> {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** With `{name}` for path parameters, exactly as in the specification. */
  path: string;
  auth: Caller;
  summary: string;
  params?: Params;
  query?: Query;
  body?: Body;
  /** Shape of the answer; `z.void()` for an answer without a body (204). */
  output: Output;
  /** Codes of AppErrors this endpoint throws beyond `generalErrors`. */
  errors?: readonly Code[];
  /** Answer status when it is not 200 (201, 202, 204). */
  status?: 201 | 202 | 204;
  /**
   * A browser is sent here and on: the handler gives the address, the answer is 303 See Other. Where a browser is
   * refused it goes to this page, which is told `status=error` and `message`.
   */
  sendsTo?: `/${string}`;
  /** Takes the header Idempotency-Key: a request that is repeated under the same one does nothing more. */
  takesIdempotencyKey?: true;
  /** Requests of one network (IPv6: one /64, and three times as many of one /48), in one process, where that is less than every call is allowed. */
  requestsPerMinute?: number;
  /**
   * The limit of one network and its IPv6 site, in all processes; taken before the body is read. `sparesKnown`: the handler takes
   * that of the site, and not for callers that it knows.
   */
  allowance?: Allowance & { sparesKnown?: true };
  /** Largest body in bytes; default 256 KiB, and 16 KiB where anybody may call: more needs an `allowance`. */
  bodyLimit?: number;
  /** The body is not JSON but a file as it is, of one of these media types; its schema is `fileBytes`. */
  takesFile?: readonly string[];
  /** The answer is not JSON but a file of this media type, to be kept; its schema is `fileAnswer`. */
  sendsFile?: string;
  /** The form of a file that is JSON, for the API reference. */
  fileShape?: Schema;
}

/** Keeps the exact types of an endpoint, absent parts as `undefined`; does nothing at run time. */
export function endpoint<
  Output extends Schema,
  Params extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
  const Code extends string = never,
  const Caller extends Auth = Auth,
>(
  definition: Endpoint<Params, Query, Body, Output, Code, Caller>,
): Endpoint<Params, Query, Body, Output, Code, Caller> {
  return definition;
}

export type Contract = Readonly<Record<string, Endpoint>>;

/** Codes that any endpoint may answer with, and what each means. */
export const generalErrors = {
  INVALID_INPUT: 'The request does not have the form that this call asks for; `fields` names what is wrong.',
  UNAUTHENTICATED: 'There is no session, or it has ended.',
  FORBIDDEN: 'The session does not give this right.',
  MFA_NEEDED: 'The rights of an administrator need a second factor, which this session was opened without.',
  IMPERSONATING: 'An administrator is here in a person’s place, and this is for the person alone.',
  CROSS_SITE: 'A browser sent this from another site.',
  NOT_FOUND: 'There is nothing here, or nothing of yours.',
  METHOD_NOT_ALLOWED: 'The path exists, but not with this method; see the Allow header.',
  TOO_LARGE: 'The body is larger than this call accepts.',
  UNSUPPORTED_TYPE: 'The body is not of the type that this call accepts: application/json in UTF-8, as a rule.',
  LIMITED: 'Too many attempts; see the Retry-After header.',
  INTERNAL: 'A fault on the server; the request id finds it in the log.',
  UNAVAILABLE: 'Cannot be served for the moment; try again.',
} as const;

export type GeneralErrorCode = keyof typeof generalErrors;

// `params?: Params` reads back as `Params | undefined`, hence NonNullable; nothing left means the part is absent.
type Present<S> = NonNullable<S> extends Schema ? ([NonNullable<S>] extends [never] ? false : true) : false;
type Decoded<S> = [NonNullable<S>] extends [never] ? undefined : z.output<NonNullable<S>>;

/** The argument of a handler: the decoded parts, absent ones `undefined`. */
export interface Input<E extends Endpoint> {
  params: Decoded<E['params']>;
  query: Decoded<E['query']>;
  body: Decoded<E['body']>;
}

export type Output<E extends Endpoint> = z.output<E['output']>;

type DeclaredCode<E extends Endpoint> = NonNullable<E['errors']>[number];
/** Every code a caller of this endpoint can meet. */
export type ErrorCode<E extends Endpoint> = DeclaredCode<E> | GeneralErrorCode;

type Part<Name extends string, S> =
  Present<S> extends true
    ? Record<never, never> extends Decoded<S>
      ? { [K in Name]?: Decoded<S> }
      : { [K in Name]: Decoded<S> }
    : unknown;
// An empty object type accepts anything, so no parts is spelt as an index without values.
type Flat<T> = [keyof T] extends [never] ? Record<string, never> : { [K in keyof T]: T[K] };

/**
 * The argument of a client: only the parts that the endpoint has. A part whose keys are all optional may be left out.
 */
export type CallInput<E extends Endpoint> = Flat<
  Part<'params', E['params']> & Part<'query', E['query']> & Part<'body', E['body']>
>;

/** Names of the `{parameters}` of a path, in order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] as string);
}
