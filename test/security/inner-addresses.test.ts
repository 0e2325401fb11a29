import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSafeFetch } from '#platform/fetch.ts';
import { createLog } from '#platform/log.ts';
import { startTestApp, type TestApp } from '../harness/test-app.ts';
import { signUpUser, type TestUser } from '../harness/test-client.ts';

/**
 * Rows 27, 28 and 32 of the security test plan at every endpoint that takes an address: none reveals the network behind
 * this server. Tests of the parts are in src/platform/fetch.test.ts and addresses.test.ts.
 */

const encryptionKeys = `test:${randomBytes(32).toString('base64')}`;
let server: TestApp;
let person: TestUser;
let inner: Server;
let port: number;
let reached = 0;
beforeAll(async () => {
  inner = createServer((_request, response) => {
    reached += 1;
    response.end('BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n');
  });
  inner.on('connection', () => {
    reached += 1;
  });
  await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve));
  port = (inner.address() as AddressInfo).port;
  const log = await createLog({ level: 'silent', format: 'json' });
  const names: Record<string, string> = { 'inside.example': '127.0.0.1', 'metadata.example': '169.254.169.254' };
  const lookup = async (host: string) => {
    const address = names[host];
    if (address === undefined) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
    return [{ address, family: 4 }];
  };
  server = await startTestApp({
    role: 'web',
    encryptionKeys,
    fetch: createSafeFetch({ allowPrivate: [], log, lookup }),
  });
  person = await signUpUser(server, 'curious@example.org');
});
afterAll(async () => {
  await server.close();
  inner.close();
});
beforeEach(() => sql`delete from platform.limits`.execute(server.app.db));

const addresses = () => [
  `https://127.0.0.1:${port}/`,
  `https://localhost:${port}/`,
  `https://inside.example:${port}/`,
  'https://127.0.0.1/',
  'https://0.0.0.0/',
  'https://[::1]/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://metadata.example/',
  'https://100.64.0.1/',
  'https://198.18.0.1/',
  'https://[fc00::1]/',
  'https://[fe80::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://2130706433/',
  'https://0177.0.0.1/',
  'https://0x7f.1/',
  'https://127.1/',
  'https://localhost./',
  'https://①②⑦.0.0.1/',
  'https://gone.example:22/',
  'https://gone.example:5432/',
  'https://gone.example:6379/',
];

const doors: Record<string, (url: string) => { method: 'POST' | 'PATCH'; url: string; payload: object }> = {
  'a picture of oneself': (url) => ({ method: 'PATCH', url: '/api/account/profile', payload: { avatarUrl: url } }),
  'a calendar feed': (url) => ({ method: 'POST', url: '/api/connections/feed', payload: { url } }),
  'a CalDAV account': (url) => ({
    method: 'POST',
    url: '/api/connections/caldav',
    payload: { profile: 'generic', url, username: 'x', password: 'x' },
  }),
  'a calendar to compare with': (url) => ({
    method: 'POST',
    url: '/api/book/overlay',
    payload: { kind: 'address', url, from: 30_000_000, days: 1, zone: 'UTC' },
  }),
};

describe.each(Object.entries(doors))('address of %s', (_, door) => {
  const refusal = async (url: string) => {
    const headers = { authorization: `Bearer ${person.token}` };
    const answer = await server.inject({ ...door(url), headers });
    await sql`delete from platform.limits`.execute(server.app.db);
    const { code, message } = answer.json().detail ?? {};
    return { status: answer.statusCode, code, message: String(message).replaceAll(new URL(url).host, 'HOST') };
  };

  test('a private address is refused like an unreachable server, and nothing is called', async () => {
    const absent = await refusal('https://gone.example/');
    expect(absent.status).toBeGreaterThanOrEqual(400);
    expect(absent.status).toBeLessThan(500);
    for (const url of addresses()) expect(await refusal(url), url).toEqual(absent);
    expect(reached).toBe(0);
  });

  test('an address with another scheme than HTTP is refused', async () => {
    for (const url of [
      'file:///etc/passwd',
      'gopher://127.0.0.1/',
      'unix:/var/run/docker.sock',
      'ftp://gone.example/x',
      'data:text/calendar,x',
      'javascript:alert(1)',
    ]) {
      const answer = await server.inject({ ...door(url), headers: { authorization: `Bearer ${person.token}` } });
      expect([400, 422], url).toContain(answer.statusCode);
    }
    expect(reached).toBe(0);
  });
});

describe('CALDAV_ALLOW_PRIVATE', () => {
  let allowing: TestApp;
  beforeAll(async () => {
    const config = { caldavAllowPrivate: [`127.0.0.1:${port}`] };
    allowing = await startTestApp({ role: 'web', encryptionKeys, database: server.database, config });
  });
  afterAll(() => allowing.close());
  const send = (call: { method: 'POST' | 'PATCH'; url: string; payload: object }) =>
    allowing.inject({ ...call, headers: { authorization: `Bearer ${person.token}` } });

  test('CALDAV_ALLOW_PRIVATE opens an address to connections, and to nothing else that takes one', async () => {
    const url = `https://127.0.0.1:${port}/`;
    const asked = { from: 30_000_000, days: 1, zone: 'UTC' };
    for (const call of [
      doors['a picture of oneself']?.(url),
      { method: 'POST' as const, url: '/api/book/overlay', payload: { kind: 'address', url, ...asked } },
    ]) {
      expect(call && (await send(call)).statusCode, call?.url).toBe(400);
    }
    expect(reached).toBe(0);
    for (const name of ['a CalDAV account', 'a calendar feed']) {
      const call = doors[name]?.(`http://127.0.0.1:${port}/`);
      if (call) await send(call);
      expect(reached, name).toBeGreaterThan(0);
      reached = 0;
    }
  });

  test('CALDAV_ALLOW_PRIVATE opens no other port of its host', async () => {
    const other = createServer((_request, response) => response.end());
    let asked = 0;
    other.on('connection', () => {
      asked += 1;
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    for (const door of Object.values(doors)) expect((await send(door(url))).statusCode).toBeGreaterThanOrEqual(400);
    other.close();
    expect(asked).toBe(0);
  });
});
