import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createSafeFetch } from '#platform/fetch.ts';
import { callOutside } from './services.ts';

it('the answer of an address that a person entered is not parsed', async () => {
  const server = createServer((_, response) => response.end('{"ok":true}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const log = pino({ level: 'silent' });
  const fetch = createSafeFetch({ allowPrivate: [host], log });
  try {
    const apiFetch = () => Promise.reject(new Error('not called'));
    const heard = await callOutside({ fetch, apiFetch, log }, { url: `http://${host}/`, isEntered: true });
    expect(heard).toMatchObject({ kind: 'answer', status: 200, body: '{"ok":true}', json: null });
  } finally {
    await fetch.close();
    await new Promise((resolve) => server.close(resolve));
  }
});
