import { type Dispatcher, request } from 'undici';
import type { CaldavHttp } from './http.ts';

/** Answers up to this size come as a string: one buffer, no stream machinery on the quiet path. */
const inlineBytes = 262_144;

/**
 * CalDAV over an undici dispatcher. Which addresses may be reached is the dispatcher's business: production passes the
 * one of platform/fetch, tests a plain Agent on loopback. No compression is asked for: a proxy that compresses changes
 * the ETag (`-gzip`), and a later If-Match then fails.
 */
export function caldavHttpOver(dispatcher: Dispatcher): CaldavHttp {
  return async ({ method, url, headers, body, signal, maxBytes }) => {
    const response = await request(url, {
      dispatcher,
      method: method as Dispatcher.HttpMethod,
      headers,
      body,
      signal,
    });
    const length = Number(response.headers['content-length'] ?? Number.NaN);
    const small = length <= Math.min(inlineBytes, maxBytes);
    return {
      status: response.statusCode,
      headers: joined(response.headers),
      body: small ? await response.body.text() : response.body,
    };
  };
}

function joined(headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> {
  for (const name in headers) {
    const value = headers[name];
    if (Array.isArray(value)) headers[name] = value.join(', ');
  }
  return headers as Record<string, string | undefined>;
}
