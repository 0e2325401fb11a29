import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSafeFetch, type FetchError, type SafeFetch } from './fetch.ts';
import { createLog } from './log.ts';

const lines: string[] = [];
let listener: RequestListener = (_request, response) => response.end('hello');
let requests = 0;
let server: Server;
let port: number;
let allowing: SafeFetch;
let strict: SafeFetch;
/** DNS answers of this test, one after the other; the last one repeats. */
const names = new Map<string, string[][]>();

beforeAll(async () => {
  const log = await createLog({
    level: 'info',
    format: 'json',
    destination: { write: (line) => void lines.push(line) },
  });
  server = createServer((request, response) => {
    requests += 1;
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  const lookup = async (host: string) => {
    const answers = names.get(host);
    const answer = answers && answers.length > 1 ? answers.shift() : answers?.[0];
    if (!answer) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
    return answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  allowing = createSafeFetch({ allowPrivate: [`127.0.0.1:${port}`, `nas.local:${port}`], log, lookup });
  strict = createSafeFetch({ allowPrivate: [], log, lookup });
});
afterAll(async () => {
  await allowing.close();
  await strict.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: FetchError) => error,
  );

test('CVE-2026-53513, Vexa#1231, fluid-calendar#212: every spelling of a private address is refused like an unreachable server', async () => {
  const before = requests;
  names.set('inner.example', [['10.0.0.1']]);
  names.set('mixed.example', [['8.8.8.8', '127.0.0.1']]);
  names.set('mapped.example', [['::ffff:127.0.0.1']]);
  names.set('localhost', [['127.0.0.1']]);
  names.set('localhost.', [['127.0.0.1']]);
  const absent = await failureOf(strict.request({ url: 'http://does-not-exist.example/' }));
  expect(absent).toMatchObject({ code: 'UNREACHABLE', message: 'The server could not be reached.' });
  for (const host of [
    '127.0.0.1',
    '0.0.0.0',
    '[::1]',
    '10.0.0.1',
    '169.254.169.254',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '2130706433',
    '0177.0.0.1',
    '0x7f.1',
    '127.1',
    'localhost',
    'localhost.',
    '\u2460\u2461\u2466.0.0.1',
    '127.0.0.1.',
    'inner.example',
    'mixed.example',
    'mapped.example',
    '[fe80::1]',
    '[fd00::1]',
    '100.64.0.1',
    '198.18.0.1',
  ]) {
    const error = await failureOf(strict.request({ url: `http://${host}/` }));
    expect([error?.code, error?.message], host).toEqual([absent?.code, absent?.message]);
    expect(lines.at(-1), host).toContain('an address was not called');
  }
  expect(requests).toBe(before);
});

test('URLs with other ports, other schemes, or a password are refused', async () => {
  names.set('public.example', [['8.8.8.8']]);
  for (const other of [22, 25, 5432, 6379, 8080]) {
    expect((await failureOf(strict.request({ url: `http://public.example:${other}/` })))?.code, String(other)).toBe(
      'UNREACHABLE',
    );
    expect(lines.at(-1)).toContain('the port is not allowed');
  }
  for (const url of [
    'file:///etc/passwd',
    'gopher://x/',
    'unix:/run/x.sock',
    'webcal://x/',
    'http://user:pass@127.0.0.1/',
    'x',
    '',
    'javascript:1',
  ]) {
    expect((await failureOf(strict.request({ url })))?.code, url).toBe('UNREACHABLE');
  }
  expect((await failureOf(allowing.request({ url: `http://127.0.0.1:${port + 1}/` })))?.code).toBe('UNREACHABLE');
});

test('CVE-2026-75583: a host name that resolves differently after the check is reached at the checked address', async () => {
  const before = requests;
  names.set('rebinding.example', [['127.0.0.1'], ['127.0.0.1']]);
  const own = createSafeFetch({
    allowPrivate: [`rebinding.example:${port}`],
    log: await createLog({ level: 'silent', format: 'json' }),
    lookup: async () => {
      lookups += 1;
      return [{ address: lookups === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    },
  });
  let lookups = 0;
  try {
    expect((await own.request({ url: `http://rebinding.example:${port}/` })).body).toBe('hello');
    expect([lookups, requests - before]).toEqual([1, 1]);
  } finally {
    await own.close();
  }
});

test('an allowed host is reached under its name with kept connections, and its redirects are not followed', async () => {
  names.set('nas.local', [['127.0.0.1']]);
  const sockets = new Set<unknown>();
  const hosts = new Set<string>();
  listener = (request, response) => {
    sockets.add(request.socket);
    hosts.add(request.headers.host ?? '');
    response.writeHead(302, { location: 'http://127.0.0.1/inner', 'x-a': ['1', '2'] }).end('moved');
  };
  for (let at = 0; at < 20; at += 1) {
    const answer = await allowing.request({
      url: `http://nas.local:${port}/dav/`,
      method: 'PROPFIND',
      headers: { depth: '1' },
      body: '<x/>',
    });
    expect(answer).toMatchObject({ status: 302, body: 'moved' });
    expect(answer.headers).toMatchObject({ location: 'http://127.0.0.1/inner', 'x-a': '1, 2' });
  }
  // Two at most: the next request may be sent before the pool has noticed that the last one is done.
  expect(sockets.size).toBeLessThanOrEqual(2);
  expect([...hosts]).toEqual([`nas.local:${port}`]);
});

test('the size limit of a response counts bytes after decompression', async () => {
  const bomb = gzipSync(Buffer.alloc(20_000_000, 0x20));
  expect(bomb.length).toBeLessThan(50_000);
  const url = `http://127.0.0.1:${port}/`;
  listener = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
  expect((await failureOf(allowing.request({ url, maxBytes: 1_000_000 })))?.code).toBe('TOO_LARGE');
  expect((await allowing.request({ url, maxBytes: 20_000_000 })).body).toHaveLength(20_000_000);
  listener = (_request, response) => response.end('x'.repeat(1001));
  expect((await failureOf(allowing.request({ url, maxBytes: 1000 })))?.code).toBe('TOO_LARGE');
  listener = (_request, response) => {
    const endless = new Readable({ read: () => void endless.push(Buffer.alloc(65_536)) });
    endless.pipe(response);
    response.on('close', () => endless.destroy());
  };
  expect((await failureOf(allowing.request({ url, maxBytes: 1_000_000 })))?.code).toBe('TOO_LARGE');
  listener = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip at all');
  expect((await failureOf(allowing.request({ url })))?.code).toBe('BAD_ANSWER');
  listener = (_request, response) => response.writeHead(200, { 'content-encoding': 'zstd-x' }).end('?');
  expect((await failureOf(allowing.request({ url })))?.code).toBe('BAD_ANSWER');
});

test('a server that sends nothing, or one byte at a time, is aborted at the deadline', async () => {
  const url = `http://127.0.0.1:${port}/`;
  listener = () => undefined;
  expect((await failureOf(allowing.request({ url, timeoutMs: 100 })))?.code).toBe('TIMEOUT');
  listener = (_request, response) => {
    const drip = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(drip));
  };
  expect((await failureOf(allowing.request({ url, timeoutMs: 150 })))?.code).toBe('TIMEOUT');
  const controller = new AbortController();
  listener = (_request, response) => void response.write('x', () => controller.abort(new Error('stopped by us')));
  await expect(allowing.request({ url, signal: controller.signal })).rejects.toThrow('stopped by us');
});

test('a failed TLS handshake is reported as an untrusted server', async () => {
  const error = await failureOf(allowing.request({ url: `https://127.0.0.1:${port}/` }));
  expect(error).toMatchObject({
    code: 'TLS',
    message: "The server's certificate is not trusted: no secure connection could be agreed on.",
  });
});
