import { QueryClient } from '@tanstack/react-query';
import { isRedirect, type ParsedLocation } from '@tanstack/react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { createFakeApi, type FakeAnswer, refusal } from './fake-api.ts';
import { enterFromProvider } from './provider-return.ts';

afterEach(() => vi.unstubAllGlobals());

let tokens = 0;

async function arrive(answer: FakeAnswer, more: Record<string, unknown> = {}) {
  const api = createFakeApi({ 'POST /auth/oauth/exchange': answer });
  vi.stubGlobal('fetch', api.fetch);
  tokens += 1;
  const search = { token: `token-${tokens}`, provider: 'google', ...more };
  const input = { context: { queryClient: new QueryClient() }, location: { search } as unknown as ParsedLocation };
  const sent = await enterFromProvider(input).catch((error: unknown) => error);
  if (!isRedirect(sent)) throw new Error('nobody was sent anywhere');
  return { api, options: sent.options, again: () => enterFromProvider(input).catch((error: unknown) => error) };
}

const person = { email: 'ada@example.org', name: 'Ada', company: null, role: 'user' };
const signedIn = {
  message: '',
  user: person,
  user_id: crypto.randomUUID(),
  session_token: 's',
  next: null,
  session: null,
};

test('who is signed in goes on to the page that was wanted, and to no other site', async () => {
  const wanted = await arrive({ body: signedIn }, { from: '/meetings?tab=past' });
  expect(wanted.options).toMatchObject({ href: '/meetings?tab=past', replace: true });
  expect((await arrive({ body: signedIn })).options).toMatchObject({ href: '/dashboard' });
  expect((await arrive({ body: signedIn }, { from: '//evil.example' })).options).toMatchObject({ href: '/dashboard' });
});

test('a token is exchanged once, however often the navigation begins', async () => {
  const { api, again } = await arrive({ body: signedIn });
  expect(isRedirect(await again())).toBe(true);
  expect(api.calls).toHaveLength(1);
});

test('who has a second factor goes there with the challenge, which is in no address', async () => {
  const asked = { ...signedIn, session_token: null, next: 'MFA_REQUIRED', session: 'challenge' };
  const { options } = await arrive({ body: asked }, { from: '/meetings' });
  expect(options).toMatchObject({
    to: '/mfa/verify',
    search: { from: '/meetings' },
    state: { challenge: 'challenge' },
    replace: true,
  });
});

test('what was wrong is told on the sign-in page by its code', async () => {
  const { options } = await arrive(refusal(409, 'EMAIL_EXISTS', 'It has an account.'));
  expect(options).toMatchObject({
    to: '/login',
    search: { problem: 'EMAIL_EXISTS', provider: 'google' },
    replace: true,
  });
  const waiting = await arrive(refusal(403, 'EMAIL_NOT_VERIFIED', 'Not yet.', { email: 'ada@example.org' }));
  expect(waiting.options).toMatchObject({
    search: { problem: 'EMAIL_NOT_VERIFIED' },
    state: { email: 'ada@example.org' },
  });
  const { api, options: unknown } = await arrive({ body: signedIn }, { provider: 'evil' });
  expect([api.calls.length, unknown.to, unknown.search]).toMatchObject([0, '/login', { problem: 'OTHER' }]);
});
