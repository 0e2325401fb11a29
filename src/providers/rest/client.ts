import { ProviderError } from '#kernel/errors.ts';
import type { ApiFetch } from '#platform/api-fetch.ts';
import type { AccessTokens } from '../port.ts';
import { aborted, badAnswer, networkFailure, timedOut, tooMuchData } from './network-failures.ts';
import type { RequestGate } from './request-gate.ts';

export interface RestRequest {
  /** Operation in the provider's own word (`insert`, `list`), because refusals mean different things for each. */
  operation: string;
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below the base, its segments percent-encoded: `/calendars/x/events`. Or a whole link that the API gave. */
  target: string;
  /** Added to the target; what is undefined is left out. */
  query?: Record<string, string | number | boolean | undefined>;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** How many requests the provider counts this one as; 1 unless given. */
  weight?: number;
  /** Ceiling of the unpacked answer; 10 MB unless given. */
  maxBytes?: number;
  signal: AbortSignal;
}

export interface RestReply {
  status: number;
  headers: Headers;
  /** The parsed body; null where there is none. Nothing in it is believed yet. */
  json: unknown;
  requestId: string | undefined;
}

/** An answer that is no success. */
export interface RestRefusal extends RestReply {
  operation: string;
  nowMs: number;
}

export interface RestOptions {
  /** Root of the API, e.g. `https://graph.microsoft.com/v1.0`. Nothing is ever sent elsewhere. */
  baseUrl: string;
  /** The provider's name, for sentences: `Google`. */
  service: string;
  fetch: ApiFetch;
  tokens: AccessTokens;
  /** Translates an answer outside 2xx. A 401 that it calls `auth` is asked again once, with another token. */
  refusal(answer: RestRefusal): ProviderError;
  /** Paces the account; the wait for it is not part of the deadline. Without one nothing is paced. */
  gate?: RequestGate | undefined;
  nowMs: () => number;
  /** Deadline of one exchange, body included; 30 s unless given. */
  timeoutMs?: number;
}

export interface RestClient {
  /**
   * One exchange. Nothing is retried but a 401, once, with a new token.
   *
   * *Errors*: ProviderError: what `refusal` makes of the answer, `transient` for silence and for what cannot be read.
   */
  send(request: RestRequest): Promise<RestReply>;
  /** Requests sent through this view so far. */
  readonly sent: { count: number };
  /** Converts a failed part of a batch to the error that `send` would throw. The account is paced accordingly. */
  refuse(part: { status: number; headers: Headers; json: unknown; operation: string }): ProviderError;
  /** Whether a link leads to this API; the token goes nowhere else. */
  reaches(link: string): boolean;
  /** The same client with a count of its own, so that calls running side by side are told apart. */
  counting(): RestClient;
}

const answerBytes = 10_000_000;
const refusalBytes = 65_536;
/** Pause after "too many requests" without a stated time. */
const shortHoldMs = 1_000;

/** JSON over HTTPS with an OAuth token: what the adapters of Google and Microsoft share. */
export function createRestClient(options: RestOptions): RestClient {
  const base = new URL(options.baseUrl);
  const timeoutMs = options.timeoutMs ?? 30_000;

  async function send(request: RestRequest, sent: { count: number }): Promise<RestReply> {
    const url = urlOf(base, request);
    for (let attempt = 1; ; attempt += 1) {
      const token = await tokenFor(request.signal);
      const answer = await paced(request, () => {
        sent.count += 1;
        return exchange(request, url, token);
      });
      if (answer.status >= 200 && answer.status < 300) return answer;
      const error = refuse({ ...answer, operation: request.operation });
      if (answer.status !== 401 || error.kind !== 'auth' || attempt === 2) throw error;
      options.tokens.refuse(token);
    }
  }

  function refuse(answer: Omit<RestRefusal, 'nowMs'>): ProviderError {
    const error = options.refusal({ ...answer, nowMs: options.nowMs() });
    if (error.kind === 'rate-limited') options.gate?.hold(error.retryAfterMs ?? shortHoldMs);
    return error;
  }

  async function paced<T>({ signal, weight }: RestRequest, work: () => Promise<T>): Promise<T> {
    if (options.gate === undefined) return work();
    try {
      return await options.gate.run(work, signal, weight);
    } catch (error) {
      throw signal.aborted && !(error instanceof ProviderError) ? aborted(signal.reason) : error;
    }
  }

  async function tokenFor(signal: AbortSignal): Promise<string> {
    if (signal.aborted) throw aborted(signal.reason);
    try {
      return await options.tokens.get(signal);
    } catch (error) {
      if (signal.aborted && !(error instanceof ProviderError)) throw aborted(error);
      throw error;
    }
  }

  async function exchange(request: RestRequest, url: URL, token: string): Promise<RestReply> {
    const { signal } = request;
    if (signal.aborted) throw aborted(signal.reason);
    const controller = new AbortController();
    const stop = () => controller.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      controller.abort(timedOut(options.service));
    }, timeoutMs);
    try {
      const response = await options.fetch(url.href, {
        method: request.method,
        headers: {
          accept: 'application/json',
          'user-agent': 'Holdfast (gzip)',
          authorization: `Bearer ${token}`,
          ...(request.body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
          ...request.headers,
        },
        body: request.body === undefined ? null : JSON.stringify(request.body),
        signal: controller.signal,
      });
      return await read(response, request.maxBytes ?? answerBytes);
    } catch (error) {
      if (signal.aborted) throw aborted(signal.reason);
      if (late) throw timedOut(options.service, error);
      throw error instanceof ProviderError ? error : silence(error, options.service);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  async function read(response: Response, maxBytes: number): Promise<RestReply> {
    const { status, headers } = response;
    const requestId = headers.get('request-id') ?? headers.get('x-request-id') ?? undefined;
    if (response.ok) {
      const text = await textOf(response, maxBytes, options.service);
      return { status, headers, requestId, json: text === '' ? null : parseAnswer(text, headers) };
    }
    const text = await textOf(response, refusalBytes, options.service).catch((error: unknown) => {
      // words that broke off on their way decide nothing: the connection failed, whatever they would have said
      if (error instanceof ProviderError || saysAll(status)) return '';
      throw error;
    });
    return { status, headers, requestId, json: parseRefusal(text) };
  }

  const counting = (): RestClient => {
    const sent = { count: 0 };
    return {
      sent,
      send: (request) => send(request, sent),
      refuse: (part) => refuse({ ...part, requestId: undefined }),
      reaches: (link) => isBelow(base, link),
      counting,
    };
  };
  return counting();
}

/** Statuses whose meaning does not depend on the text. */
const saysAll = (status: number) => status === 401 || status === 429 || status >= 500;

function isBelow(base: URL, link: string): boolean {
  const url = URL.parse(link);
  return url !== null && url.origin === base.origin && url.pathname.startsWith(base.pathname);
}

/** The address of a request: below the base, or a link that leads there. The token goes nowhere else. */
function urlOf(base: URL, request: RestRequest): URL {
  const { target, query } = request;
  const url = /^https?:/i.test(target) ? new URL(target) : new URL(base.href.replace(/\/$/, '') + target);
  if (!isBelow(base, url.href)) {
    throw new ProviderError(
      'rejected',
      'OTHER_SITE',
      `${base.host} redirected us to ${url.host}. We didn't follow, for security.`,
    );
  }
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

async function textOf(response: Response, maxBytes: number, service: string): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  // Leaving the loop early cancels the body, which lets go of its socket.
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooMuchData(service);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** A portal's sign-in page with status 200, a page of an overloaded front end, an answer cut in the middle. */
function parseAnswer(text: string, headers: Headers): unknown {
  if (/^text\/html/i.test(headers.get('content-type') ?? '')) throw badAnswer('it is a web page');
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the answer: somebody's event has no place in a log.
    throw badAnswer("it isn't JSON, or is incomplete");
  }
}

function parseRefusal(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Words for an address that nobody entered, and nobody can mend: unlike an account's own server. */
function silence(cause: unknown, service: string): ProviderError {
  const error = networkFailure(cause, service);
  if (error.code !== 'UNREACHABLE') return error;
  return new ProviderError('transient', 'UNREACHABLE', `We can't reach ${service}. We'll try again.`, { cause });
}
