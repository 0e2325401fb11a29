import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { UiProvider } from '#ui/ui-provider.tsx';
import { WordsProvider } from '#ui/words.tsx';
import { createFakeApi, type FakeRoutes, refusal } from './fake-api.ts';
import { startTranslations } from './i18n.ts';
import { createQueryClient } from './query-client.ts';
import { createAppRouter } from './router.tsx';
import { wordsOf } from './words-of.ts';

/** From the sign-in page over the second factor to what was wanted: the real router, guards and screens. */

vi.setConfig({ testTimeout: 30_000 });

beforeAll(() => startTranslations('en'));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const person = { email: 'ada@example.org', name: 'Ada', company: null, role: 'user' };
const answer = {
  message: '',
  user: person,
  user_id: crypto.randomUUID(),
  session_token: null,
  next: null,
  session: null,
};
const challenged = (next: 'MFA_REQUIRED' | 'MFA_ENROLL') => ({ body: { ...answer, next, session: 'chal-lenge' } });
const nobody = { body: { user: null } };
const secret = { otpauth: 'otpauth://totp/Holdfast:ada?secret=JBSWY3DPEHPK3PXP', base32Secret: 'JBSWY3DPEHPK3PXP' };

/** The app at this address, in a browser whose tab has been on these entries. */
function openApp(at: string, routes: FakeRoutes) {
  const api = createFakeApi({ 'GET /api/session': nobody, ...routes });
  vi.stubGlobal('fetch', api.fetch);
  vi.stubGlobal('scrollTo', () => {});
  const history = createMemoryHistory({ initialEntries: [at] });
  const queryClient = createQueryClient(() => {});
  const router = createAppRouter(queryClient, history);
  render(
    <UiProvider>
      <QueryClientProvider client={queryClient}>
        <WordsOfApp>
          <RouterProvider router={router} />
        </WordsOfApp>
      </QueryClientProvider>
    </UiProvider>,
  );
  return { api, history, router, user: userEvent.setup() };
}

function WordsOfApp({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return <WordsProvider value={wordsOf(t)}>{children}</WordsProvider>;
}

async function signIn(user: ReturnType<typeof userEvent.setup>) {
  await user.type(await screen.findByLabelText('Email'), 'ada@example.org');
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
}

const path = (app: ReturnType<typeof openApp>) => app.history.location.href;

test('a pasted code signs in and leads to what was wanted; its challenge is in no address', async () => {
  const seen: string[] = [];
  const app = openApp('/signup', {
    'POST /auth/login': challenged('MFA_REQUIRED'),
    'POST /auth/mfa/verify': { body: { ...answer, session_token: 'token' } },
  });
  app.history.subscribe(() => seen.push(path(app)));
  await app.router.navigate({ href: '/login?from=%2Fsignup' });
  await signIn(app.user);
  const field = await screen.findByLabelText('6-digit code');
  await waitFor(() => expect(document.activeElement).toBe(field));
  await app.user.paste('123 456');
  await waitFor(() => expect(path(app)).toBe('/signup'));
  const sent = app.api.calls.filter((call) => call.path === '/auth/mfa/verify');
  expect(sent.map((call) => call.body)).toEqual([{ session: 'chal-lenge', code: '123456' }]);
  expect(seen.some((address) => address.startsWith('/mfa/verify'))).toBe(true);
  expect(seen.join(' ')).not.toContain('chal-lenge');
});

test('a wrong code stays to be typed over, and a backup code does as well', async () => {
  const app = openApp('/login', {
    'POST /auth/login': challenged('MFA_REQUIRED'),
    'POST /auth/mfa/verify': refusal(401, 'MFA_CODE_WRONG', 'This code is wrong.'),
    'POST /auth/mfa/backup/consume': refusal(401, 'CHALLENGE_ENDED', 'This sign-in has ended.'),
  });
  await signIn(app.user);
  await app.user.type(await screen.findByLabelText('6-digit code'), '12345x6');
  await screen.findByText('This code is wrong.');
  expect(document.activeElement).toBe(screen.getByLabelText('6-digit code'));

  await app.user.click(screen.getByRole('button', { name: 'Use a backup code' }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Backup code')));
  await app.user.paste('abcd-efgh');
  await screen.findByText(/This sign-in has ended/);
  expect(app.api.calls.at(-1)?.body).toEqual({ session: 'chal-lenge', code: 'abcd-efgh' });
  expect(screen.getAllByRole('link', { name: 'Back to Login' })).toHaveLength(2);
});

test('a reload between the factors goes on; a page opened there without a sign-in goes to it', async () => {
  const app = openApp('/login', { 'POST /auth/login': challenged('MFA_REQUIRED') });
  await signIn(app.user);
  await screen.findByLabelText('6-digit code');
  const { state } = app.history.location;
  cleanup();
  const again = openApp('/mfa/verify', {});
  await screen.findByRole('heading', { name: 'Welcome Back' });
  again.history.push('/mfa/verify', state);
  await screen.findByLabelText('6-digit code');
});

test('setting up a second factor takes three steps and ends where the person wanted to go', async () => {
  const codes = Array.from({ length: 10 }, (_, at) => `code-${at}`);
  const app = openApp('/login?from=%2Fsignup', {
    'POST /auth/login': challenged('MFA_ENROLL'),
    'POST /auth/mfa/enroll/init': { body: { ...secret, session: 'enrolment' } },
    'POST /auth/mfa/enroll/verify': { body: { ...answer, session_token: 't', success: true, backupCodes: codes } },
  });
  await signIn(app.user);
  await screen.findByText('JBSW Y3DP EHPK 3PXP');
  expect(screen.getByText('Add account').closest('li')?.getAttribute('aria-current')).toBe('step');
  await app.user.click(screen.getByRole('button', { name: "I've added the account" }));
  const field = await screen.findByLabelText('6-digit code');
  await waitFor(() => expect(document.activeElement).toBe(field));
  await app.user.paste('123456');

  await screen.findByRole('heading', { name: 'Save your backup codes' });
  expect(screen.getAllByText(/^code-\d$/).map((code) => code.textContent)).toEqual(codes);
  expect(app.api.calls.filter((call) => call.path === '/auth/mfa/enroll/init')).toHaveLength(1);
  expect(app.api.calls.find((call) => call.path === '/auth/mfa/enroll/verify')?.body).toEqual({
    session: 'enrolment',
    code: '123456',
  });
  await app.user.click(screen.getByRole('button', { name: 'Continue to Dashboard' }));
  await waitFor(() => expect(path(app)).toBe('/signup'));
});

test('the administration sends strangers to its own door, and remembers what they wanted', async () => {
  for (const wanted of ['/admin', '/admin/audit']) {
    const app = openApp(wanted, {});
    await screen.findByRole('heading', { name: 'Admin Portal' });
    expect(path(app)).toBe(`/admin/login?from=${encodeURIComponent(wanted)}`);
    cleanup();
  }
});
