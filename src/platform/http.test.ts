import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { instant } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import { startTestApp, type TestApp } from '../../test/harness/test-app.ts';
import { waitFor } from '../../test/harness/wait-for.ts';
import { byKey, type Database, openDatabase } from './db.ts';
import { listErrors } from './error-book.ts';
import type { Feature } from './feature.ts';
import { createHttpServer, type HttpServer } from './http.ts';
import { createLog, errorsOf } from './log.ts';
import { bindRoutes } from './routes.ts';
import { addressWithKey } from './this-machine.ts';

const contract = {
  echo: endpoint({
    method: 'POST',
    path: '/api/things/{id}',
    auth: 'public',
    summary: 'Echo',
    params: z.strictObject({ id: z.uuid() }),
    body: z.strictObject({ at: instant, deep: z.optional(z.strictObject({ name: z.string() })) }),
    output: z.object({ at: instant, name: z.string() }),
    bodyLimit: 1_000,
    status: 201,
    errors: ['THING_LOCKED'],
  }),
  search: endpoint({
    method: 'GET',
    path: '/things',
    auth: 'public',
    summary: 'Search',
    query: z.strictObject({ q: z.optional(z.string()) }),
    output: z.object({ q: z.string(), ip: z.string() }),
  }),
  fail: endpoint({ method: 'DELETE', path: '/things', auth: 'public', summary: 'Fail', output: z.void(), status: 204 }),
  touch: endpoint({
    method: 'POST',
    path: '/api/touch',
    auth: 'public',
    summary: 'Touch',
    output: z.void(),
    status: 204,
  }),
  leak: endpoint({
    method: 'GET',
    path: '/api/leak',
    auth: 'public',
    summary: 'Leak',
    output: z.object({ a: z.number() }),
  }),
  list: endpoint({
    method: 'GET',
    path: '/lists',
    auth: 'public',
    summary: 'List',
    query: z.strictObject({ length: z.string() }),
    output: z.object({ names: z.array(z.string()) }),
  }),
};

let failure: Error | undefined;
/** A promise that calls of `touch` wait for. */
let held: Promise<void> | undefined;
const searched: string[] = [];

const things: Feature = {
  name: 'things',
  routes: [
    bindRoutes(contract, {
      echo: ({ input }) => ({ at: input.body.at, name: input.body.deep?.name ?? 'none' }),
      search: ({ input, request }) => {
        searched.push(input.query.q ?? '');
        return { q: input.query.q ?? '', ip: request.ip };
      },
      fail: () => {
        if (failure) throw failure;
      },
      touch: () => held,
      leak: () => ({ a: 1, secret: 'not in the contract' }),
      list: ({ input }) => ({ names: Array.from({ length: Number(input.query.length) }, (_, n) => `Grüße ${n}`) }),
    }),
  ],
};

const lines: string[] = [];
let server: TestApp;
let origin: string;
beforeAll(async () => {
  const log = await createLog({
    level: 'info',
    format: 'json',
    destination: { write: (line) => void lines.push(line) },
  });
  server = await startTestApp({ role: 'web', features: [things], log, statements: 'limited' });
  origin = await server.listen();
});
afterAll(() => server.close());

const id = '0190a6de-5b7f-7cc5-8d5d-000000000001';
const post = (payload: unknown, headers: Record<string, string> = {}, url = `/api/things/${id}`) =>
  server.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
  });
const good = { at: '2027-03-08T10:00:00+01:00' };

test('a call decodes its input and encodes its output', async () => {
  const response = await post({ ...good, deep: { name: 'x' } });
  expect(response.statusCode).toBe(201);
  expect(response.json()).toEqual({ at: '2027-03-08T09:00:00Z', name: 'x' });
  expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(response.headers['cache-control']).toBe('no-store');
  expect((await server.inject({ url: '/api/leak' })).json()).toEqual({ a: 1 });
  expect((await server.inject({ method: 'POST', url: '/api/touch' })).statusCode).toBe(204);
});

test('a long response is compressed when the client accepts it, with the same content in every encoding', async () => {
  const ask = (length: number, encodings?: string) =>
    server.inject({
      url: `/lists?length=${length}`,
      headers: encodings === undefined ? {} : { 'accept-encoding': encodings },
    });
  const plain = await ask(3_000);
  expect(plain.json().names).toHaveLength(3_000);
  expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'Accept, Accept-Encoding']);
  const kinds = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };
  for (const [asked, name] of [
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['gzip, br;q=0, zstd; q=0.0', 'gzip'],
  ] as const) {
    const { headers, rawPayload } = await ask(3_000, asked);
    expect([headers['content-encoding'], headers.vary]).toEqual([name, 'Accept, Accept-Encoding']);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(Number(headers['content-length'])).toBe(rawPayload.length);
    expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
    expect(kinds[name](rawPayload).toString()).toBe(plain.body);
  }
  for (const asked of ['identity', 'gzip;q=0', '']) {
    expect((await ask(3_000, asked)).headers['content-encoding']).toBeUndefined();
  }
  // secrets are in short answers, which are not compressed, so that their length reveals nothing
  const short = await ask(100, 'gzip, br, zstd');
  expect([short.headers['content-encoding'], short.headers.vary]).toEqual([undefined, 'Accept']);
});

test('an invalid input names every wrong field, unknown keys included', async () => {
  const response = await post({ at: 'soon', deep: { name: 1, age: 2 }, extra: 1 }, {}, '/api/things/7');
  expect(response.statusCode).toBe(400);
  const { detail } = response.json();
  expect(detail.code).toBe('INVALID_INPUT');
  expect(Object.keys(detail.fields).toSorted()).toEqual(['at', 'deep.age', 'deep.name', 'extra', 'id']);
  expect((await server.inject({ url: '/things?user_id=7' })).json().detail.fields).toEqual({
    user_id: 'Unknown field',
  });
  expect((await server.inject({ url: '/things?q=a&q=b' })).statusCode).toBe(400);
  expect((await post({ a: 1 }, {}, '/api/touch')).json().detail.fields).toEqual({ a: 'Unknown field' });
  expect((await post([1], {}, '/api/touch')).statusCode).toBe(400);
});

test('a missing value and one of a wrong type are refused in a sentence', async () => {
  const fieldsOf = async (body: object, headers = {}) => (await post(body, headers)).json().detail.fields;
  expect(await fieldsOf({ ...good, deep: {} })).toEqual({ 'deep.name': 'A value is required' });
  expect(await fieldsOf({ ...good, deep: { name: 1 } })).toEqual({ 'deep.name': 'Expected a text' });
  expect(await fieldsOf({ ...good, deep: 'x' })).toEqual({ deep: 'Expected an object' });
  expect(await fieldsOf({ ...good, deep: null })).toEqual({ deep: 'Expected an object' });
  expect(await fieldsOf({ ...good, deep: { name: 1 } }, { 'accept-language': 'de' })).toEqual({
    'deep.name': 'Erwartet: ein Text',
  });
});

test('a body that is not JSON in UTF-8 is refused for its type or its syntax', async () => {
  for (const type of [
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/jsonp',
    'application/json, text/plain',
  ]) {
    expect((await post(good, { 'content-type': type })).statusCode, type).toBe(415);
  }
  expect((await post(good, { 'content-encoding': 'gzip' })).json().detail.code).toBe('UNSUPPORTED_TYPE');
  expect((await post(good, { 'content-type': 'application/json; charset=UTF-8' })).statusCode).toBe(201);
  // JSON-like text inside a string is not a duplicate key
  expect((await post({ ...good, deep: { name: '","at":"\\": {"at" : 1' } })).statusCode).toBe(201);
  for (const body of [
    '',
    '{',
    'null',
    '[]',
    '"x"',
    '1e400',
    '{"at":1}',
    '{"__proto__":{"at":"2027-03-08T10:00:00Z"}}',
    '{"at":"2027-03-08T10:00:00Z","at":"2027-03-08T11:00:00Z"}',
    '{"at":"2027-03-08T10:00:00Z","deep":{"name":"x","n\\u0061me":"x"}}',
    '\ufeff',
    Buffer.from([0x22, 0xff, 0x22]),
    '['.repeat(400) + ']'.repeat(400),
    `${'{"a":'.repeat(120)}1${'}'.repeat(120)}`,
  ]) {
    expect((await post(body)).statusCode, String(body).slice(0, 40)).toBe(400);
  }
});

test('a body over the size or depth limit is refused quickly', async () => {
  const startedMs = performance.now();
  const huge = await post(`"${'x'.repeat(2_000_000)}"`);
  expect(huge.statusCode).toBe(413);
  expect(huge.json().detail.code).toBe('TOO_LARGE');
  const deep = await post('['.repeat(16_000), {}, '/api/touch');
  expect(deep.statusCode).toBe(400);
  // 20 ms on a quiet machine
  expect(performance.now() - startedMs).toBeLessThan(5_000);
});

test('every error has one form, and a bug reveals nothing but is in the log under its request id', async () => {
  failure = new AppError('limited', 'LIMITED', 'Slow down.', { retryAfterMs: 1_500, fields: { q: 'no' } });
  const limited = await server.inject({ method: 'DELETE', url: '/things' });
  expect([limited.statusCode, limited.headers['retry-after']]).toEqual([429, '2']);
  expect(limited.json()).toEqual({ detail: { code: 'LIMITED', message: 'Slow down.', fields: { q: 'no' } } });

  failure = new Error('the password hunter2 of postgres://u:hunter3@h/ was wrong', { cause: new Error('inner cause') });
  const broken = await server.inject({ method: 'DELETE', url: '/things' });
  expect(broken.statusCode).toBe(500);
  expect(broken.json().detail.code).toBe('INTERNAL');
  expect(broken.body).not.toMatch(/hunter|inner|stack|\.ts/);
  const logged = lines.find(
    (line) => line.includes('"a request failed"') && line.includes(String(broken.headers['x-request-id'])),
  );
  expect(logged).toContain('inner cause');
  expect(logged).not.toContain('hunter3');
  failure = new AppError('conflict', 'NEVER_DECLARED', 'x');
  await server.inject({ method: 'DELETE', url: '/things' });
  expect(lines.at(-2)).toContain('does not declare');
  failure = undefined;
});

const databaseError = (code: string) => Object.assign(new pg.DatabaseError('value refused', 0, 'error'), { code });

test('a value that a contract let through and no column holds is a 400', async () => {
  for (const code of ['22003', '22021', '22P05', '23514']) {
    failure = databaseError(code);
    const refused = await server.inject({ method: 'DELETE', url: '/things' });
    expect([refused.statusCode, refused.json().detail.code], code).toEqual([400, 'INVALID_INPUT']);
    expect(JSON.parse(lines.at(-2) ?? ''), code).toMatchObject({ level: 'warn', msg: 'a request failed' });
  }
  failure = databaseError('23505');
  expect((await server.inject({ method: 'DELETE', url: '/things' })).statusCode).toBe(500);
  failure = undefined;
});

test('a full disk of the database is a 503 with Retry-After and a sentence of its own', async () => {
  failure = databaseError('53100');
  const refused = await server.inject({ method: 'DELETE', url: '/things', headers: { 'accept-language': 'de' } });
  failure = undefined;
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '30']);
  expect(refused.json().detail).toEqual({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(/Der Datenbank fehlt Speicherplatz/),
  });
});

test('readiness fails while the database takes no writes, and comes back with them', async () => {
  const { db } = server.app;
  const ready = async () => (await server.inject({ url: '/readyz' })).statusCode;
  expect(await ready()).toBe(200);
  // as where a new file finds no space
  await sql`create function public.no_space() returns event_trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`.execute(
    db,
  );
  await sql`create event trigger no_space on ddl_command_start when tag in ('CREATE TABLE AS')
    execute function public.no_space()`.execute(db);
  try {
    failure = databaseError('53100');
    await server.inject({ method: 'DELETE', url: '/things' });
    failure = undefined;
    expect([await ready(), await ready()]).toEqual([503, 503]);
  } finally {
    await sql`drop event trigger no_space`.execute(db);
  }
  expect(await ready()).toBe(200);
});

test('a body that breaks off is no fault of ours', async () => {
  const before = lines.length;
  const http = await createHttpServer(server.app, [things]);
  const closed = Promise.withResolvers<void>();
  http.fastify.server.on('connection', (socket) => socket.on('close', () => closed.resolve()));
  const socket = connect(Number(new URL(await http.listen()).port), '127.0.0.1');
  const head = 'POST /api/touch HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n';
  socket.end(`${head}{"a"`);
  await closed.promise;
  await http.close();
  expect(lines.slice(before).filter((line) => /"level":"(warn|error|fatal)"/.test(line))).toEqual([]);
});

test('wrong paths get 404, wrong methods 405 with the allowed ones, and method overrides are ignored', async () => {
  const none = await server.inject({ url: '/nothing', headers: { accept: 'application/json' } });
  expect([none.statusCode, none.json().detail.code]).toEqual([404, 'NOT_FOUND']);
  const wrong = await server.inject({ method: 'PUT', url: '/things', headers: { 'sec-fetch-site': 'same-origin' } });
  expect([wrong.statusCode, wrong.headers.allow]).toEqual([405, 'GET, HEAD, DELETE']);
  expect(
    (await server.inject({ method: 'OPTIONS', url: '/things', headers: { origin: 'https://evil.example' } }))
      .statusCode,
  ).toBe(405);
  expect((await server.inject({ method: 'PATCH', url: `/api/things/${id}` })).statusCode).toBe(405);
  expect((await server.inject({ method: 'TRACE' as 'GET', url: '/things' })).statusCode).toBeGreaterThanOrEqual(404);
  const override = await post(good, { 'x-http-method-override': 'DELETE' });
  expect(override.statusCode).toBe(201);
  expect((await server.inject({ url: '/things/%zz' })).statusCode).toBe(400);
  expect((await server.inject({ url: '/..;/things' })).statusCode).toBe(404);
  for (const hidden of [
    '/.env',
    '/assets/app.js.map',
    '/%2e%2e/package.json',
    '/index.html',
    '/screens.json',
    '/api',
  ]) {
    expect((await server.inject({ url: hidden, headers: { accept: 'text/html' } })).statusCode, hidden).toBe(404);
  }
});

test('a cross-site request changes nothing', async () => {
  const cases: [Record<string, string>, number][] = [
    [{ 'sec-fetch-site': 'same-origin' }, 201],
    [{ 'sec-fetch-site': 'none' }, 201],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'cross-site', authorization: 'Bearer x' }, 201],
    [{ origin: 'http://localhost' }, 201],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'http://localhost.evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://nas.local:3000', host: 'nas.local:3000' }, 201],
    [{ origin: 'http://nas.local:3001', host: 'nas.local:3000' }, 403],
    [{ cookie: 'holdfast=x' }, 403],
    [{ cookie: 'holdfast=x', origin: 'http://localhost' }, 201],
    [{ cookie: 'other=x' }, 201],
  ];
  for (const [headers, status] of cases)
    expect((await post(good, headers)).statusCode, JSON.stringify(headers)).toBe(status);
  const read = await server.inject({
    url: '/things',
    headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  });
  expect(read.statusCode).toBe(200);
  expect(read.headers['access-control-allow-origin']).toBeUndefined();
});

test('responses carry strict security headers', async () => {
  const { headers } = await server.inject({ url: '/things' });
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['content-security-policy']).toContain("script-src 'self';");
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
  expect(headers['strict-transport-security']).toBeUndefined();
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['x-frame-options']).toBe('DENY');
  expect(headers['referrer-policy']).toBe('same-origin');
  for (const feature of ['camera', 'microphone', 'geolocation', 'payment', 'usb']) {
    expect(headers['permissions-policy']).toContain(`${feature}=()`);
  }
});

/** Sends bytes as they are, gives what comes back until the other side closes. */
function raw(text: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => socket.write(text));
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('close', () => resolve(answer));
  socket.on('error', reject);
  return promise;
}

test('ambiguous HTTP requests are refused', async () => {
  const end = 'connection: close\r\n\r\n';
  expect(await raw(`GET /things HTTP/1.1\r\nhost: a\r\nhost: b\r\n${end}`)).toMatch(/^HTTP\/1.1 400 /);
  expect(await raw(`GET http://evil.example/things HTTP/1.1\r\nhost: a\r\n${end}`)).toMatch(/^HTTP\/1.1 400 /);
  const both = `POST /api/touch HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n${end}0\r\n\r\n`;
  expect(await raw(both)).toMatch(/^HTTP\/1.1 400 .*"code":"INVALID_INPUT"/s);
  expect(await raw(`GET /things HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n${end}`)).toMatch(
    /^HTTP\/1.1 431 .*"TOO_LARGE"/s,
  );
  expect(await raw('nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400 .*"INVALID_INPUT"/s);
  expect(await raw(`GET /things HTTP/1.1\r\nhost: a\r\n${end}`)).toMatch(/^HTTP\/1.1 200 /);
});

test('a proxy that TRUST_PROXY does not name is told once, in the log and to administrators', async () => {
  const told = () => lines.filter((line) => line.includes('TRUST_PROXY is not set'));
  const through = (http: HttpServer, remoteAddress: string, forwarded = '198.51.100.7') =>
    http.fastify.inject({ url: '/things', headers: { 'x-forwarded-for': forwarded }, remoteAddress });
  const bare = await createHttpServer(server.app, [things]);
  const before = told().length;
  // a client can write any header
  await through(bare, '93.184.216.34');
  await bare.fastify.inject({ url: '/things', remoteAddress: '10.0.0.2' });
  expect(told()).toHaveLength(before);
  for (let n = 0; n < 3; n += 1) await through(bare, '10.0.0.2');
  expect(told()).toHaveLength(before + 1);
  expect(JSON.parse(told().at(-1) ?? '')).toMatchObject({ level: 'warn' });
  await bare.close();
  // administrators see each log entry that carries an error
  await errorsOf(server.app.log).write();
  const shown = await listErrors(server.app.db, 10);
  expect(shown.map(({ cause }) => cause)).toContainEqual(expect.stringContaining('TRUST_PROXY is not set'));
  const app = { ...server.app, config: { ...server.app.config, trustProxy: true } };
  const behind = await createHttpServer(app, [things]);
  await through(behind, '10.0.0.2');
  await behind.close();
  expect(told()).toHaveLength(before + 1);
});

test('forwarded headers count only from configured proxies', async () => {
  const headers = {
    'x-forwarded-for': '198.51.100.7',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
  };
  expect((await server.inject({ url: '/things', headers })).json().ip).toBe('127.0.0.1');
  const config = { trustProxy: ['10.0.0.0/8'], publicUrl: 'https://calendar.example.org' };
  const behind = await startTestApp({ role: 'web', features: [things], config, database: server.database });
  try {
    const ask = async (remoteAddress: string) =>
      (await behind.inject({ url: '/things', headers, remoteAddress })).json().ip;
    expect(await ask('10.1.2.3')).toBe('198.51.100.7');
    expect(await ask('192.0.2.1')).toBe('192.0.2.1');
    // The list grows from the left: what a client wrote there itself is not believed.
    const grown = { ...headers, 'x-forwarded-for': '203.0.113.9, 198.51.100.7' };
    const one = await startTestApp({
      role: 'web',
      features: [things],
      config: { trustProxy: true },
      database: server.database,
    });
    for (const app of [behind, one]) {
      const answer = await app.inject({ url: '/things', headers: grown, remoteAddress: '10.1.2.3' });
      expect(answer.json().ip).toBe('198.51.100.7');
    }
    await one.close();
    const strict = await behind.inject({ url: '/things' });
    expect(strict.headers['strict-transport-security']).toBe('max-age=31536000');
    expect(strict.headers['content-security-policy']).toContain('upgrade-insecure-requests');
    const all = { ...behind.app, config: { ...behind.app.config, hstsIncludesSubdomains: true } };
    const wide = await createHttpServer(all, [things]);
    const below = await wide.fastify.inject({ url: '/things' });
    await wide.close();
    expect(below.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  } finally {
    await behind.close();
  }
});

test('a browser gets the page, also where an API call has the same path', async () => {
  const webRoot = await mkdtemp(join(tmpdir(), 'holdfast-web-'));
  await mkdir(join(webRoot, 'assets'));
  await writeFile(join(webRoot, 'index.html'), '<!doctype html><title>Holdfast</title>');
  await writeFile(join(webRoot, 'screens.json'), '["/", "/things", "/things/$id", "/calendar", "/console/$"]');
  await writeFile(join(webRoot, 'assets/app-1a2b.js'), 'void 0;');
  await writeFile(join(webRoot, 'assets/app-1a2b.js.map'), '{}');
  await writeFile(join(webRoot, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const http = await createHttpServer(server.app, [things], { webRoot });
  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
  const get = (url: string, headers: Record<string, string> = browser) => http.fastify.inject({ url, headers });
  try {
    for (const [url, status] of [
      ['/', 200],
      ['/things', 200],
      ['/things/1/', 200],
      ['/calendar?view=week', 200],
      ['/Calendar', 200],
      ['/console', 200],
      ['/console/a/b', 200],
      ['/consoles', 404],
      ['/things/1/2', 404],
      ['/no/such/page', 404],
    ] as const) {
      const page = await get(url);
      expect([page.statusCode, page.body], url).toEqual([status, '<!doctype html><title>Holdfast</title>']);
      expect(page.headers['cache-control']).toBe('no-cache');
    }
    const call = await get('/things', { accept: 'application/json' });
    expect([call.json().q, call.headers.vary]).toEqual(['', 'Accept']);
    expect((await get('/things', { accept: '*/*' })).json().q).toBe('');
    expect((await get('/dashboard', { accept: '*/*' })).statusCode).toBe(404);
    expect((await get('/assets/app-1a2b.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await get('/icon.svg')).headers['cache-control']).toBe('no-cache');
    for (const url of [
      '/assets/app-1a2b.js.map',
      '/assets/none.js',
      '/api/none',
      '/../package.json',
      '/assets/..%2f..%2fpackage.json',
    ]) {
      expect((await get(url)).statusCode, url).toBe(404);
    }
    expect((await http.fastify.inject({ method: 'POST', url: '/dashboard', headers: browser })).statusCode).toBe(404);
  } finally {
    await http.close();
    await rm(webRoot, { recursive: true });
  }
});

test('one network has a limited number of requests, whichever of its addresses it uses', async () => {
  const http = await createHttpServer(server.app, [things], { requestsPerMinute: 5 });
  const ask = async (remoteAddress: string, url = '/things') =>
    (await http.fastify.inject({ url, remoteAddress })).statusCode;
  try {
    for (let at = 0; at < 5; at += 1) expect(await ask(`2001:db8::${at + 1}`)).toBe(200);
    expect(await ask('2001:db8::ffff')).toBe(429);
    expect(await ask('2001:db8::ffff', '/healthz')).toBe(200);
    expect(await ask('2001:db8:0:1::1')).toBe(200);
  } finally {
    await http.close();
  }
});

test('calls of one network run a few at a time, and others are answered meanwhile', async () => {
  const http = await createHttpServer(server.app, [things], { callsAtATime: 2 });
  const ask = async (remoteAddress: string, method: 'GET' | 'POST', url: string) =>
    (await http.fastify.inject({ method, url, remoteAddress })).statusCode;
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  try {
    const slow = Array.from({ length: 2 }, () => ask('198.51.100.1', 'POST', '/api/touch'));
    const third = ask('198.51.100.1', 'GET', '/things');
    // the third of the network waits, which the answers to others show: they came later
    const first = await Promise.race([third.then(() => 'third'), ask('198.51.100.2', 'GET', '/things')]);
    expect(first).toBe(200);
    resolve();
    expect(await Promise.all([...slow, third])).toEqual([204, 204, 200]);
  } finally {
    held = undefined;
    await http.close();
  }
});

test('a reader who hangs up while waiting for a turn costs no work', async () => {
  const http = await createHttpServer(server.app, [things], { callsAtATime: 1 });
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  try {
    const connections: Socket[] = [];
    let requests = 0;
    http.fastify.server.on('connection', (connection) => connections.push(connection));
    http.fastify.server.on('request', () => {
      requests += 1;
    });
    const url = await http.fastify.listen({ host: '127.0.0.1', port: 0 });
    const slow = fetch(`${url}/api/touch`, { method: 'POST' });
    await waitFor('the slow call', () => requests === 1);
    const client = connect(Number(new URL(url).port), '127.0.0.1');
    client.write('GET /things?q=left HTTP/1.1\r\nhost: local\r\n\r\n');
    await waitFor('the call of the reader', () => requests === 2);
    client.destroy();
    await waitFor('the end of the connection', () => connections.at(-1)?.destroyed === true);
    const kept = fetch(`${url}/things?q=kept`);
    await waitFor('the last call', () => requests === 3);
    resolve();
    expect([(await slow).status, (await kept).status]).toEqual([204, 200]);
    expect(searched).toContain('kept');
    expect(searched).not.toContain('left');
  } finally {
    held = undefined;
    await http.close();
  }
});

test('the networks of one IPv6 site have three times the requests of one network, on every route', async () => {
  const http = await createHttpServer(server.app, [things], { requestsPerMinute: 2 });
  const ask = async (remoteAddress: string, url: string) =>
    (await http.fastify.inject({ url, remoteAddress })).statusCode;
  try {
    const answers: number[] = [];
    for (let n = 0; n < 7; n += 1) answers.push(await ask(`2001:db8:5:${n}::1`, n % 2 === 0 ? '/things' : '/readyz'));
    expect(answers.map((status) => status === 429)).toEqual([false, false, false, false, false, false, true]);
    expect(await ask('2001:db8:5:9::1', '/healthz')).toBe(200);
    expect(await ask('2001:db8:6::1', '/things')).toBe(200);
  } finally {
    await http.close();
  }
});

test('request headers time out after ten seconds and whole requests after thirty', async () => {
  const http = await createHttpServer(server.app, [things]);
  const { headersTimeout, requestTimeout } = http.fastify.server;
  expect([headersTimeout, requestTimeout]).toEqual([10_000, 30_000]);
  await http.close();
});

test('health and readiness answer, and metrics answer only local requests with a key', async () => {
  expect((await server.inject({ url: '/healthz' })).json()).toEqual({ status: 'ok' });
  expect((await server.inject({ url: '/readyz' })).json()).toEqual({ status: 'ready' });
  const url = addressWithKey(server.app, '/metrics');
  const metrics = await server.inject({ url });
  expect(metrics.body).toMatch(/holdfast_http_request_seconds_count\{method="GET",route="\/things",status="200"\} \d/);
  expect((await server.inject({ url, remoteAddress: '198.51.100.7' })).statusCode).toBe(404);
  expect((await server.inject({ url: '/metrics' })).statusCode).toBe(404);
});

test('the API reference is generated from the contracts, and its page needs no script', async () => {
  const document = (await server.inject({ url: '/api/openapi.json' })).json();
  expect(document.openapi).toBe('3.1.1');
  const echo = document.paths['/api/things/{id}'].post;
  expect(echo.parameters).toEqual([expect.objectContaining({ name: 'id', in: 'path', required: true })]);
  expect(echo.requestBody.content['application/json'].schema).toMatchObject({
    required: ['at'],
    additionalProperties: false,
    properties: { at: { type: 'string', format: 'date-time' } },
  });
  expect(Object.keys(echo.responses)).toEqual(['201', 'default']);
  expect(document.paths['/api/touch'].post.responses['204'].content).toBeUndefined();
  const page = await server.inject({ url: '/api/docs', headers: { accept: 'text/html' } });
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.body).toContain('href="#things.echo"');
  expect(page.body).toContain('id="things.echo"');
  expect(page.body).toContain('THING_LOCKED');
  expect(page.body).not.toMatch(/<script|https?:\/\/(?!localhost)/);
});

test('the API reference is written once, compressed once, and not sent again to a client that has it', async () => {
  for (const url of ['/api/openapi.json', '/api/docs']) {
    const write = vi.spyOn(JSON, 'stringify');
    const first = await server.inject({ url });
    const etag = String(first.headers.etag);
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    write.mockClear();
    const known = await server.inject({ url, headers: { 'if-none-match': `"other", ${etag}` } });
    expect([known.statusCode, known.body, known.headers.etag]).toEqual([304, '', etag]);
    const packed = await server.inject({ url, headers: { 'accept-encoding': 'gzip' } });
    expect([packed.headers['content-encoding'], packed.headers.etag]).toEqual(['gzip', etag]);
    expect(gunzipSync(packed.rawPayload).toString()).toBe(first.body);
    expect(
      write.mock.calls.filter(([value]) => typeof value === 'object' && value !== null && 'paths' in value),
    ).toEqual([]);
    write.mockRestore();
  }
});

test('statements of requests have a limit of eight seconds, and statements of jobs have none', async () => {
  const limitOf = async (db: Database) =>
    (await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(db)).rows[0]?.limit;
  expect(await limitOf(server.app.db)).toBe('8s');
  expect(await limitOf(byKey(server.app.db))).toBe('8s');
  const jobs = openDatabase({ url: server.database.url, log: server.app.log, plans: 'kept' });
  expect(await limitOf(jobs.db)).toBe('0');
  await jobs.close();
});

test('an address with a long run of signs between slashes is answered', async () => {
  const slow = [`/a/b/c/${','.repeat(15_000)}x`, `/a/${'.'.repeat(15_000)}/x`, `/a/b/${')'.repeat(15_000)}`];
  for (const url of slow) {
    const answer = await server.inject({ url, headers: { accept: 'text/html' } });
    expect([303, 404]).toContain(answer.statusCode);
  }
});
