import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../../test/harness/wait-for.ts';
import { createClock } from './clock.ts';
import { createControl } from './control.ts';
import type { Served } from './drive.ts';
import { createEmulator, type Machine } from './emulator.ts';
import { htmlReply, jsonReply } from './exchange.ts';
import { type Listening, listen } from './listen.ts';

interface Sizes {
  sizes: number[];
}

const machine: Machine<Sizes> = {
  provider: 'sizes',
  createWorld: () => ({ sizes: [] }),
  classify: () => null,
  laneOf: () => null,
  answer(world, { method, path, body }) {
    if (path === '/page') return htmlReply(200, '');
    if (method === 'POST') world.sizes.push(body.length);
    return jsonReply(200, world.sizes);
  },
  operationGroups: {},
  faultNamed(name) {
    throw new Error(`no fault ${name}`);
  },
  retryAfterMs: () => null,
};

let served: Served<Sizes>;
let listening: Listening;

beforeEach(async () => {
  const emulator = createEmulator(machine, createClock());
  served = {
    emulator,
    control: createControl(emulator, {
      seed: () => ({}),
      act: () => ({}),
      snapshot: () => ({}),
      knobs: () => ({}),
    }),
  };
  listening = await listen(served);
});
afterEach(() => listening.close());

/** Sends as it stands, as no client would; the status, or null where the connection is closed without one. */
async function sendRaw(head: string[], chunk = '', times = 0): Promise<number | null> {
  const socket = connect(Number(new URL(listening.url).port), '127.0.0.1');
  let heard = '';
  socket.on('data', (data) => {
    heard += data;
  });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  for (let sent = 0; sent < times && heard === '' && !socket.destroyed; sent += 1) {
    await new Promise((resolve) => socket.write(chunk, resolve));
  }
  await Promise.race([closed, waitFor('an answer', () => heard !== '')]);
  socket.destroy();
  return heard === '' ? null : Number(heard.slice(9, 12));
}

const host = 'host: 127.0.0.1';

test('a body sent to an emulator that announces more than 4 MB is refused before it is sent', async () => {
  expect(await sendRaw(['POST / HTTP/1.1', host, 'content-length: 540000000'])).toBe(413);
  expect(await sendRaw(['POST / HTTP/1.1', host, 'authorization: Bearer x', 'content-length: 4194305'])).toBe(413);
  expect(served.emulator.world.sizes).toEqual([]);
});

test('a body sent to an emulator that announces no size is refused once it is over 4 MB, and the next request is answered', async () => {
  const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`;
  expect(await sendRaw(['POST / HTTP/1.1', host, 'transfer-encoding: chunked'], chunk, 50)).toBe(413);
  expect(served.emulator.world.sizes).toEqual([]);
  const whole = await fetch(listening.url, { method: 'POST', body: 'x'.repeat(4 * 1024 * 1024) });
  expect(await whole.json()).toEqual([4 * 1024 * 1024]);
});

test.each([
  ['evil.example', 421],
  ['127.0.0.1.evil.example:80', 421],
  ['192.0.2.1', 421],
  ['', 421],
  ['localhost:4000', 200],
  ['127.0.0.1', 200],
  ['[::1]:4000', 200],
])('an emulator answers the host name %j with %i', async (name, status) => {
  expect(await sendRaw(['GET / HTTP/1.1', `host: ${name}`])).toBe(status);
});

const own = 'origin: http://127.0.0.1';
test.each([
  ['another site', ['origin: https://evil.example', 'sec-fetch-site: cross-site'], 403],
  ['another site in an old browser', ['origin: https://evil.example'], 403],
  ['another site without an origin', ['sec-fetch-site: cross-site'], 403],
  ['another port of this machine', ['origin: http://127.0.0.1:3000', 'sec-fetch-site: same-site'], 403],
  ['a frame without an origin', ['origin: null', 'sec-fetch-site: cross-site'], 403],
  ['its own page', [own, 'sec-fetch-site: same-origin'], 200],
  ['a program', [], 200],
  ['a program with a token', ['authorization: Bearer x', 'origin: https://evil.example'], 200],
])('an emulator gets a form of %s', async (_, headers, status) => {
  expect(await sendRaw(['POST / HTTP/1.1', host, ...headers, 'content-length: 0'])).toBe(status);
  expect(served.emulator.world.sizes).toEqual(status === 200 ? [0] : []);
});

test('a page of an emulator is framed by nobody', async () => {
  const { headers } = await fetch(`${listening.url}/page`);
  expect(headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
});

test('connections to an emulator over the limit are closed', async () => {
  const port = Number(new URL(listening.url).port);
  let closed = 0;
  const sockets = Array.from({ length: 600 }, () =>
    connect(port, '127.0.0.1', function (this: ReturnType<typeof connect>) {
      this.write(`POST / HTTP/1.1\r\n${host}\r\ncontent-length: 1000\r\n\r\n`);
    })
      .on('error', () => undefined)
      .on('close', () => {
        closed += 1;
      }),
  );
  await waitFor('the connections over the limit to close', () => closed >= 88);
  expect(closed).toBe(88);
  for (const socket of sockets) socket.destroy();
});

test.each([
  ['its headers', 'POST / HTTP/1.1\r\n', { headersTimeout: 300, requestTimeout: 30_000 }],
  [
    'its body',
    `POST / HTTP/1.1\r\n${host}\r\ncontent-length: 100\r\n\r\nx`,
    { headersTimeout: 300, requestTimeout: 300 },
  ],
])('a request to an emulator that stops within %s is ended after its time', async (_, text, times) => {
  const limited = await listen(served, 0, { ...times, connectionsCheckingInterval: 50 });
  const startedMs = performance.now();
  const socket = connect(Number(new URL(limited.url).port), '127.0.0.1');
  socket.resume().write(text);
  await once(socket, 'close');
  const tookMs = performance.now() - startedMs;
  expect(tookMs).toBeGreaterThan(250);
  // without limits of ours it is 30 s or more
  expect(tookMs).toBeLessThan(10_000);
  await limited.close();
});
