import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { UiProvider } from '#ui/ui-provider.tsx';
import { WordsProvider } from '#ui/words.tsx';
import { createFakeApi, type FakeRoutes } from './fake-api.ts';
import { startTranslations } from './i18n.ts';
import { createQueryClient } from './query-client.ts';
import { createAppRouter } from './router.tsx';
import { sampleSignIn } from './sample-sign-in.ts';
import { wordsOf } from './words-of.ts';

/** Setting up a second factor on the way in, and who is sent away to come in first: the real router, guards and screens. */

// each address is opened again, where in a browser the app is left once
vi.mock(import('#ui/leave-app.ts'), async (load) => ({ ...(await load()), isLeavingApp: () => false }));

beforeAll(() => startTranslations('en'));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const nobody = { body: { user: null } };
const secret = { otpauth: 'otpauth://totp/Holdfast:ada?secret=JBSWY3DPEHPK3PXP', base32Secret: 'JBSWY3DPEHPK3PXP' };

/** The app at this address, in a browser whose tab has been on these entries. */
function openApp(at: string, routes: FakeRoutes, challenge?: string) {
  const api = createFakeApi({ 'GET /api/session': nobody, ...routes });
  vi.stubGlobal('fetch', api.fetch);
  vi.stubGlobal('scrollTo', () => {});
  const history = createMemoryHistory({ initialEntries: [at] });
  if (challenge !== undefined) history.replace(at, { challenge });
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

const path = (app: ReturnType<typeof openApp>) => app.history.location.href;

test('second-factor setup has three steps and ends on the requested page', async () => {
  const codes = Array.from({ length: 10 }, (_, at) => `code-${at}`);
  const app = openApp(
    '/mfa/enroll?from=%2Fprofile',
    {
      'POST /auth/mfa/enroll/init': { body: { ...secret, session: 'enrolment' } },
      'POST /auth/mfa/enroll/verify': {
        body: { ...sampleSignIn, session_token: 't', success: true, backupCodes: codes },
      },
    },
    'chal-lenge',
  );
  await screen.findByText('JBSW Y3DP EHPK 3PXP');
  expect(screen.getByText('Add account').closest('li')?.getAttribute('aria-current')).toBe('step');
  await app.user.click(screen.getByRole('button', { name: "I've added the account" }));
  const field = await screen.findByLabelText('6-digit code');
  await waitFor(() => expect(document.activeElement).toBe(field));
  await app.user.paste('123456');

  await screen.findByRole('heading', { name: 'Save your backup codes' });
  expect(screen.getAllByText(/^code-\d$/).map((code) => code.textContent)).toEqual(codes);
  expect(app.api.calls.filter((call) => call.path === '/auth/mfa/enroll/init')).toHaveLength(1);
  expect(app.api.calls.find((call) => call.path === '/auth/mfa/enroll/init')?.body).toEqual({ session: 'chal-lenge' });
  expect(app.api.calls.find((call) => call.path === '/auth/mfa/enroll/verify')?.body).toEqual({
    session: 'enrolment',
    code: '123456',
  });
  await app.user.click(screen.getByRole('button', { name: 'Continue to Dashboard' }));
  await waitFor(() => expect(path(app)).toBe('/profile'));
});

test('an admin page redirects signed-out visitors to the admin sign-in with a return address', async () => {
  const replace = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
  for (const wanted of ['/admin', '/admin/audit']) {
    openApp(wanted, {});
    const door = `/admin/login?from=${encodeURIComponent(wanted)}`;
    await waitFor(() => expect(replace).toHaveBeenLastCalledWith(door));
    cleanup();
  }
});
