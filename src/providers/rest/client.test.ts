import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { ProviderError } from '#kernel/errors.ts';
import { createApiFetch } from '#platform/api-fetch.ts';
import { createRestClient, type RestRequest } from './client.ts';

/** The layer over real sockets and the very `fetch` of production. */

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function api(listener: RequestListener, timeoutMs = 5_000) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { fetch, close } = createApiFetch();
  closing.push(close, async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const refused: string[] = [];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const client = createRestClient({
    baseUrl: url,
    service: 'Google',
    fetch,
    tokens: {
      get: () => Promise.resolve(`token-${refused.length + 1}`),
      refuse: (token) => void refused.push(token),
    },
    refusal: ({ status, operation, json }) =>
      new ProviderError(status === 401 ? 'auth' : 'rejected', `S${status}`, `${operation}: ${JSON.stringify(json)}.`),
    nowMs: () => 0,
    timeoutMs,
  });
  const get = (request: Partial<RestRequest> = {}) =>
    client.send({
      operation: 'list',
      method: 'GET',
      target: '/things',
      signal: AbortSignal.timeout(10_000),
      ...request,
    });
  return { client, get, refused, url };
}

async function refusalOf(work: Promise<unknown>): Promise<ProviderError> {
  const error = await work.then(
    () => new Error('It succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProviderError)) throw error;
  expect(JSON.stringify([error.message, String(error.cause)])).not.toContain('token-');
  return error;
}

describe('calls', () => {
  it('a call sends query, headers, JSON body and token to a path below the base URL', async () => {
    const seen: unknown[] = [];
    const { get, client } = await api((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        seen.push([request.method, request.url, request.headers.authorization, request.headers['if-match'], body]);
        response.end('{"ok":true}');
      });
    });
    const reply = await get({
      method: 'PATCH',
      target: '/a%2Fb/events',
      query: { maxResults: 5, singleEvents: false, q: 'x y&z', absent: undefined },
      headers: { 'if-match': '"1"' },
      body: { summary: 'Zoë' },
    });
    expect(reply.json).toEqual({ ok: true });
    expect(seen).toEqual([
      [
        'PATCH',
        '/v1/a%2Fb/events?maxResults=5&singleEvents=false&q=x+y%26z',
        'Bearer token-1',
        '"1"',
        '{"summary":"Zoë"}',
      ],
    ]);
    expect(client.sent.count).toBe(1);
  });

  it('a gzip response is unpacked, and its limit counts the unpacked bytes', async () => {
    const packed = gzipSync(JSON.stringify({ text: 'x'.repeat(100_000) }));
    const { get } = await api((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(packed);
    });
    expect((await get()).json).toMatchObject({ text: expect.stringMatching(/^x+$/) });
    expect(packed.length).toBeLessThan(10_000);
    expect(await refusalOf(get({ maxBytes: 50_000 }))).toMatchObject({ kind: 'transient', code: 'TOO_LARGE' });
  });

  it('a response without a body gives null', async () => {
    const { get } = await api((_, response) => response.writeHead(204).end());
    expect(await get({ method: 'DELETE' })).toMatchObject({ status: 204, json: null });
  });

  it('an API link is followed, and a foreign link is refused before the token is sent', async () => {
    let heard = 0;
    const { get, url } = await api((_, response) => {
      heard += 1;
      response.end('{}');
    });
    await get({ target: `${url}/things?page=2` });
    for (const target of ['https://evil.example/v1/things', `${url.replace('/v1', '/v2')}/things`]) {
      expect(await refusalOf(get({ target }))).toMatchObject({ kind: 'rejected', code: 'OTHER_SITE' });
    }
    expect(heard).toBe(1);
  });

  it('a redirect is not followed', async () => {
    let heard = 0;
    const { get } = await api((_, response) => {
      heard += 1;
      response.writeHead(302, { location: 'https://evil.example/' }).end();
    });
    expect(await refusalOf(get())).toMatchObject({ code: 'S302' });
    expect(heard).toBe(1);
  });
});

describe('refused tokens', () => {
  it('a token refused once is replaced, and the call succeeds', async () => {
    const { get, refused, client } = await api((request, response) => {
      if (request.headers.authorization === 'Bearer token-1') response.writeHead(401).end('{}');
      else response.end('{"ok":true}');
    });
    expect((await get()).json).toEqual({ ok: true });
    expect(refused).toEqual(['token-1']);
    expect(client.sent.count).toBe(2);
  });

  it('a token refused twice fails the call', async () => {
    const { get, refused, client } = await api((_, response) => response.writeHead(401).end('{}'));
    expect(await refusalOf(get())).toMatchObject({ kind: 'auth' });
    expect(refused).toEqual(['token-1']);
    expect(client.sent.count).toBe(2);
  });
});

describe('unusable responses', () => {
  it('a response that is a web page, invalid JSON or cut off is transient', async () => {
    for (const [type, body] of [
      ['text/html', '<html>Sign in</html>'],
      ['application/json', '{"items":[{"summary":"Secret'],
      ['application/json', 'null and void'],
    ] as const) {
      const { get } = await api((_, response) => response.writeHead(200, { 'content-type': type }).end(body));
      const error = await refusalOf(get());
      expect(error).toMatchObject({ kind: 'transient', code: 'BAD_ANSWER' });
      expect(`${error.message} ${String(error.cause)}`).not.toContain('Secret');
    }
  });

  it('a response cut off by a closed connection is transient', async () => {
    const { get } = await api((_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"items":[', () => response.destroy());
    });
    expect(await refusalOf(get())).toMatchObject({ kind: 'transient', code: 'CONNECTION_LOST' });
  });

  it('an error response cut off in the middle is transient, unless its status decides', async () => {
    const cut = async (status: number) => {
      const { get } = await api((_, response) => {
        response.writeHead(status, { 'content-type': 'application/json', 'content-length': '1000' });
        response.write('{"error":{"code":"ErrorDupl', () => response.destroy());
      });
      return refusalOf(get());
    };
    for (const status of [400, 403, 404, 409])
      expect(await cut(status)).toMatchObject({ kind: 'transient', code: 'CONNECTION_LOST' });
    for (const status of [429, 503]) expect(await cut(status)).toMatchObject({ code: `S${status}` });
  });

  it('an error response with an HTML page is still reported by its status', async () => {
    const { get } = await api((_, response) => response.writeHead(502).end('<html>Bad gateway</html>'));
    expect(await refusalOf(get())).toMatchObject({ code: 'S502', message: 'list: null.' });
  });

  it('a response that arrives byte by byte runs into the deadline', async () => {
    const { get } = await api((_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 20);
      response.once('close', () => clearInterval(timer));
    }, 200);
    expect(await refusalOf(get())).toMatchObject({ kind: 'transient', code: 'TIMEOUT' });
  });
});

describe('missing responses', () => {
  it('a call without a response runs into the deadline, and an aborted one ends at once', async () => {
    const silent = await api(() => undefined, 150);
    expect(await refusalOf(silent.get())).toMatchObject({ kind: 'transient', code: 'TIMEOUT' });
    const stop = new AbortController();
    const { get } = await api(() => stop.abort(new Error('shutting down')));
    expect(await refusalOf(get({ signal: stop.signal }))).toMatchObject({ kind: 'transient', code: 'ABORTED' });
  });

  it('a server that does not run is transient', async () => {
    const { get } = await api(() => undefined);
    await Promise.all(closing.splice(1).map((close) => close()));
    expect(await refusalOf(get())).toMatchObject({ kind: 'transient', code: 'UNREACHABLE' });
  });
});
