import * as z from 'zod/mini';
import { ApiError, parseAnswer, refusalOf, silence } from '#kernel/api-error.ts';
import type { CallInput, Contract, Endpoint, ErrorCode, Output } from '#kernel/contract.ts';

export { ApiError, errorMessage } from '#kernel/api-error.ts';

/**
 * The code of a failed call, as the union its contract declares, so that a screen's `switch` is checked.
 * `undefined` for whatever is not an answer of the server.
 */
export function errorCodeOf<E extends Endpoint>(_endpoint: E, error: unknown): ErrorCode<E> | 'NETWORK' | undefined {
  return error instanceof ApiError ? (error.code as ErrorCode<E> | 'NETWORK') : undefined;
}

export interface ClientOptions {
  /** Origin of the server; empty for the page's own. */
  baseUrl?: string;
  fetch?: typeof globalThis.fetch;
  /** Extra headers of every call, computed for each call (a Bearer token). */
  headers?: () => Record<string, string>;
}

export interface CallOptions {
  signal?: AbortSignal;
}

type Call<E extends Endpoint> =
  Record<never, never> extends CallInput<E>
    ? (input?: CallInput<E>, options?: CallOptions) => Promise<Output<E>>
    : (input: CallInput<E>, options?: CallOptions) => Promise<Output<E>>;

export type Client<C extends Contract> = { readonly [K in keyof C]: Call<C[K]> };

interface AnyInput {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

/**
 * One function per endpoint of a contract; inputs are encoded and answers decoded by its schemas.
 * *Errors*: ApiError; an abort passes through as the signal's own reason.
 */
export function createClient<const C extends Contract>(contract: C, options: ClientOptions = {}): Client<C> {
  const calls = Object.entries(contract).map(([name, endpoint]) => [
    name,
    (input: AnyInput = {}, callOptions: CallOptions = {}) => call(endpoint, input, options, callOptions),
  ]);
  return Object.fromEntries(calls) as Client<C>;
}

/** Path and query of a call, e.g. for links and for cache keys. Throws where the input does not fit the schema. */
export function urlOf<E extends Endpoint>(endpoint: E, input: Omit<CallInput<E>, 'body'>): string {
  return pathAndQuery(endpoint, input as AnyInput);
}

function pathAndQuery(endpoint: Endpoint, input: AnyInput): string {
  const params = endpoint.params ? (z.encode(endpoint.params, input.params) as Record<string, unknown>) : {};
  const path = endpoint.path.replace(/\{([^{}]+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  const query = endpoint.query ? (z.encode(endpoint.query, input.query ?? {}) as Record<string, unknown>) : {};
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) search.append(name, String(one));
    }
  }
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

async function call(
  endpoint: Endpoint,
  input: AnyInput,
  options: ClientOptions,
  callOptions: CallOptions,
): Promise<unknown> {
  const url = `${options.baseUrl ?? ''}${pathAndQuery(endpoint, input)}`;
  const headers: Record<string, string> = { accept: 'application/json', ...options.headers?.() };
  const init: RequestInit = { method: endpoint.method, credentials: 'include', headers };
  if (callOptions.signal) init.signal = callOptions.signal;
  if (endpoint.takesFile !== undefined) {
    init.body = input.body as NonNullable<RequestInit['body']>;
    headers['content-type'] = 'application/octet-stream';
  } else if (endpoint.body) {
    let body = input.body ?? {};
    try {
      body = z.encode(endpoint.body, body) as object;
    } catch {
      // the server refuses what does not fit, by field and in the language of the reader
    }
    init.body = JSON.stringify(body);
    headers['content-type'] = 'application/json';
  }
  let response: Response;
  let text: string;
  try {
    response = await (options.fetch ?? globalThis.fetch)(url, init);
    text = await response.text();
  } catch (cause) {
    if (callOptions.signal?.aborted) throw callOptions.signal.reason;
    throw silence(cause);
  }
  const data = parseAnswer(text);
  if (!response.ok) throw refusalOf(response, data);
  const decoded = z.safeDecode(endpoint.output, (response.status === 204 ? undefined : data) as never);
  if (!decoded.success) {
    throw new ApiError(response.status, 'UNEXPECTED_ANSWER', 'Request failed', {
      data,
      cause: decoded.error,
      requestId: response.headers.get('x-request-id') ?? undefined,
    });
  }
  return decoded.data;
}
