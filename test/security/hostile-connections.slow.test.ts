import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readLink } from '../harness/read-link.ts';
import { startTestApp, type TestApp } from '../harness/test-app.ts';
import { signUpUser } from '../harness/test-client.ts';

/** Input over sockets that no browser of ours sends: rows 23, 25, 26 and 49 of the security test plan. */

let server: TestApp;
let port: number;
const open = new Set<Socket>();
beforeAll(async () => {
  server = await startTestApp();
  port = Number(new URL(await server.listen()).port);
});
afterAll(async () => {
  for (const socket of open) socket.destroy();
  await server.close();
});

interface Conversation {
  socket: Socket;
  /** All that came back, once the other side has closed. */
  answer: Promise<string>;
}

/** Sends bytes as they are. */
function talk(text: string, to = port): Conversation {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(to, '127.0.0.1');
  socket.write(text);
  open.add(socket);
  let answer = '';
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString();
  });
  // a refusal in the middle of our sending may reach us as a reset
  socket.on('error', () => undefined);
  socket.on('close', () => {
    open.delete(socket);
    resolve(answer);
  });
  return { socket, answer: promise };
}

const close = 'connection: close\r\n\r\n';
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
const login = 'POST /auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n';
const healthMs = async () => {
  const startedMs = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/healthz`);
  expect(response.status).toBe(200);
  return performance.now() - startedMs;
};

describe('request body of 100 MB', () => {
  test('a declared 100 MB body is refused before it is sent', async () => {
    const { answer } = talk(`${login}content-length: 100000000\r\n${close}{`);
    expect(statusOf(await answer)).toBe(413);
  });

  test('an undeclared 100 MB body is refused once it is too long', async () => {
    const { socket, answer } = talk(`${login}transfer-encoding: chunked\r\n${close}`);
    const piece = 'x'.repeat(64 * 1024);
    let sent = 0;
    while (!socket.destroyed && sent < 100_000_000) {
      const isTaken = socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`);
      sent += piece.length;
      if (!isTaken && !socket.destroyed)
        await new Promise<void>((resolve) => socket.once('drain', resolve).once('close', resolve));
    }
    expect(statusOf(await answer)).toBe(413);
    expect(sent).toBeLessThan(50_000_000);
  });
});

test('a body with ten thousand levels or too many keys is refused quickly', async () => {
  const levels = 10_000;
  const keys = Array.from({ length: 25_000 }, (_, at) => `"k${at}":0`).join(',');
  const bodies = [
    `${'{"email":'.repeat(levels)}1${'}'.repeat(levels)}`,
    `${'['.repeat(levels)}${']'.repeat(levels)}`,
    '['.repeat(250_000),
    `{${keys}}`,
    `{${'"k":0,'.repeat(30_000)}"k":0}`,
    `{"email":"${'\\u0061'.repeat(40_000)}"}`,
  ];
  const headers = { 'content-type': 'application/json' };
  // once before, as what is compiled late is not what is measured
  await server.inject({ method: 'POST', url: '/auth/login', headers, payload: '{}' });
  for (const payload of bodies) {
    const startedMs = performance.now();
    const { statusCode } = await server.inject({ method: 'POST', url: '/auth/login', headers, payload });
    expect([400, 413], payload.slice(0, 20)).toContain(statusCode);
    // 50 ms are asked for; a loaded machine takes its time
    expect(performance.now() - startedMs, payload.slice(0, 20)).toBeLessThan(5_000);
  }
});

test('a network without an allowance left is refused before its body is read', async () => {
  const path = '/api/book/overlay/file?from=30000000&days=1&zone=UTC';
  const compare = () => server.inject({ method: 'POST', url: path, headers: { 'content-type': 'text/calendar' } });
  while ((await compare()).statusCode !== 429);
  const { answer } = talk(`POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 900000\r\n${close}BEGIN`);
  expect(statusOf(await answer)).toBe(429);
});

test.each([
  ['/api/book/nobody/nothing/bookings', 'application/json', 120_000],
  ['/nobody/forms/nothing', 'application/x-www-form-urlencoded', 60_000],
  ['/subscribe', 'application/x-www-form-urlencoded', 60_000],
])('a network without an allowance left is refused at %s before its body is read', async (path, type, length) => {
  await sql`delete from platform.limits`.execute(server.app.db);
  const send = () => server.inject({ method: 'POST', url: path, headers: { 'content-type': type }, payload: '' });
  while ((await send()).statusCode !== 429);
  const { answer } = talk(
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n${close}a`,
  );
  expect(statusOf(await answer)).toBe(429);
  await sql`delete from platform.limits`.execute(server.app.db);
});

test('a caller that nothing proves may send 16 KB of JSON to what is public, and no more', async () => {
  for (const path of ['/auth/login', '/api/book/nobody/nothing/holds', '/api/booked/nothing/cancel']) {
    const begin = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`;
    expect(statusOf(await talk(`${begin}content-length: 16385\r\n${close}{`).answer), path).toBe(413);
  }
});

describe('ambiguous requests', () => {
  const smuggled = 'GET /auth/profile HTTP/1.1\r\nhost: localhost\r\n\r\n';
  test.each([
    ['with a length and chunks', `${login}content-length: 6\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['with two lengths', `${login}content-length: 2\r\ncontent-length: 40\r\n\r\n{}${smuggled}`],
    ['with a length of another kind', `${login}content-length: +2\r\n\r\n{}${smuggled}`],
    ['with chunks of another name', `${login}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['with chunks not at the end', `${login}transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`],
    ['with a space before the colon', `${login}transfer-encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['with a folded header', `${login}x: a\r\n b\r\ncontent-length: 2\r\n\r\n{}`],
    ['with a bare line feed', 'GET /healthz HTTP/1.1\nhost: localhost\n\n'],
    ['with two hosts', `GET /healthz HTTP/1.1\r\nhost: localhost\r\nHost: evil.example\r\n${close}`],
    ['with no host', `GET /healthz HTTP/1.1\r\n${close}`],
    ['with a whole address', `GET http://evil.example/healthz HTTP/1.1\r\nhost: localhost\r\n${close}`],
    ['with a NUL in a header', `GET /healthz HTTP/1.1\r\nhost: localhost\r\nx: a\0b\r\n${close}`],
  ])('a request %s is refused, and nothing after it is read', async (_, text) => {
    const { socket, answer } = talk(text);
    socket.setTimeout(5_000, () => socket.destroy());
    const got = await answer;
    expect(statusOf(got), got).toBe(400);
    expect(got.match(/HTTP\/1\.1 /g), got).toHaveLength(1);
  });

  test.each(['TRACE', 'CONNECT', 'TRACK', 'DEBUG', 'PROPFIND'])('a %s request is not carried out', async (method) => {
    const { socket, answer } = talk(`${method} /healthz HTTP/1.1\r\nhost: localhost\r\nx-secret: seen\r\n${close}`);
    socket.setTimeout(5_000, () => socket.destroy());
    const got = await answer;
    expect(got).not.toContain('x-secret');
    expect(got === '' || statusOf(got) >= 400, got).toBe(true);
  });
});

test('a mailed link leads to the configured address, whatever host headers the request has', async () => {
  const { email } = await signUpUser(server, 'poisoned@example.org');
  const claims = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '198.51.100.7',
    forwarded: 'host=evil.example;proto=https',
    'x-host': 'evil.example',
    'x-original-host': 'evil.example',
    origin: 'http://evil.example',
    referer: 'https://evil.example/',
  };
  const answer = await server.inject({
    method: 'POST',
    url: '/auth/password/forgot',
    headers: claims,
    payload: { email },
  });
  expect(answer.statusCode).toBe(200);
  await server.settle();
  const { rows } = await sql<{ found: number }>`select count(*)::int as found from platform.mails`.execute(
    server.app.db,
  );
  expect(rows[0]?.found).toBe(1);
  const { path } = await readLink(server, email);
  expect(path).toBe('/password/reset');
  const overridden = await server.inject({
    method: 'POST',
    url: '/auth/logout?_method=DELETE',
    headers: { 'x-http-method-override': 'DELETE', 'x-http-method': 'DELETE', 'x-method-override': 'DELETE' },
  });
  expect(overridden.statusCode).toBe(400); // the query: logout has none
});

describe('slow and idle connections', () => {
  test('health checks stay fast during 300 slow requests and 300 idle sockets', async () => {
    const slow = Array.from({ length: 300 }, () => talk('GET /healthz HTTP/1.1\r\nhost: local'));
    const silent = Array.from({ length: 300 }, () => talk(''));
    const connecting = [...slow, ...silent].filter(({ socket }) => socket.connecting);
    await Promise.all(connecting.map(({ socket }) => once(socket, 'connect')));
    const took: number[] = [];
    // connections are taken in their order: by the first answer it has those above
    for (let at = 0; at < 15; at += 1) took.push(await healthMs());
    // 2 ms on a quiet machine; one of them waited for would take the seconds of its patience
    expect(took.toSorted((a, b) => a - b)[7]).toBeLessThan(1_000);
    for (const { socket } of [...slow, ...silent]) socket.destroy();
  });

  describe.concurrent('request timeouts', () => {
    const patience = { headersMs: 500, requestMs: 5_000 };
    let hasty: TestApp;
    let at: number;
    beforeAll(async () => {
      hasty = await startTestApp({ role: 'web', http: { patience } });
      at = Number(new URL(await hasty.listen()).port);
    });
    afterAll(() => hasty.close());

    /** Returns the status and time of a request that sends `piece` forever. */
    async function dribble(begin: string, piece: string) {
      const startedMs = performance.now();
      const { socket, answer } = talk(begin, at);
      const drip = setInterval(() => socket.write(piece), 100);
      const status = statusOf(await answer);
      clearInterval(drip);
      return { status, tookMs: performance.now() - startedMs };
    }

    test('a connection is closed when its headers take too long', async ({ expect }) => {
      const { status, tookMs } = await dribble('GET /healthz HTTP/1.1\r\n', 'x: y\r\n');
      expect([408, Number.NaN]).toContain(status);
      expect(tookMs).toBeGreaterThan(patience.headersMs);
      // not what is there for all of a request: 2 s, with the look at it
      expect(tookMs).toBeLessThan(patience.requestMs);
    });

    test('a connection is closed when its body takes too long', async ({ expect }) => {
      const { status, tookMs } = await dribble(`${login}content-length: 15000\r\n\r\n{`, ' ');
      expect([408, Number.NaN]).toContain(status);
      expect(tookMs).toBeGreaterThan(patience.requestMs);
    });
  });
});
