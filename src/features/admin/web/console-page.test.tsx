import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createFakeApi, type FakeRoutes, refusal } from '#web/fake-api.ts';
import { loadWords, startTranslations } from '#web/i18n.ts';
import { ScreenFrame } from '#web/screen-frame.tsx';
import { ConsolePage } from './console-page.tsx';

beforeAll(async () => {
  await startTranslations('en');
  // a section is fetched when it is opened: here it is there already
  await Promise.all([
    import('./settings/settings-section.tsx'),
    ...['admin', 'adminSettings', 'adminHealth'].map(loadWords),
  ]);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(at: string, routes: FakeRoutes = {}) {
  const api = createFakeApi({
    'GET /api/admin/settings': {
      body: { requireAdminMfa: true, signUp: 'open', signUpAllowed: [], blockedGuests: [] },
    },
    ...routes,
  });
  vi.stubGlobal('fetch', api.fetch);
  render(<ScreenFrame screen={ConsolePage} at={at} />);
  return { api, user: userEvent.setup() };
}

test('an unknown admin section shows its name and says that it is under development', async () => {
  show('/admin/nonsense');
  expect(await screen.findByText('nonsense')).toBeDefined();
  expect(screen.getByText('This section is under development.')).toBeDefined();
  expect(screen.queryByRole('tab', { selected: true })).toBeNull();
  expect(await screen.findAllByRole('tab')).toHaveLength(7);
});

test('admin sections are tabs of one page, and its address without a name shows the first', async () => {
  show('/admin');
  const tabs = await screen.findAllByRole('tab');
  expect(tabs.map((tab) => tab.textContent)).toEqual([
    'Overview',
    'Users',
    'Billing',
    'Integrations',
    'System Health',
    'Audit Logs',
    'Settings',
  ]);
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Overview');
});

test('the second-factor requirement for administrators is switched off on the server with a reason', async () => {
  const { api, user } = show('/admin/settings', {
    'PATCH /api/admin/settings': {
      body: { requireAdminMfa: false, signUp: 'open', signUpAllowed: [], blockedGuests: [] },
    },
  });
  const choice = await screen.findByRole('switch', { name: /^Enforce 2FA for Admins/ });
  expect((choice as HTMLInputElement).checked).toBe(true);
  await user.click(choice);
  await user.type(await screen.findByRole('textbox', { name: /^Reason/ }), 'A lost phone');
  await user.click(screen.getByRole('button', { name: 'Stop requiring' }));
  expect(await screen.findByText('Administrators no longer need multi-factor authentication.')).toBeDefined();
  expect((choice as HTMLInputElement).checked).toBe(false);
  expect(api.calls.at(-1)).toMatchObject({
    method: 'PATCH',
    body: { requireAdminMfa: false, reason: 'A lost phone' },
  });
});

test('a setting refused by the server keeps its switch and shows the reason', async () => {
  const { user } = show('/admin/settings', {
    'PATCH /api/admin/settings': refusal(503, 'UNAVAILABLE', 'Not now. Nothing was changed.'),
  });
  const choice = await screen.findByRole('switch', { name: /^Enforce 2FA for Admins/ });
  await user.click(choice);
  await user.type(await screen.findByRole('textbox', { name: /^Reason/ }), 'A lost phone');
  await user.click(screen.getByRole('button', { name: 'Stop requiring' }));
  expect(await screen.findByText('Not now. Nothing was changed.')).toBeDefined();
  expect((choice as HTMLInputElement).checked).toBe(true);
});

test('an administrator without a second factor sees how to open the settings', async () => {
  show('/admin/settings', { 'GET /api/admin/settings': refusal(403, 'MFA_NEEDED', 'No.') });
  expect(
    await screen.findByText('Set up multi-factor authentication for your account to open the settings.'),
  ).toBeDefined();
  expect(screen.queryByRole('switch')).toBeNull();
});

test('admin tabs open by pointer and by keyboard', async () => {
  const { user } = show('/admin', { 'GET /api/admin/billing/plans': refusal(503, 'UNAVAILABLE', 'Not now.') });
  await user.click(await screen.findByRole('tab', { name: 'Billing' }));
  expect(await screen.findByText("Couldn't load the plans")).toBeDefined();
  await user.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}');
  expect(await screen.findByRole('switch')).toBeDefined();
  expect(document.activeElement?.textContent).toBe('Settings');
});
