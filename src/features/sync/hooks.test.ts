import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SyncWorld, startSyncWorld } from '../../../test/harness/sync-world.ts';
import type { ChannelId, ConnectionId } from '../../kernel/ids.ts';
import { hashToken } from '../../platform/crypto.ts';
import { hookKey } from './hook-key.ts';
import { insertChannel, keepChannel, listChannels } from './store/channels.ts';

let world: SyncWorld;
beforeAll(async () => {
  world = await startSyncWorld();
});
afterAll(() => world.close());

const hourMs = 3_600_000;

/** A channel as it stands once its provider has answered, or before that. */
async function channelOf(state: 'opening' | 'live') {
  const { db } = world.server.app;
  const id = randomUUIDv7() as string as ChannelId;
  const secret = `${id}.${'s'.repeat(43)}`;
  const openedMs = world.clock.nowMs();
  const { calendarId, accountId } = world.left;
  await insertChannel(db, {
    id,
    calendarId,
    connectionId: accountId as ConnectionId,
    openedMs,
    secretHash: hashToken(secret),
  });
  if (state === 'live') {
    const expiresMs = openedMs + 168 * hourMs;
    await keepChannel(db, id, { ref: `ref ${id}`, resource: 'r', openedMs, renewMs: expiresMs - hourMs, expiresMs });
  }
  return { id, secret };
}

/** Readings of the left calendar since the last call. */
let seen = 0;
async function readings(): Promise<number> {
  await world.server.settle();
  const since = world.emulator.ledger.slice(seen);
  seen = world.emulator.ledger.length;
  return since.filter((entry) => entry.method === 'REPORT' && entry.path.includes('/left/')).length;
}
const channelIds = async () =>
  (await listChannels(world.server.app.db, world.left.accountId as ConnectionId)).map((channel) => channel.id);

const google = (token: string, state = 'exists') =>
  world.server.inject({
    method: 'POST',
    url: '/hooks/google',
    headers: {
      'x-goog-channel-id': 'x',
      'x-goog-channel-token': token,
      'x-goog-resource-state': state,
      'content-type': 'application/json; charset=utf-8',
      'content-length': '0',
    },
  });
const graph = (value: object[], path = '/hooks/microsoft') =>
  world.server.inject({ method: 'POST', url: path, payload: { value } });

test('a push notification triggers a pull of its calendar, also before its channel is live', async () => {
  for (const state of ['live', 'opening'] as const) {
    const { secret } = await channelOf(state);
    await readings();
    expect((await google(secret)).statusCode).toBe(200);
    expect(await readings()).toBe(1);
  }
});

test('a forged push notification gets the same response as a real one and triggers no pull', async () => {
  const { id, secret } = await channelOf('live');
  await readings();
  for (const token of [`${id}.${'t'.repeat(43)}`, `${randomUUIDv7()}.${'s'.repeat(43)}`, id, 'x', '']) {
    expect((await google(token)).statusCode).toBe(200);
    expect((await graph([{ clientState: token }])).statusCode).toBe(202);
  }
  await google(secret, 'sync');
  expect((await world.server.inject({ method: 'POST', url: '/hooks/google' })).statusCode).toBe(200);
  expect(await readings()).toBe(0);
});

test('each notification of one delivery is checked separately, whatever else it carries', async () => {
  const { id, secret } = await channelOf('live');
  await readings();
  const answer = await graph([
    { clientState: 'forged.x', changeType: 'updated' },
    { clientState: secret, subscriptionId: id, changeType: 'created', resourceData: { id: 'AAMk' } },
    { clientState: secret, changeType: 'updated', somethingNew: true },
  ]);
  expect(answer.statusCode).toBe(202);
  expect(await readings()).toBe(1);
});

test('a validation token of Microsoft Graph is returned as plain text', async () => {
  for (const path of ['/hooks/microsoft', '/hooks/microsoft/lifecycle']) {
    const answer = await world.server.inject({
      method: 'POST',
      url: `${path}?validationToken=${encodeURIComponent('Validation: <b>Testing</b> + spaces')}`,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.body).toBe('Validation: <b>Testing</b> + spaces');
  }
});

test('a missed-notification event triggers a pull, and a removed subscription deletes its channel', async () => {
  const { id, secret } = await channelOf('live');
  await readings();
  await graph([{ clientState: secret, lifecycleEvent: 'missed' }], '/hooks/microsoft/lifecycle');
  expect(await readings()).toBe(1);
  await graph([{ clientState: secret, lifecycleEvent: 'subscriptionRemoved' }], '/hooks/microsoft/lifecycle');
  expect(await readings()).toBe(1);
  expect(await channelIds()).not.toContain(id);
});

test('a body over 256 KB is accepted only at the address that was given to Microsoft Graph', async () => {
  const { secret } = await channelOf('live');
  await readings();
  const notices = JSON.stringify({
    value: Array.from({ length: 5_000 }, () => ({ clientState: secret, resource: 'r'.repeat(500), tenantId: 't' })),
  });
  const send = (path: string, headers: Record<string, string> = {}) =>
    world.server.inject({
      method: 'POST',
      url: path,
      payload: notices,
      headers: { 'content-type': 'application/json', ...headers },
    });
  const key = hookKey(world.server.app);
  for (const query of ['', '?key=', `?key=${'x'.repeat(43)}`, `?key=${key}&key=${key}`]) {
    expect((await send(`/hooks/microsoft${query}`)).statusCode, query).toBe(413);
  }
  const chunked = await send('/hooks/microsoft', { 'transfer-encoding': 'chunked' });
  expect(chunked.statusCode).toBe(413);
  expect(await readings()).toBe(0);
  expect((await send(`/hooks/microsoft?key=${key}`)).statusCode).toBe(202);
  expect(await readings()).toBe(1);
});

test('a flood of notifications triggers few pulls, and a body that is not JSON is refused', async () => {
  const { secret } = await channelOf('live');
  await readings();
  await Promise.all(Array.from({ length: 200 }, () => google(secret)));
  expect(await readings()).toBeLessThanOrEqual(25);
  const url = '/hooks/microsoft';
  const broken = await world.server.inject({
    method: 'POST',
    url,
    payload: '{',
    headers: { 'content-type': 'application/json' },
  });
  expect(broken.statusCode).toBe(400);
});
