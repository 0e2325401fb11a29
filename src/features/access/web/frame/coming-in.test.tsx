import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFakeApi, type FakeAnswer, type FakeRoutes, refusal } from '#web/fake-api.ts';
import { sampleSignIn } from '#web/sample-sign-in.ts';
import { enterAt, SampleEntrance } from './sample-entrance.tsx';
import type { Carried } from './use-entrance.ts';

/** From one entrance to the next, and on to what was wanted. */

const replace = vi.fn<(to: string | URL) => void>();
const reload = vi.fn<() => void>();
beforeEach(() => {
  vi.spyOn(window.location, 'replace').mockImplementation(replace);
  vi.spyOn(window.location, 'reload').mockImplementation(reload);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  replace.mockClear();
  reload.mockClear();
});

const signedIn = { body: { ...sampleSignIn, session_token: 'token' } };
const challenged = (next: 'MFA_REQUIRED' | 'MFA_ENROLL') => ({
  body: { ...sampleSignIn, next, session: 'chal-lenge' },
});

function open(at: string, routes: FakeRoutes = {}, carried: Carried | null = null, isSignedIn = false) {
  const api = createFakeApi(routes);
  vi.stubGlobal('fetch', api.fetch);
  enterAt(at, carried);
  render(<SampleEntrance at={at} signedIn={isSignedIn} />);
  return { api, user: userEvent.setup() };
}

async function signIn(user: ReturnType<typeof userEvent.setup>) {
  await user.type(await screen.findByLabelText('Email'), 'ada@example.org');
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
}

const here = () => location.pathname + location.search;

test('a sign-in redirects to the requested page, or to the dashboard for another site', async () => {
  for (const [at, to] of [
    ['/login?from=%2Fmeetings%3Fscope%3Dpast', '/meetings?scope=past'],
    ['/login?from=%2F%2Fevil.example', '/dashboard'],
    ['/admin/login', '/admin'],
  ] as const) {
    const { user } = open(at, { 'POST /auth/login': signedIn });
    await signIn(user);
    await waitFor(() => expect(replace).toHaveBeenLastCalledWith(to));
    // the browser is on its way, and a second press does nothing
    expect(screen.getByRole('button', { name: 'Signing in...' }).getAttribute('aria-disabled')).toBe('true');
    cleanup();
  }
});

test('a pasted authenticator code signs in and redirects, and its challenge stays out of the URL', async () => {
  const { api, user } = open('/login?from=%2Fmeetings', {
    'POST /auth/login': challenged('MFA_REQUIRED'),
    'POST /auth/mfa/verify': signedIn,
  });
  await signIn(user);
  const field = await screen.findByLabelText('6-digit code');
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(here()).toBe('/mfa/verify?from=%2Fmeetings');
  expect(document.title).toBe('Two-step verification · Holdfast');
  await user.paste('123 456');
  await waitFor(() => expect(replace).toHaveBeenCalledWith('/meetings'));
  const sent = api.calls.filter((call) => call.path === '/auth/mfa/verify');
  expect(sent.map((call) => call.body)).toEqual([{ session: 'chal-lenge', code: '123456' }]);
});

test('a wrong authenticator code shows an error with the field focused, and a wrong backup code shows one too', async () => {
  const { api, user } = open('/login', {
    'POST /auth/login': challenged('MFA_REQUIRED'),
    'POST /auth/mfa/verify': refusal(401, 'MFA_CODE_WRONG', 'This code is wrong.'),
    'POST /auth/mfa/backup/consume': refusal(401, 'CHALLENGE_ENDED', 'This sign-in has ended.'),
  });
  await signIn(user);
  await user.type(await screen.findByLabelText('6-digit code'), '12345x6');
  await screen.findByText('This code is wrong.');
  expect(document.activeElement).toBe(screen.getByLabelText('6-digit code'));

  await user.click(screen.getByRole('button', { name: 'Use a backup code' }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Backup code')));
  await user.paste('abcd-efgh');
  await screen.findByText(/This sign-in has ended/);
  expect(api.calls.at(-1)?.body).toEqual({ session: 'chal-lenge', code: 'abcd-efgh' });
  expect(screen.getAllByRole('link', { name: 'Back to Login' })).toHaveLength(2);
});

test('a reload of the second-factor page keeps the challenge, and without a challenge it shows the sign-in', async () => {
  const { api, user } = open('/mfa/verify', { 'POST /auth/mfa/verify': signedIn }, { challenge: 'chal-lenge' });
  await user.type(await screen.findByLabelText('6-digit code'), '123456');
  await waitFor(() => expect(api.calls.at(-1)?.body).toEqual({ session: 'chal-lenge', code: '123456' }));
  cleanup();
  open('/mfa/verify?from=%2Fmeetings');
  await screen.findByRole('heading', { name: 'Welcome Back' });
  expect(here()).toBe('/login?from=%2Fmeetings');
});

test('a required second-factor set-up continues in the app with the challenge in the history state', async () => {
  const { user } = open('/admin/login?from=%2Fadmin%2Fusers', { 'POST /auth/login': challenged('MFA_ENROLL') });
  await signIn(user);
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  expect(here()).toBe('/mfa/enroll?from=%2Fadmin%2Fusers');
  expect(history.state).toMatchObject({ challenge: 'chal-lenge', __TSR_key: expect.any(String) });
});

test('a typed email address carries over to the forgotten-password page, and Back returns to the sign-in', async () => {
  const { user } = open('/login?from=%2Fmeetings');
  await user.type(await screen.findByLabelText('Email'), 'ada@example.org');
  await user.click(screen.getByRole('link', { name: 'Forgot your password?' }));
  const title = await screen.findByRole('heading', { name: 'Forgot your password?' });
  await waitFor(() => expect(document.activeElement).toBe(title));
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ada@example.org');
  expect(here()).toBe('/password/forgot?from=%2Fmeetings');
  await user.clear(screen.getByLabelText('Email'));
  history.replaceState(null, '', '/login?from=%2Fmeetings');
  dispatchEvent(new PopStateEvent('popstate'));
  await screen.findByRole('heading', { name: 'Welcome Back' });
});

test('a signed-in user following "Back to Login" reloads, so that the server redirects', async () => {
  const { user } = open('/verify-email?email=a%40b.example&code=x', {}, null, true);
  await user.click(await screen.findByRole('link', { name: 'Back to Login' }));
  expect([here(), reload.mock.calls.length]).toEqual(['/login', 1]);
});

const returned = (given: string, exchange: FakeAnswer) =>
  open(`/?token=t0ken&provider=google${given}`, { 'POST /auth/oauth/exchange': exchange });

test("a provider's return token is exchanged once and leads to the requested page or the second factor", async () => {
  const { api } = returned('&from=%2Fmeetings', signedIn);
  await waitFor(() => expect(replace).toHaveBeenCalledWith('/meetings'));
  expect(api.calls.map(({ body }) => body)).toEqual([{ token: 't0ken', provider: 'google' }]);
  cleanup();
  returned('&from=%2Fmeetings', challenged('MFA_REQUIRED'));
  await screen.findByLabelText('6-digit code');
  expect(here()).toBe('/mfa/verify?from=%2Fmeetings');
});

test('a failed provider sign-in shows its error on the sign-in page and keeps the token out of the URL', async () => {
  returned('&from=%2Fmeetings', refusal(409, 'EMAIL_NOT_VERIFIED', 'No.', { email: 'ada@example.org' }));
  const told = await screen.findByRole('alert');
  expect(told.textContent).toContain("Google hasn't verified this address.");
  expect(here()).toBe('/login?problem=EMAIL_NOT_VERIFIED&provider=google&from=%2Fmeetings');
  expect(history.state).toMatchObject({ email: 'ada@example.org' });
  cleanup();
  const { api } = open('/?token=t0ken&provider=nobody');
  await screen.findByRole('alert');
  expect([here(), api.calls]).toEqual(['/login?problem=OTHER', []]);
});

test('a language change applies at once and keeps what was typed', async () => {
  const words = { 'access.signIn.title': 'Willkommen zurück', 'shell.documentTitle': '{{page}} · Holdfast' };
  const told = JSON.stringify({ words, language: 'de' }).replaceAll('<', '\\u003c');
  const { user } = open('/login');
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: URL) => {
    asked.push(url.pathname + url.search);
    return new Response(`<!doctype html><body><script type="application/json" id="data">${told}</script></body>`);
  });
  await user.type(await screen.findByLabelText('Email'), 'ada@example.org');
  await user.selectOptions(screen.getByRole('combobox'), 'de');
  await screen.findByRole('heading', { name: 'Willkommen zurück' });
  expect(asked).toEqual(['/login?lang=de']);
  expect([document.documentElement.lang, document.title]).toEqual(['de', 'Willkommen zurück · Holdfast']);
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('ada@example.org');
});

test('a form submitted before the script loaded is sent once hydrated', async () => {
  const api = createFakeApi({ 'POST /auth/login': signedIn });
  vi.stubGlobal('fetch', api.fetch);
  enterAt('/login');
  const { renderToString } = await import('react-dom/server');
  const { hydrateRoot } = await import('react-dom/client');
  const page = document.createElement('div');
  document.body.append(page);
  const drawn = new DOMParser().parseFromString(renderToString(<SampleEntrance at="/login" />), 'text/html');
  page.append(...drawn.body.childNodes);
  const [email, password] = page.querySelectorAll('input');
  if (!email || !password) throw new Error('no form was drawn');
  email.value = 'ada@example.org';
  password.value = 'secret';
  document.documentElement.dataset.waiting = '';
  const root = hydrateRoot(page, <SampleEntrance at="/login" />);
  await waitFor(() => expect(replace).toHaveBeenCalledWith('/dashboard'));
  expect(api.calls.at(-1)?.body).toEqual({ email: 'ada@example.org', password: 'secret', app: 'user' });
  root.unmount();
  page.remove();
});
