import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FetchError, type SafeFetch } from '#platform/fetch.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { accountsContract } from './contract.ts';

const picture = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#5e53dd' } })
  .withExif({ IFD0: { Copyright: 'canary-copyright' } })
  .jpeg()
  .toBuffer();

/** Answers of other people's servers, and the requests to them. */
const elsewhere = new Map<string, { status: number; bytes: Uint8Array }>();
const asked: string[] = [];
const request: SafeFetch['request'] = async ({ url, maxBytes = 0 }) => {
  asked.push(url);
  const answer = elsewhere.get(url);
  if (answer === undefined) throw new FetchError('UNREACHABLE', 'The server does not answer.');
  if (answer.bytes.byteLength > maxBytes) throw new FetchError('TOO_LARGE', 'The answer is too large.');
  return { ...answer, headers: {}, body: '' };
};

let server: TestApp;
let user: TestUser;
beforeAll(async () => {
  server = await startTestApp({ role: 'web', fetch: { request } as SafeFetch });
  user = await signUpUser(server, 'face@example.org');
});
afterAll(() => server.close());

const put = (payload: Buffer | string, type: string, token = user.token) =>
  server.inject({
    method: 'PUT',
    url: '/api/account/avatar',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    payload,
  });

test('an uploaded avatar is re-encoded without metadata, served under an unguessable name, and replaced by the next', async () => {
  const answer = await put(picture, 'image/jpeg');
  expect(answer.statusCode).toBe(200);
  const { avatarUrl } = answer.json();
  expect(avatarUrl).toMatch(/^\/avatars\/[\w-]{43}\.webp$/);
  const served = await server.inject({ url: avatarUrl });
  expect(served.statusCode).toBe(200);
  expect(served.headers).toMatchObject({
    'content-type': 'image/webp',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, max-age=31536000, immutable',
  });
  expect(await sharp(served.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 });
  expect(served.rawPayload.includes('canary-copyright')).toBe(false);
  expect(await user.as(accountsContract).readAccountProfile()).toMatchObject({ avatarUrl });

  const second = (await put(picture, 'application/octet-stream')).json().avatarUrl;
  expect(second).not.toBe(avatarUrl);
  expect((await server.inject({ url: avatarUrl })).statusCode).toBe(404);
  expect(await user.as(accountsContract).removeAvatar()).toMatchObject({ avatarUrl: null });
  expect((await server.inject({ url: second })).statusCode).toBe(404);
});

test('an upload that is no picture, too large or of another type is refused, and the old avatar stays', async () => {
  const { avatarUrl } = (await put(picture, 'image/jpeg')).json();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const refusals = [
    [await put(svg, 'image/png'), 400, 'PICTURE_TYPE'],
    [await put('<script>alert(1)</script>', 'application/octet-stream'), 400, 'PICTURE_TYPE'],
    [await put(svg, 'image/svg+xml'), 415, 'UNSUPPORTED_TYPE'],
    [await put('{}', 'application/json'), 415, 'UNSUPPORTED_TYPE'],
    [await put('x', 'multipart/form-data; boundary=x'), 415, 'UNSUPPORTED_TYPE'],
    [await put(Buffer.alloc(2 * 1024 * 1024 + 1), 'image/png'), 413, 'TOO_LARGE'],
  ] as const;
  for (const [answer, status, code] of refusals) {
    expect([answer.statusCode, answer.json().detail.code]).toEqual([status, code]);
  }
  expect((await user.as(accountsContract).readAccountProfile()).avatarUrl).toBe(avatarUrl);
});

test('an invalid avatar file name is answered with 404', async () => {
  for (const file of ['..%2f..%2fetc%2fpasswd', '%00', 'CON', '.webp', `${'a'.repeat(90)}.webp`, '%E2%80%AEpbew.exe']) {
    expect((await server.inject({ url: `/avatars/${file}` })).statusCode, file).toBe(404);
  }
});

test('an avatar given by URL is fetched once and served from this server', async () => {
  const owner = await signUpUser(server, 'linked@example.org');
  const api = owner.as(accountsContract);
  const url = 'https://pictures.example/me.jpg';
  elsewhere.set(url, { status: 200, bytes: picture });
  const { avatarUrl } = await api.changeProfile({ body: { avatarUrl: url } });
  expect(avatarUrl).toMatch(/^\/avatars\//);
  asked.length = 0;
  // a change of the name sends the picture's address back
  expect(await api.changeProfile({ body: { name: 'Face', avatarUrl: avatarUrl ?? '' } })).toMatchObject({ avatarUrl });
  expect(asked).toEqual([]);
  expect(await api.changeProfile({ body: { avatarUrl: '' } })).toMatchObject({ avatarUrl: null });
});

test('an avatar URL that is forbidden, missing or too large is refused with one and the same message', async () => {
  const owner = await signUpUser(server, 'curious@example.org');
  elsewhere.set('https://pictures.example/gone.jpg', { status: 404, bytes: picture });
  elsewhere.set('https://pictures.example/huge.jpg', { status: 200, bytes: Buffer.alloc(3_000_000) });
  const messages = new Set<string>();
  for (const avatarUrl of [
    'https://127.0.0.1/x',
    'https://pictures.example/gone.jpg',
    'https://pictures.example/huge.jpg',
  ]) {
    const refusal = await owner
      .as(accountsContract)
      .changeProfile({ body: { name: 'Kept?', avatarUrl } })
      .catch((error) => error);
    expect(refusal).toMatchObject({ status: 400, code: 'PICTURE_UNREACHABLE' });
    messages.add(refusal.message);
  }
  expect(messages.size).toBe(1);
  expect(await owner.as(accountsContract).readAccountProfile()).toMatchObject({ name: 'curious', avatarUrl: null });
});

test('a changed avatar, name or preference is sent as a live update to its user only', async () => {
  const topics = (userId: TestUser['userId']) => {
    const heard: string[] = [];
    const subscription = server.app.feed.subscribe(userId, undefined, ({ topic }) => heard.push(topic));
    return { heard, close: () => subscription.close() };
  };
  await server.app.feed.ready();
  const stranger = await signUpUser(server, 'stranger@example.org');
  const [own, others] = [topics(user.userId), topics(stranger.userId)];
  const api = user.as(accountsContract);
  await api.changePreferences({ body: { timeFormat: '24h' } });
  await api.changeProfile({ body: { name: 'Ada' } });
  await api.removeAvatar();
  await expect.poll(() => own.heard).toEqual(['profile', 'profile', 'profile']);
  expect(others.heard).toEqual([]);
  own.close();
  others.close();
});
