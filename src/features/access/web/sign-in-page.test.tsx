import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createFakeApi, type FakeAnswer, refusal } from '#web/fake-api.ts';
import { loadWords, startTranslations } from '#web/i18n.ts';
import { ScreenFrame } from '#web/screen-frame.tsx';
import { SignInPage } from './sign-in-page.tsx';

beforeAll(async () => {
  await startTranslations('en');
  await loadWords('access');
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function signIn(answer: FakeAnswer | Promise<FakeAnswer>) {
  const api = createFakeApi({ 'POST /auth/login': () => answer });
  vi.stubGlobal('fetch', api.fetch);
  const user = userEvent.setup();
  render(<ScreenFrame screen={SignInPage} at="/login" />);
  await user.type(await screen.findByLabelText('Email'), 'ada@example.org');
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  return { api, user };
}

test('wrong credentials are told in the words of the server', async () => {
  await signIn(refusal(401, 'WRONG_CREDENTIALS', 'Email or password is wrong.'));
  expect((await screen.findByRole('alert')).textContent).toBe('Email or password is wrong.');
});

test('an answer that is no sign-in says that the login failed', async () => {
  const person = { email: 'ada@example.org', name: 'Ada', company: null, role: 'user' };
  const body = { message: '', user: person, user_id: crypto.randomUUID(), session_token: '', session: 's' };
  await signIn({ body: { ...body, next: 'MFA_REQUIRED' } });
  expect((await screen.findByRole('alert')).textContent).toBe('Login failed');
});

test('a second press while signing in sends nothing', async () => {
  const { promise, resolve } = Promise.withResolvers<FakeAnswer>();
  const { api, user } = await signIn(promise);
  await user.click(await screen.findByRole('button', { name: 'Signing in...' }));
  expect(api.calls).toHaveLength(1);
  resolve(refusal(401, 'WRONG_CREDENTIALS', 'No.'));
  await screen.findByRole('alert');
});
