import { createPublicKey, verify } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClock } from './clock.ts';
import { createControl } from './control.ts';
import { connectControl } from './control-client.ts';
import type { Served } from './drive.ts';
import { createEmulator, type Machine } from './emulator.ts';
import { type Call, htmlReply, jsonReply, seeOther } from './exchange.ts';
import { fetchInProcess } from './fetch-in-process.ts';
import { type Listening, listen } from './listen.ts';
import { sendToLoopback } from './send-to-loopback.ts';
import { createSigningKey } from './sign-id-token.ts';

/** Features of every emulator, shown with the smallest provider: a list of words. */

interface Words {
  words: string[];
}

const machine: Machine<Words> = {
  provider: 'words',
  createWorld: () => ({ words: [] }),
  classify: (_, { method, path }) =>
    path === '/page'
      ? null
      : { operation: method === 'POST' ? 'add' : 'list', account: 'ada', calendar: path.slice(1), resource: null },
  laneOf: (_, { path }) => (path === '/narrow' ? 'narrow' : null),
  answer(world, request, { deliveries, quirk, ahead }) {
    if (ahead > 1) return jsonReply(429, {});
    if (request.path === '/page')
      return request.method === 'POST' ? seeOther('page') : htmlReply(200, '<h1>Words</h1>');
    if (request.method !== 'POST')
      return jsonReply(200, quirk === 'backwards' ? world.words.toReversed() : world.words);
    const add = () => {
      world.words.push(request.body);
      deliveries.enqueue('channel', {
        method: 'POST',
        url: 'http://127.0.0.1:1/hook',
        headers: {},
        body: request.body,
      });
      return jsonReply(201, {});
    };
    if (request.path !== '/asks') return add();
    const call: Call = { method: 'POST', url: 'http://127.0.0.1:1/may-i', headers: {}, body: '' };
    return { call, next: ({ status }) => (status === 200 ? add() : jsonReply(400, {})) };
  },
  operationGroups: { write: ['add'] },
  faultNamed(name, _, match) {
    if (name !== 'W1') throw new Error(`no fault ${name}`);
    return { ...match, effect: { kind: 'status', status: 503 } };
  },
  retryAfterMs: ({ status }, attempt) => (status === 503 && attempt < 3 ? 1_000 : null),
};

interface Dialect {
  seed: string;
  act: string;
  acted: number;
  snapshot: Words;
  knobs: Record<string, never>;
}

const clock = createClock(1_000_000);
const emulator = createEmulator(machine, clock);
const control = createControl(emulator, {
  seed: (word) => emulator.world.words.push(word as string),
  act: (word) => emulator.world.words.push(word as string),
  snapshot: () => emulator.world,
  knobs: () => ({}),
});
const served: Served<Words> = { emulator, control };
let listening: Listening | null = null;
let calls: Call[] = [];
let answers: number[] = [];

beforeEach(() => {
  emulator.reset();
  emulator.deliveries.setMode('held');
  calls = [];
  answers = [];
  emulator.deliveries.sendWith(async (call) => {
    calls.push(call);
    return { status: answers.shift() ?? 200, body: '', tookMs: 0 };
  });
});
afterEach(async () => {
  await listening?.close();
  listening = null;
});

describe.each(['in this process', 'over loopback'])('emulator kit %s', (how) => {
  async function meet() {
    if (how === 'over loopback') listening = await listen(served);
    const url = listening?.url ?? 'http://words.test';
    const send = how === 'over loopback' ? fetch : fetchInProcess(served);
    return {
      remote: connectControl<Dialect>(url, send),
      add: (word: string, path = '/a') => send(`${url}${path}`, { method: 'POST', body: word }),
      page: async (init?: RequestInit) => await (await send(`${url}/page`, init)).text(),
      list: async (init?: RequestInit) => (await (await send(`${url}/a?x=1`, init)).json()) as string[],
    };
  }

  it('an emulator answers requests and records each in its request log', async () => {
    const { remote, add, list } = await meet();
    await remote.seed('one', 'two');
    expect(await remote.act('three')).toBe(3);
    expect((await add('four')).status).toBe(201);
    expect(await list()).toEqual(['one', 'two', 'three', 'four']);
    expect(await remote.ledger()).toMatchObject([
      { n: 1, operation: 'add', account: 'ada', calendar: 'a', status: 201, applied: true, requestBytes: 4 },
      { n: 2, operation: 'list', query: 'x=1', status: 200, atMs: 1_000_000 },
    ]);
    await remote.clearLedger();
    expect(await remote.ledger()).toEqual([]);
  });

  it('a lane refuses requests beyond its limit of concurrent requests', async () => {
    const { remote, add } = await meet();
    await remote.setLatency(20);
    const atOnce = await Promise.all(['one', 'two', 'three'].map((word) => add(word, '/narrow')));
    expect(atOnce.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 201, 429]);
    expect((await add('four', '/narrow')).status).toBe(201);
    await remote.setLatency(0);
  });

  it('a connection can be cut before or after the request is applied', async () => {
    const { remote, add } = await meet();
    await remote.addFaults({ op: 'write', effect: { kind: 'reset' } });
    await expect(add('lost')).rejects.toThrow('fetch failed');
    await remote.addFaults({ op: 'write', phase: 'after', effect: { kind: 'reset' } });
    await expect(add('kept')).rejects.toThrow('fetch failed');
    expect(await remote.snapshot()).toEqual({ words: ['kept'] });
    expect(await remote.ledger()).toMatchObject([
      { applied: false },
      { applied: true, phase: 'after', fault: 'reset' },
    ]);
  });

  it('a page for people is neither recorded in the request log nor hit by faults', async () => {
    const { remote, page } = await meet();
    await remote.addFaults({ times: 0, effect: { kind: 'reset' } });
    expect(await page()).toBe('<h1>Words</h1>');
    expect(await page({ method: 'POST', redirect: 'manual' })).toBe('');
    expect(await remote.ledger()).toEqual([]);
  });

  it('a fault can be added by its name, and an unknown name is refused', async () => {
    const { remote, list } = await meet();
    await remote.addFaults({ name: 'W1', op: 'list', nth: 2 });
    await list();
    await expect(list()).rejects.toThrow();
    expect(await remote.faults()).toMatchObject([{ name: 'W1', seen: 2, struck: 1 }]);
    await expect(remote.addFaults({ name: 'W2' })).rejects.toThrow('no fault W2');
    await remote.clearFaults();
    expect(await remote.faults()).toEqual([]);
  });

  it('a response can be cut short, slowed, delayed or altered by a quirk', async () => {
    const { remote, list } = await meet();
    await remote.seed('one', 'two');
    await remote.addFaults({ effect: { kind: 'truncated', keep: 0.5 } });
    await expect(list()).rejects.toThrow();
    await remote.addFaults({ effect: { kind: 'slow', bytesPerSecond: 100 } });
    const started = performance.now();
    expect(await list()).toEqual(['one', 'two']);
    await remote.addFaults({ delayMs: 50, effect: { kind: 'none' } });
    await list();
    expect(performance.now() - started).toBeGreaterThan(140);
    await remote.addFaults({ effect: { kind: 'quirk', quirk: 'backwards' } });
    expect(await list()).toEqual(['two', 'one']);
  });

  it('a stalled request lasts until its client gives up', async () => {
    const { remote, list } = await meet();
    await remote.addFaults({ effect: { kind: 'stall' } });
    await expect(list({ signal: AbortSignal.timeout(50) })).rejects.toThrow();
  });

  it.each([
    ['answer', ['word']],
    ['apply-and-reset', ['word']],
    ['drop', []],
  ] as const)('a parked request can be released with "%s"', async (release, words) => {
    const { remote, add } = await meet();
    const hold = await remote.hold({ op: 'add' });
    const answered = add('word').then(
      ({ status }) => status,
      () => null,
    );
    expect(await hold.parked()).toMatchObject({ method: 'POST', body: 'word' });
    expect(await remote.snapshot()).toEqual({ words: [] });
    await hold.release(release);
    expect(await answered).toBe(release === 'answer' ? 201 : null);
    expect(await remote.snapshot()).toEqual({ words: [...words] });
  });

  it('a request that needs a callback succeeds only when the callback does', async () => {
    const { remote, add } = await meet();
    answers = [404];
    expect((await add('no', '/asks')).status).toBe(400);
    expect((await add('yes', '/asks')).status).toBe(201);
    expect(calls.map(({ url }) => new URL(url).pathname)).toEqual(['/may-i', '/may-i']);
    expect(await remote.snapshot()).toEqual({ words: ['yes'] });
  });
});

describe('notifications', () => {
  const remote = connectControl<Dialect>('http://words.test', fetchInProcess(served));
  const add = (word: string) => fetchInProcess(served)('http://words.test/a', { method: 'POST', body: word });
  const bodies = () => calls.map(({ body }) => body);

  it('notifications wait until they are pumped, and can be dropped, duplicated, delayed or reordered', async () => {
    for (const word of ['a', 'b', 'c', 'd']) await add(word);
    const ids = (await remote.deliveries()).list.map(({ id }) => id);
    await remote.deliver({ do: 'drop', ids: [ids[0]!] });
    await remote.deliver({ do: 'duplicate', ids: [ids[1]!] });
    await remote.deliver({ do: 'delay', ids: [ids[2]!], ms: 5_000 });
    await remote.deliver({ do: 'reorder', ids: [ids[3]!] });
    expect(calls).toEqual([]);
    await remote.deliver({ do: 'pump', count: 1 });
    expect(bodies()).toEqual(['d']);
    await remote.deliver({ do: 'pump' });
    expect(bodies()).toEqual(['d', 'b', 'b']);
    await remote.clock({ advanceMs: 5_000 });
    await remote.deliver({ do: 'pump' });
    expect(bodies()).toEqual(['d', 'b', 'b', 'c']);
  });

  it('a failed notification is retried, then marked as failed', async () => {
    answers = [503, 503, 503];
    await add('a');
    for (let i = 0; i < 5; i += 1) {
      await remote.deliver({ do: 'pump' });
      await remote.clock({ advanceMs: 1_000 });
    }
    expect(calls).toHaveLength(3);
    expect((await remote.deliveries()).list).toMatchObject([{ state: 'failed', status: 503, attempt: 3 }]);
  });

  it('notifications in auto mode are sent at once, and lost ones are dropped', async () => {
    await remote.deliver({ do: 'mode', mode: 'auto' });
    await add('a');
    await expect.poll(bodies).toEqual(['a']);
    await remote.deliver({ do: 'lose', share: 1 });
    await add('b');
    expect((await remote.deliveries()).list).toMatchObject([{ state: 'delivered' }, { state: 'dropped' }]);
  });

  it('a forged notification can be sent', async () => {
    await remote.deliver({ do: 'forge', url: 'http://127.0.0.1:1/hook', headers: { 'x-a': 'b' }, body: 'lie' });
    expect(calls).toMatchObject([{ method: 'POST', body: 'lie', headers: { 'x-a': 'b' } }]);
  });
});

it('requests of the emulator go only to the loopback interface', async () => {
  listening = await listen(served);
  const call = (url: string) => sendToLoopback({ method: 'POST', url, headers: {}, body: 'x' });
  expect(await call(`${listening.url}/a`)).toMatchObject({ status: 201 });
  expect(await call('http://192.0.2.1/a')).toMatchObject({ status: null, tookMs: 0 });
  await listening.close();
  expect(await call(`${listening.url}/a`)).toMatchObject({ status: null });
});

it("the emulator's clock runs, freezes and advances", () => {
  let realMs = 100;
  const own = createClock(null, () => realMs);
  own.advance(1_000);
  realMs += 5;
  expect(own.now()).toBe(1_105);
  own.freeze();
  realMs += 5;
  expect(own.now()).toBe(1_105);
  own.run();
  realMs += 5;
  expect(own.now()).toBe(1_110);
});

it('a signed token verifies with the published keys (RFC 7515, 7517)', () => {
  const key = createSigningKey();
  const [head, body, signature] = key.signToken({ sub: 'ada' }).split('.') as [string, string, string];
  const [jwk] = key.jwks().keys;
  expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({ alg: 'RS256', typ: 'JWT', kid: jwk!.kid });
  const publicKey = createPublicKey({ key: jwk!, format: 'jwk' });
  expect(verify('sha256', Buffer.from(`${head}.${body}`), publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
});
