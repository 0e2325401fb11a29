import type { SafeFetch } from '#platform/fetch.ts';
import type { CaldavHttp } from './http.ts';

type Dispatcher = SafeFetch['dispatcher'];

/** Answers up to this size come as a string: one buffer, no stream machinery on the quiet path. */
const inlineBytes = 262_144;

/**
 * CalDAV over the pool of the SSRF-safe fetch, which decides what may be reached. No compression is asked for: a proxy
 * that compresses changes the ETag (`-gzip`), and a later If-Match then fails.
 */
export function caldavHttpOver(dispatcher: Dispatcher): CaldavHttp {
  return async ({ method, url, headers, body, signal, maxBytes }) => {
    const { origin, pathname, search } = new URL(url);
    const response = await dispatcher.request({
      origin,
      path: pathname + search,
      method: method as Parameters<Dispatcher['request']>[0]['method'],
      headers,
      body: body ?? null,
      // undici would close the socket after a REPORT, whose body it does not expect: a handshake for every question
      reset: false,
      signal,
    });
    const length = Number(response.headers['content-length'] ?? Number.NaN);
    const small = length <= Math.min(inlineBytes, maxBytes);
    return {
      status: response.statusCode,
      headers: joined(response.headers),
      body: small ? await response.body.text() : streamOf(response.body),
    };
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
