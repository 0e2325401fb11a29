import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { createFakeApi, type FakeRoutes, refusal } from '#web/fake-api.ts';
import { enterAt, SampleEntrance } from '../frame/sample-entrance.tsx';

/** The pages that links of mails lead to, and the one that asks for such a link. */

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function open(page: string, search: string, routes: FakeRoutes = {}) {
  const api = createFakeApi(routes);
  vi.stubGlobal('fetch', api.fetch);
  enterAt(page + search);
  render(<SampleEntrance at={page + search} />);
  await screen.findByRole('heading');
  return { api, user: userEvent.setup() };
}

const link = '?email=ada%2Bmail%40example.org&code=c0de';

test('opening a verification link confirms nothing until the button is pressed', async () => {
  const { api, user } = await open('/verify-email', link, {
    'POST /auth/verify-email': refusal(400, 'CODE_INVALID', 'This link is too old.'),
    'POST /auth/verify-email/resend': { body: { message: 'Sent', mailAt: null } },
  });
  expect(api.calls).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Verify email' }));
  await screen.findByText(/This link is too old/);
  expect(api.calls[0]?.body).toEqual({ email: 'ada+mail@example.org', code: 'c0de' });

  await user.click(screen.getByRole('button', { name: 'Resend email' }));
  await screen.findByText(/Only the newest link works/);
  expect(api.calls[1]?.body).toEqual({ email: 'ada+mail@example.org' });
});

test('a verification link in a browser that did not sign up asks for a password, which the same link sets', async () => {
  const { api, user } = await open('/verify-email', link, {
    'POST /auth/verify-email': { body: { message: '', signed_in: false, choose_password: true } },
    'POST /auth/password/reset': { body: { message: '' } },
  });
  await user.click(screen.getByRole('button', { name: 'Verify email' }));
  await screen.findByRole('heading', { name: 'Choose a password' });
  await user.type(screen.getByLabelText('Password'), 'a good one');
  await user.type(screen.getByLabelText('Confirm password'), 'a good one');
  await user.click(screen.getByRole('button', { name: 'Save password' }));
  await screen.findByText('Your address is confirmed. Sign in with your password.');
  const body = { email: 'ada+mail@example.org', code: 'c0de', new_password: 'a good one' };
  expect(api.calls.at(-1)?.body).toEqual(body);
});

test('the sign-in after a confirmed address greets a new person', async () => {
  const { user } = await open('/verify-email', link, {
    'POST /auth/verify-email': { body: { message: 'Your address is confirmed.' } },
  });
  await user.click(screen.getByRole('button', { name: 'Verify email' }));
  await screen.findByText('Your address is confirmed.');
  expect(screen.getByRole('heading').textContent).toBe('Welcome');
  cleanup();
  await open('/login', '');
  expect(screen.getByRole('heading').textContent).toBe('Welcome Back');
});

test('an incomplete mail link says so and offers no button', async () => {
  for (const page of ['/verify-email', '/password/reset']) {
    await open(page, '?email=ada%40example.org');
    expect(screen.getByRole('heading').textContent).toBe('This link is incomplete');
    expect(screen.queryByRole('button')).toBeNull();
    cleanup();
  }
});

test('a mail link whose address is a sentence is not complete, and the sentence is not shown', async () => {
  for (const page of ['/verify-email', '/password/reset']) {
    await open(page, '?email=you%20were%20hacked%2C%20write%20to%20us%40evil.example&code=c0de');
    expect(screen.getByRole('heading').textContent).toBe('This link is incomplete');
    expect(document.body.textContent).not.toContain('hacked');
    cleanup();
  }
});

async function choose(routes: FakeRoutes, password: string, repeated: string) {
  const { api, user } = await open('/password/reset', link, routes);
  await user.type(screen.getByLabelText('New password'), password);
  await user.type(screen.getByLabelText('Confirm password'), repeated);
  await user.click(screen.getByRole('button', { name: 'Reset password' }));
  return api;
}

test('two different new passwords are refused without a request', async () => {
  const api = await choose({}, 'correct horse', 'correct horze');
  expect(await screen.findByText('Passwords do not match')).toBeTruthy();
  expect(api.calls).toEqual([]);
});

test('a weak new password shows an error at its field and keeps both fields filled', async () => {
  await choose({ 'POST /auth/password/reset': refusal(400, 'WEAK_PASSWORD', 'Too short.') }, 'short', 'short');
  expect(await screen.findByText('Too short.')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Confirm password').value).toBe('short');
});

test('an expired reset link offers to request a new one', async () => {
  const routes = { 'POST /auth/password/reset': refusal(400, 'CODE_INVALID', 'This link is too old.') };
  const api = await choose(routes, 'a good one', 'a good one');
  await screen.findByText(/This link is too old/);
  const body = { email: 'ada+mail@example.org', code: 'c0de', new_password: 'a good one' };
  expect(api.calls[0]?.body).toEqual(body);
  const again = screen.getByRole('link', { name: 'Request a new link' });
  expect(again.getAttribute('href')).toBe('/password/forgot');
});

test('a reset form tells password managers the account name and the new password', async () => {
  await open('/password/reset', link);
  const name = document.querySelector<HTMLInputElement>('input[autocomplete="username"]');
  expect(name?.value).toBe('ada+mail@example.org');
  const fields = document.querySelectorAll('input[autocomplete="new-password"]');
  expect(fields).toHaveLength(2);
});

test('a forgotten-password request does not reveal on screen whether the account exists', async () => {
  const { user } = await open('/password/forgot', '', {
    'POST /auth/password/forgot': { body: { message: '', mailAt: '/dev/mail' } },
  });
  await user.type(screen.getByLabelText('Email'), 'ada@example.org');
  await user.click(screen.getByRole('button', { name: 'Send reset link' }));
  await screen.findByRole('heading', { name: 'Check Your Email' });
  screen.getByText(/If /);
  screen.getByRole('link', { name: 'Open the email' });
});
