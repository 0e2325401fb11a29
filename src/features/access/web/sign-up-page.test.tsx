import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createFakeApi, type FakeRoutes, refusal } from '#web/fake-api.ts';
import { loadWords, startTranslations } from '#web/i18n.ts';
import { ScreenFrame } from '#web/screen-frame.tsx';
import { SignUpPage } from './sign-up-page.tsx';

beforeAll(async () => {
  await startTranslations('en');
  await loadWords('access');
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function fillIn(routes: FakeRoutes, password: string, repeated: string) {
  const api = createFakeApi(routes);
  vi.stubGlobal('fetch', api.fetch);
  const user = userEvent.setup();
  render(<ScreenFrame screen={SignUpPage} at="/signup" />);
  await user.type(await screen.findByLabelText('Email'), 'ada@example.org');
  await user.type(screen.getByLabelText('Password'), password);
  await user.type(screen.getByLabelText('Confirm password'), repeated);
  await user.click(screen.getByRole('button', { name: 'Sign up' }));
  return api;
}

test('two different passwords are refused without a call', async () => {
  const api = await fillIn({}, 'correct horse', 'correct horze');
  expect(await screen.findByText('Passwords do not match')).toBeTruthy();
  expect(api.calls).toEqual([]);
});

test('an address that has an account is named as such', async () => {
  await fillIn({ 'POST /auth/signup': refusal(409, 'EMAIL_EXISTS', 'Taken') }, 'correct horse', 'correct horse');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('This email is already registered. Please use a different email or try logging in.');
});

test('a weak password is shown at its field', async () => {
  await fillIn({ 'POST /auth/signup': refusal(400, 'WEAK_PASSWORD', 'Use at least 8 characters.') }, 'short', 'short');
  expect(await screen.findByText('Use at least 8 characters.')).toBeTruthy();
  expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBe('true');
});

test('the zone of the browser goes with the sign-up', async () => {
  const api = await fillIn({ 'POST /auth/signup': refusal(503, 'UNAVAILABLE', 'Later.') }, 'a good one', 'a good one');
  await screen.findByRole('alert');
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  expect(api.calls[0]?.body).toEqual({ email: 'ada@example.org', password: 'a good one', timezone: timeZone });
});
