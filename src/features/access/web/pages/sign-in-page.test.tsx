import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { createFakeApi, type FakeAnswer, type FakeRoutes, refusal } from '#web/fake-api.ts';
import { enterAt, SampleEntrance } from '../frame/sample-entrance.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function signIn(answer: FakeAnswer | Promise<FakeAnswer>, more: FakeRoutes = {}, at = '/login') {
  const api = createFakeApi({ 'POST /auth/login': () => answer, ...more });
  vi.stubGlobal('fetch', api.fetch);
  const user = userEvent.setup();
  enterAt(at);
  render(<SampleEntrance at={at} />);
  await user.type(await screen.findByLabelText('Email'), 'ada@example.org');
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  return { api, user };
}

type Api = Awaited<ReturnType<typeof signIn>>['api'];
const posted = (api: Api) => api.calls.filter(({ method }) => method === 'POST');

test("a failed sign-in shows the server's message, keeps what was typed and focuses the password", async () => {
  await signIn(refusal(401, 'WRONG_CREDENTIALS', 'Email or password is wrong.'));
  expect((await screen.findByRole('alert')).textContent?.trim()).toBe('Email or password is wrong.');
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ada@example.org');
  const password = screen.getByLabelText<HTMLInputElement>('Password');
  expect([password.value, document.activeElement]).toEqual(['secret', password]);
});

test('a response with neither a session nor a challenge shows that the login failed', async () => {
  const person = { email: 'ada@example.org', name: 'Ada', company: null, role: 'user' };
  const body = { message: '', user: person, user_id: crypto.randomUUID(), session_token: null, session: null };
  const { user } = await signIn({ body: { ...body, next: 'MFA_REQUIRED' } });
  expect((await screen.findByRole('alert')).textContent).toBe('Login failed');
  await user.type(screen.getByLabelText('Password'), 's');
  expect(screen.getByRole('alert').textContent).toBe('Login failed');
});

test('a second press while signing in sends no second request', async () => {
  const { promise, resolve } = Promise.withResolvers<FakeAnswer>();
  const { api, user } = await signIn(promise);
  await user.click(await screen.findByRole('button', { name: 'Signing in...' }));
  await user.type(screen.getByLabelText('Password'), '{Enter}');
  expect(posted(api)).toHaveLength(1);
  resolve(refusal(401, 'WRONG_CREDENTIALS', 'No.'));
  await screen.findByRole('alert');
});

test('an unverified address at sign-in can have the verification mail sent again', async () => {
  const { api, user } = await signIn(refusal(403, 'EMAIL_NOT_VERIFIED', 'Your address is not verified yet.'), {
    'POST /auth/verify-email/resend': { body: { message: 'Sent', mailAt: null } },
  });
  await user.click(await screen.findByRole('button', { name: 'Resend email' }));
  await screen.findByText(/Only the newest link works/);
  expect(api.calls.at(-1)?.body).toEqual({ email: 'ada@example.org' });
});

test('an unverified address returning from a provider can have the verification mail sent again', async () => {
  const api = createFakeApi({ 'POST /auth/verify-email/resend': { body: { message: 'Sent', mailAt: null } } });
  vi.stubGlobal('fetch', api.fetch);
  const at = '/login?problem=EMAIL_NOT_VERIFIED&provider=microsoft';
  enterAt(at, { email: 'ada@example.org' });
  render(<SampleEntrance at={at} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Resend email' }));
  await screen.findByText(/Only the newest link works/);
  expect(api.calls.at(-1)?.body).toEqual({ email: 'ada@example.org' });
});

test('the administrator and the ordinary sign-in page each send their own app name', async () => {
  const refused = refusal(403, 'NOT_AN_ADMIN', 'This account is not an administrator.');
  const { api } = await signIn(refused, {}, '/admin/login');
  expect(posted(api)[0]?.body).toEqual({ email: 'ada@example.org', password: 'secret', app: 'admin' });
  const way = await screen.findByRole('link', { name: 'Go to regular sign-in' });
  expect(way.getAttribute('href')).toBe('/login');
  cleanup();
  const ordinary = await signIn(refusal(401, 'WRONG_CREDENTIALS', 'No.'));
  expect(posted(ordinary.api)[0]?.body).toMatchObject({ app: 'user' });
});

test('available providers appear above the form, and unavailable ones below it with their reason', async () => {
  enterAt('/login');
  render(<SampleEntrance at="/login" methods={{ google: 'on', microsoft: 'off', apple: 'soon', zoho: 'soon' }} />);
  const google = await screen.findByRole('link', { name: 'Sign in with Google' });
  const field = screen.getByLabelText('Email');
  const isBefore = (one: Element, other: Element) =>
    (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  expect(isBefore(google, field)).toBe(true);
  for (const [name, why] of [
    ['Microsoft', 'Not set up on this server'],
    ['Apple', 'Coming soon'],
    ['Zoho', 'Coming soon'],
  ]) {
    const button = screen.getByRole('button', { name: `Sign in with ${name} ${why}` });
    expect([button.getAttribute('aria-disabled'), isBefore(field, button)]).toEqual(['true', true]);
  }
});

test('a server without any available provider shows the form first', async () => {
  enterAt('/login');
  render(<SampleEntrance at="/login" />);
  expect(await screen.findAllByRole('button', { name: /^Sign in with (Google|Microsoft|Apple|Zoho) / })).toHaveLength(
    4,
  );
  expect(screen.queryByText('or with your email')).toBeNull();
});
