import type * as z from 'zod/mini';

/**
 * Endpoints as data. A feature's `contract.ts` lists them; the server binds handlers to them, the browser's client and
 * the OpenAPI document are made from them. Schemas are zod codecs (no transforms): decode on the way in, encode on the
 * way out.
 */

/** Who may call. `user` and `admin` need a session; object-level rights are the use-case's to check. */
export type Auth = 'public' | 'user' | 'admin';

export interface Endpoint<
  Params extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
  Body extends z.ZodMiniType = z.ZodMiniType,
  Output extends z.ZodMiniType = z.ZodMiniType,
  Code extends string = string,
> {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** With `{name}` for path parameters, exactly as in the specification. */
  path: string;
  auth: Auth;
  summary: string;
  params?: Params;
  query?: Query;
  body?: Body;
  output: Output;
  /** Codes of AppErrors this endpoint throws beyond the general ones. */
  errors?: readonly Code[];
  /** Answer status when it is not 200 (201, 202, 204). */
  status?: number;
  /** Largest body in bytes; default 256 KiB. */
  bodyLimit?: number;
}

/** Keeps the literal types of an endpoint; does nothing at run time. */
export function endpoint<
  Params extends z.ZodMiniType,
  Query extends z.ZodMiniType,
  Body extends z.ZodMiniType,
  Output extends z.ZodMiniType,
  const Code extends string = never,
>(definition: Endpoint<Params, Query, Body, Output, Code>): Endpoint<Params, Query, Body, Output, Code> {
  return definition;
}

export type Contract = Record<string, Endpoint>;

type Decoded<S> = S extends z.ZodMiniType ? z.output<S> : undefined;

/** What a handler receives and a client passes: the decoded parts, absent ones undefined. */
export interface Input<E extends Endpoint> {
  params: Decoded<E['params']>;
  query: Decoded<E['query']>;
  body: Decoded<E['body']>;
}

export type Output<E extends Endpoint> = z.output<E['output']>;
export type ErrorCode<E extends Endpoint> = E['errors'] extends readonly (infer C)[] ? C : never;
