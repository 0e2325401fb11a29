import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createChallenge, verifySolution } from 'altcha-lib/v1';
import { afterEach, expect, test, vi } from 'vitest';
import { createFakeApi, type FakeRoutes, refusal } from '#web/fake-api.ts';
import { enterAt, SampleEntrance } from '../frame/sample-entrance.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function fillIn(routes: FakeRoutes, password: string, repeated: string, at = '/signup') {
  const api = createFakeApi(routes);
  vi.stubGlobal('fetch', api.fetch);
  const user = userEvent.setup();
  enterAt(at);
  render(<SampleEntrance at={at} />);
  await user.type(await screen.findByLabelText('Email'), 'ada@example.org');
  await user.type(screen.getByLabelText('Password'), password);
  await user.type(screen.getByLabelText('Confirm password'), repeated);
  await user.click(screen.getByRole('button', { name: 'Sign up' }));
  return api;
}

const posted = (api: Awaited<ReturnType<typeof fillIn>>) => api.calls.filter(({ method }) => method === 'POST');

test('two different passwords at sign-up are refused without a request', async () => {
  const api = await fillIn({}, 'correct horse', 'correct horze');
  expect(await screen.findByText('Passwords do not match')).toBeTruthy();
  expect(posted(api)).toEqual([]);
});

test('a sign-up with a registered address says that it is already registered', async () => {
  await fillIn({ 'POST /auth/signup': refusal(409, 'EMAIL_EXISTS', 'Taken') }, 'correct horse', 'correct horse');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('This email is already registered. Please use a different email or try logging in.');
});

test('a refused sign-up without a message says that the address exists, and nothing else for other refusals', async () => {
  const words = async () => (await screen.findByRole('alert')).textContent;
  await fillIn({ 'POST /auth/signup': { status: 409, body: {} } }, 'correct horse', 'correct horse');
  expect(await words()).toBe('Email already exists');
  cleanup();
  await fillIn({ 'POST /auth/signup': refusal(409, 'OTHER', 'Not this one.') }, 'correct horse', 'correct horse');
  expect(await words()).toBe('Not this one.');
  cleanup();
  await fillIn({ 'POST /auth/signup': { status: 500, body: {} } }, 'correct horse', 'correct horse');
  expect(await words()).toBe('Signup failed');
});

test('a weak password at sign-up shows an error at its field', async () => {
  await fillIn({ 'POST /auth/signup': refusal(400, 'WEAK_PASSWORD', 'Use at least 8 characters.') }, 'short', 'short');
  expect(await screen.findByText('Use at least 8 characters.')).toBeTruthy();
  expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBe('true');
});

test.each(['Password', 'Confirm password'])('an error about two passwords goes when %s is corrected', async (label) => {
  await fillIn({}, 'correct horse', 'correct horze');
  await screen.findByText('Passwords do not match');
  await userEvent.type(screen.getByLabelText(label), 'x');
  expect(screen.queryByText('Passwords do not match')).toBeNull();
});

test('a refusal of the sign-up goes when what was sent is changed, and comes again with the next one', async () => {
  const api = await fillIn({ 'POST /auth/signup': refusal(400, 'WEAK_PASSWORD', 'Too short.') }, 'short', 'short');
  await screen.findByText('Too short.');
  for (const label of ['Password', 'Confirm password']) await userEvent.type(screen.getByLabelText(label), 'x');
  expect(screen.queryByText('Too short.')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Sign up' }));
  await screen.findByText('Too short.');
  expect(posted(api)).toHaveLength(2);
});

test('the page that was shown after a sign-up is shown again when it is loaded again, with the address', async () => {
  const sent = { 'POST /auth/signup': { status: 201, body: { message: 'Sent', mailAt: null } } };
  await fillIn(sent, 'a good one', 'a good one', '/signup?from=%2Fcalendar');
  await screen.findByRole('heading', { name: 'Check Your Email' });
  cleanup();
  render(<SampleEntrance at="/signup?from=%2Fcalendar" />);
  await screen.findByRole('heading', { name: 'Check Your Email' });
  expect(screen.getByText('ada@example.org')).toBeTruthy();
  expect(location.search).toBe('?from=%2Fcalendar');
});

test('a sign-up sends the time zone of the browser', async () => {
  const api = await fillIn({ 'POST /auth/signup': refusal(503, 'UNAVAILABLE', 'Later.') }, 'a good one', 'a good one');
  await screen.findByRole('alert');
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  expect(posted(api)[0]?.body).toEqual({ email: 'ada@example.org', password: 'a good one', timezone: timeZone });
});

test('a completed sign-up shows "Check Your Email" and can have the mail sent again', async () => {
  const api = await fillIn(
    {
      'POST /auth/signup': { status: 201, body: { message: 'Sent', mailAt: null } },
      'POST /auth/verify-email/resend': { body: { message: 'Sent', mailAt: null } },
    },
    'a good one',
    'a good one',
  );
  const title = await screen.findByRole('heading', { name: 'Check Your Email' });
  expect(document.activeElement).toBe(title);
  expect(screen.getByRole('link', { name: 'Back to Login' }).getAttribute('href')).toBe('/login');
  expect(screen.queryByRole('link', { name: 'Open the email' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'resend it' }));
  await screen.findByText(/Only the newest link works/);
  expect(api.calls.at(-1)?.body).toEqual({ email: 'ada@example.org' });
});

test('under load a sign-up solves a challenge and is sent again', async () => {
  const challenge = await createChallenge({ hmacKey: 'key', maxnumber: 50 });
  const api = await fillIn(
    {
      'POST /auth/signup': ({ body }) =>
        (body as { solution?: string }).solution === undefined
          ? refusal(409, 'CHALLENGE', 'Busy.', { challenge: JSON.stringify(challenge) })
          : { status: 201, body: { message: 'Sent', mailAt: null } },
    },
    'a good one',
    'a good one',
  );
  await screen.findByRole('heading', { name: 'Check Your Email' });
  const again = posted(api)[1]?.body as { solution: string } | undefined;
  expect(await verifySolution(JSON.parse(again?.solution ?? '{}'), 'key')).toBe(true);
});

test('a server that sends no mail links to the page showing it', async () => {
  await fillIn(
    { 'POST /auth/signup': { status: 201, body: { message: '', mailAt: '/dev/mail' } } },
    'a good',
    'a good',
  );
  const way = await screen.findByRole('link', { name: 'Open the email' });
  expect(way.getAttribute('href')).toBe('/dev/mail');
});

test('the set-up token in the URL is sent with the sign-up', async () => {
  const routes = { 'POST /auth/signup': refusal(403, 'SET_UP_ENDED', 'It was used.') };
  const api = await fillIn(routes, 'a good one', 'a good one', '/signup?setup=abc');
  await screen.findByText('It was used.');
  expect(posted(api)[0]?.body).toMatchObject({ setup: 'abc' });
});
