import { ProviderError } from '#kernel/errors.ts';
import { WorkBudget, WorkLimitError, type WorkLimits } from '#kernel/work-budget.ts';
import { aborted, networkFailure, timedOut, tooMuchData } from '../rest/network-failures.ts';
import { type DavOperation, loginPage, redirectRefused, refusal } from './errors.ts';
import { assertTrusted, type CaldavProfile } from './profiles.ts';
import { readConditions } from './xml.ts';

/** One HTTP exchange without redirects, retries or opinions; production gives the SSRF-safe one, tests any they like. */
export type CaldavHttp = (request: CaldavHttpRequest) => Promise<CaldavHttpResponse>;

export interface CaldavHttpRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
  /** The layer may stop earlier than the reader does; both count decoded bytes. */
  maxBytes: number;
  /** The body is wanted as it came, not as text. */
  asBytes?: boolean;
}

export interface CaldavHttpResponse {
  status: number;
  /** Lower-case names; a repeated header joined with a comma. */
  headers: Record<string, string | undefined>;
  body: string | (AsyncIterable<Uint8Array> & { destroy?(): unknown });
}

export interface DavRequest {
  operation: DavOperation;
  method: 'PROPFIND' | 'REPORT' | 'POST' | 'PUT' | 'DELETE' | 'GET' | 'OPTIONS';
  url: string;
  depth?: '0' | '1';
  body?: string;
  contentType?: string;
  ifMatch?: string;
  ifNoneMatch?: string;
  maxBytes?: number;
  /** The body is read as bytes: text that is no UTF-8 would lose them. */
  asBytes?: boolean;
  signal: AbortSignal;
  /** Statuses the caller wants to see itself, beside 2xx. */
  accept?: readonly number[];
}

export interface DavReply {
  status: number;
  headers: Record<string, string | undefined>;
  /** Where the answer came from, after redirects. */
  url: string;
  body: string | AsyncIterable<Uint8Array>;
  /** The budget of the view that sent the request; the bytes of the body count against it. */
  budget: WorkBudget | undefined;
  /** The whole body as text, within the byte limit. */
  text(): Promise<string>;
  /** The whole body as it came, within the byte limit. */
  bytes(): Promise<Uint8Array>;
}

export interface DavClient {
  readonly origin: string;
  readonly nowMs: () => number;
  /** Sends, follows redirects, and gives the answer to `read` while the deadline still runs. */
  send<T>(request: DavRequest, read: (reply: DavReply) => Promise<T>): Promise<T>;
  /** Requests sent through this view so far, redirects included. */
  readonly sent: { count: number };
  /**
   * The same client with a count of its own, so that calls running side by side are told apart, and with the budget of a
   * reading. *Errors* of its requests: also WorkLimitError past the budget.
   */
  counting(budget?: WorkBudget): DavClient;
}

export interface DavClientOptions {
  baseUrl: string;
  username: string;
  password: string;
  profile: CaldavProfile;
  http: CaldavHttp;
  nowMs: () => number;
  /** Deadline of one exchange, body included. */
  timeoutMs?: number;
}

/** Limits of 3.6: an answer with events 10 MB; a listing of names and versions may be longer, it is streamed. */
export const answerBytes = 10_000_000;
export const listingBytes = 64_000_000;
/** A write is answered with a line or two. */
const writeAnswerBytes = 1_000_000;

const maxRedirects = 5;
const errorBytes = 65_536;

export function createDavClient(options: DavClientOptions): DavClient {
  const base = new URL(options.baseUrl);
  const credential =
    options.username === '' && options.password === ''
      ? undefined
      : `Basic ${Buffer.from(`${options.username}:${options.password}`, 'utf8').toString('base64')}`;
  const timeoutMs = options.timeoutMs ?? 30_000;
  let throttledInARow = 0;

  async function exchange(request: DavRequest, { sent, budget }: View, signal: AbortSignal): Promise<DavReply> {
    const isWrite = request.method === 'PUT' || request.method === 'DELETE';
    const maxBytes = request.maxBytes ?? (isWrite ? writeAnswerBytes : answerBytes);
    const headers: Record<string, string> = { 'user-agent': 'Holdfast (CalDAV)' };
    if (credential !== undefined) headers.authorization = credential;
    if (request.depth !== undefined) headers.depth = request.depth;
    if (request.body !== undefined) headers['content-type'] = request.contentType ?? 'application/xml; charset=utf-8';
    if (request.ifMatch !== undefined) headers['if-match'] = request.ifMatch;
    if (request.ifNoneMatch !== undefined) headers['if-none-match'] = request.ifNoneMatch;
    let url = request.url;
    for (let hop = 0; ; hop += 1) {
      // Refs come from servers: whatever they say, the password goes only where it may.
      assertTrusted(base, url, options.profile);
      sent.count += 1;
      const response = await options.http({
        method: request.method,
        url,
        headers,
        body: request.body,
        signal,
        maxBytes,
        ...(request.asBytes === true && { asBytes: true }),
      });
      const target = redirectTarget(response, url);
      if (target === null) {
        const body = bounded(response.body, { maxBytes, url, budget });
        return {
          status: response.status,
          headers: response.headers,
          url,
          body,
          budget,
          text: async () => new TextDecoder().decode(await gather(body, maxBytes, url)),
          bytes: () => gather(body, maxBytes, url),
        };
      }
      discard(response);
      if (hop === maxRedirects) throw redirectRefused(hostOf(url), hostOf(target), 'too-many');
      url = target;
    }
  }

  /** A throttle often lasts longer than its Retry-After says (iCloud), so the wait grows until an answer comes. */
  function patient(error: ProviderError): ProviderError {
    if (error.kind !== 'rate-limited') return error;
    const floorMs = options.profile.retryFloorMs * 2 ** Math.min(throttledInARow, 8);
    throttledInARow += 1;
    return new ProviderError(error.kind, error.code, error.message, {
      retryAfterMs: Math.max(error.retryAfterMs ?? 0, floorMs),
      requestId: error.requestId,
    });
  }

  async function send<T>(request: DavRequest, view: View, read: (reply: DavReply) => Promise<T>): Promise<T> {
    const { signal } = request;
    if (signal.aborted) throw aborted(signal.reason);
    const controller = new AbortController();
    const stop = () => controller.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      controller.abort(timedOut(hostOf(request.url)));
    }, timeoutMs);
    let reply: DavReply | undefined;
    try {
      reply = await exchange(request, view, controller.signal);
      if ((reply.status >= 200 && reply.status < 300) || request.accept?.includes(reply.status)) {
        refuseWebPage(reply);
        throttledInARow = 0;
        // nothing more to wait for once the body is here, unless the reader asks again under a deadline of its own
        return typeof reply.body === 'string' ? await read(reply) : await untilAborted(read(reply), controller.signal);
      }
      throw patient(await toRefusal(request, reply, options.nowMs()));
    } catch (error) {
      if (signal.aborted) throw aborted(signal.reason);
      const host = hostOf(request.url);
      if (late) throw timedOut(host, error);
      throw error instanceof ProviderError || error instanceof WorkLimitError ? error : networkFailure(error, host);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      if (reply !== undefined) discard(reply);
    }
  }

  const counting = (budget?: WorkBudget): DavClient => {
    const sent = { count: 0 };
    return {
      origin: base.origin,
      nowMs: options.nowMs,
      sent,
      send: (request, read) => send(request, { sent, budget }, read),
      counting,
    };
  };
  return counting();
}

interface View {
  sent: { count: number };
  budget: WorkBudget | undefined;
}

/** Does work that has a budget of its own. *Errors*: ProviderError `TOO_LARGE` past it, and whatever the work throws. */
export async function withinLimits<T>(
  dav: DavClient,
  limits: WorkLimits,
  work: (dav: DavClient, budget: WorkBudget) => Promise<T>,
): Promise<T> {
  const budget = new WorkBudget(limits);
  try {
    return await work(dav.counting(budget), budget);
  } catch (error) {
    throw error instanceof WorkLimitError ? tooMuchData(new URL(dav.origin).host) : error;
  }
}

const longestLocation = 2_000;

function redirectTarget(response: CaldavHttpResponse, from: string): string | null {
  switch (response.status) {
    case 301:
    case 302:
    case 303:
    case 307:
    case 308: {
      const location = response.headers.location;
      // an address is stored, and has to fit into an index
      if (location === undefined || location.length > longestLocation || !URL.canParse(location, from)) return null;
      const target = new URL(location, from);
      target.username = '';
      target.password = '';
      target.hash = '';
      return target.href;
    }
    default:
      return null;
  }
}

/** A sign-in page with status 200 is the commonest way for a wrong address or a portal to look like success. */
function refuseWebPage(reply: DavReply): void {
  const type = reply.headers['content-type'];
  if (type !== undefined && /^(?:text\/html|application\/xhtml\+xml)/i.test(type) && reply.status !== 404) {
    // Radicale and SOGo send text/html with an empty body on some successes.
    if (reply.headers['content-length'] === '0' || reply.status === 204 || reply.status === 201) return;
    throw loginPage();
  }
}

/** Statuses whose meaning does not depend on the condition in the body. */
const saysAll = (status: number) => [401, 404, 410, 412, 429].includes(status) || status >= 500;

async function toRefusal(request: DavRequest, reply: DavReply, nowMs: number): Promise<ProviderError> {
  const read = gather(reply.body, errorBytes, reply.url).then((bytes) => new TextDecoder().decode(bytes));
  const text = await read.catch((error: unknown) => {
    // a condition that broke off on its way decides nothing: the connection failed, whatever it would have said
    if (error instanceof ProviderError || saysAll(reply.status)) return '';
    throw error;
  });
  return refusal({
    operation: request.operation,
    status: reply.status,
    host: hostOf(reply.url),
    conditions: await readConditions({ body: text, url: reply.url }),
    text: text.slice(0, 2_000),
    retryAfter: reply.headers['retry-after'],
    requestId: reply.headers['x-request-id'],
    challenge: reply.headers['www-authenticate'],
    nowMs,
  });
}

/** Rejects as soon as the signal fires, even where a body ignores it. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function bounded(
  body: CaldavHttpResponse['body'],
  { maxBytes, url, budget }: { maxBytes: number; url: string; budget: WorkBudget | undefined },
): CaldavHttpResponse['body'] {
  if (typeof body === 'string') {
    if (body.length > maxBytes) throw tooMuchData(hostOf(url));
    budget?.spend('bytes', body.length);
    return body;
  }
  const source = body;
  return {
    destroy: () => source.destroy?.(),
    async *[Symbol.asyncIterator]() {
      let bytes = 0;
      for await (const chunk of source) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) throw tooMuchData(hostOf(url));
        budget?.spend('bytes', chunk.byteLength);
        yield chunk;
      }
    },
  };
}

async function gather(body: DavReply['body'], maxBytes: number, url: string): Promise<Uint8Array> {
  if (typeof body === 'string') {
    if (body.length > maxBytes) throw tooMuchData(hostOf(url));
    return Buffer.from(body, 'utf8');
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooMuchData(hostOf(url));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Lets go of a body nobody read; a stream left open keeps its socket out of the pool. */
function discard(holder: { body: DavReply['body'] }): void {
  const { body } = holder;
  if (typeof body !== 'string' && 'destroy' in body && typeof body.destroy === 'function') body.destroy();
}

function hostOf(url: string): string {
  return new URL(url).host;
}
