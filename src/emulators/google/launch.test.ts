import { hash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LaunchedGoogle, launchGoogle } from './launch.ts';

/** The emulator as the demo meets it: on loopback, with its own time, its notifications leaving by themselves. */

let google: LaunchedGoogle;
const heard: IncomingHttpHeaders[] = [];
const hook = createServer((request, response) => {
  heard.push(request.headers);
  response.writeHead(204).end();
});
let hookUrl: string;

beforeAll(async () => {
  google = await launchGoogle();
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  hookUrl = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/push`;
});
afterAll(async () => {
  await google.close();
  hook.close();
});

it('a user signs in on the consent page, lists calendars, and a change to an event is pushed', async () => {
  const { endpoints, control } = google;
  await control.seed({ account: 'ada@example.com', name: 'Ada', demo: true });
  const verifier = 'v'.repeat(43);
  const query = new URLSearchParams({
    client_id: endpoints.clientId,
    redirect_uri: 'http://127.0.0.1:3000/return',
    response_type: 'code',
    access_type: 'offline',
    scope:
      'https://www.googleapis.com/auth/calendar.events https://www.googleapis.com/auth/calendar.calendarlist.readonly',
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
  });
  const form = new URLSearchParams({ account: 'ada@example.com', decision: 'allow' });
  for (const scope of query.get('scope')!.split(' ')) form.append('scope', scope);
  const consent = await fetch(`${endpoints.authorizeUrl}?${query.toString()}`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  const code = new URL(consent.headers.get('location')!).searchParams.get('code')!;
  const answered = await fetch(endpoints.tokenUrl, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: endpoints.clientId,
      client_secret: endpoints.clientSecret,
      redirect_uri: 'http://127.0.0.1:3000/return',
      code_verifier: verifier,
      code,
    }),
  });
  const { access_token: token } = (await answered.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const calendars = await fetch(`${endpoints.apiBase}/users/me/calendarList`, { headers });
  expect(((await calendars.json()) as { items: unknown[] }).items).toHaveLength(3);

  const body = JSON.stringify({ id: 'channel-1', type: 'web_hook', address: hookUrl, token: 'secret' });
  const watched = await fetch(`${endpoints.apiBase}/calendars/primary/events/watch`, { method: 'POST', headers, body });
  expect(watched.status).toBe(200);
  await expect.poll(() => heard.length).toBe(1);
  await control.act({ account: 'ada@example.com', do: 'move', pick: 'Dentist', minutes: 60 });
  await expect.poll(() => heard.length).toBe(2);
  expect(heard[1]).toMatchObject({ 'x-goog-channel-token': 'secret', 'x-goog-resource-state': 'exists' });
  expect((await control.ledger()).map(({ operation }) => operation)).toEqual([
    'token.code',
    'calendarList.list',
    'events.watch',
  ]);
});

it('a reset keeps the launch settings and removes all data', async () => {
  const own = await launchGoogle({ knobs: { perMinutePerUser: 7 } });
  await own.control.seed({ account: 'ada@example.com' });
  await own.control.reset();
  expect((await own.control.knobs({})).perMinutePerUser).toBe(7);
  expect(await own.control.snapshot()).toEqual({ accounts: {}, channels: [] });
  await own.close();
});
