import type { SafeFetch } from '#platform/fetch.ts';
import { tooMuchData } from '../rest/network-failures.ts';
import type { CaldavHttp, CaldavHttpRequest, CaldavHttpResponse } from './http.ts';

type Dispatcher = SafeFetch['dispatcher'];
type Method = Parameters<Dispatcher['request']>[0]['method'];

/** Answers up to this size come as a string: one buffer, no stream machinery on the quiet path. */
const inlineBytes = 262_144;

/**
 * CalDAV over the pool of the SSRF-safe fetch, which decides what may be reached. No compression is asked for: a proxy
 * that compresses changes the ETag (`-gzip`), and a later If-Match then fails.
 */
export function caldavHttpOver(dispatcher: Dispatcher): CaldavHttp {
  const splitUrl = urlSplitter();
  return async (request) => {
    const exchange = {
      ...splitUrl(request.url),
      method: request.method as Method,
      headers: request.headers,
      body: request.body ?? null,
      // undici would close the socket after a REPORT, whose body it does not expect: a handshake for every question
      reset: false,
    };
    // a write is answered with a line or two
    if (request.method === 'PUT' || request.method === 'DELETE')
      return await exchangeWhole(dispatcher, exchange, request);
    const { signal, maxBytes } = request;
    const response = await dispatcher.request({ ...exchange, signal });
    const length = Number(response.headers['content-length'] ?? Number.NaN);
    const small = request.asBytes !== true && length <= Math.min(inlineBytes, maxBytes);
    return {
      status: response.statusCode,
      headers: joined(response.headers),
      body: small ? await response.body.text() : streamOf(response.body),
    };
  };
}

/** Without a stream, which is a third of our own work in a write. Errors: those of undici, and too much data. */
function exchangeWhole(
  dispatcher: Dispatcher,
  exchange: Parameters<Dispatcher['dispatch']>[0],
  { url, signal, maxBytes }: CaldavHttpRequest,
): Promise<CaldavHttpResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<CaldavHttpResponse>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  let answer: Omit<CaldavHttpResponse, 'body'> = { status: 0, headers: {} };
  // replaced as soon as the request has a socket; until then it waits in its pool and is stopped when it gets one
  let hangUp = (_reason: Error) => {};
  const stop = () => {
    hangUp(signal.reason);
    reject(signal.reason);
  };
  signal.addEventListener('abort', stop, { once: true });
  dispatcher.dispatch(exchange, {
    onRequestStart(controller) {
      hangUp = (reason) => controller.abort(reason);
      if (signal.aborted) stop();
    },
    onResponseStart(_, status, headers) {
      answer = { status, headers: joined(headers) };
    },
    onResponseData(controller, chunk) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) controller.abort(tooMuchData(new URL(url).host));
      else chunks.push(chunk);
    },
    onResponseEnd() {
      signal.removeEventListener('abort', stop);
      resolve({ ...answer, body: bytes === 0 ? '' : Buffer.concat(chunks).toString('utf8') });
    },
    onResponseError(_, error) {
      signal.removeEventListener('abort', stop);
      reject(error);
    },
  });
  return promise;
}

/** Origin and path of a URL; what a plain path holds needs no parsing but once per origin. */
function urlSplitter(): (url: string) => { origin: string; path: string } {
  const origins = new Map<string, string>();
  return (url) => {
    const slash = url.indexOf('/', 8);
    const path = slash < 0 ? '' : url.slice(slash);
    const origin = origins.get(url.slice(0, slash));
    if (origin !== undefined && /^[A-Za-z0-9/_.~%@:-]+$/.test(path) && !path.includes('/.')) return { origin, path };
    const parsed = new URL(url);
    if (origins.size > 1_000) origins.clear();
    if (slash > 0) origins.set(url.slice(0, slash), parsed.origin);
    return { origin: parsed.origin, path: parsed.pathname + parsed.search };
  };
}

type Body = Awaited<ReturnType<Dispatcher['request']>>['body'];

/** Letting go reads a short rest and keeps the socket; a long one closes it. */
function streamOf(body: Body): AsyncIterable<Uint8Array> & { destroy(): unknown } {
  return {
    [Symbol.asyncIterator]: () => body[Symbol.asyncIterator](),
    destroy: () => body.dump({ limit: 65_536 }).catch(() => undefined),
  };
}

function joined(headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> {
  const out: Record<string, string | undefined> = {};
  for (const name in headers) {
    const value = headers[name];
    out[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return out;
}
