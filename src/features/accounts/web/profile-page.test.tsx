import { QueryClient } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createFakeApi, type FakeRoutes, refusal } from '#web/fake-api.ts';
import { loadWords, startTranslations } from '#web/i18n.ts';
import { sampleUser } from '#web/sample-user.ts';
import { ScreenFrame } from '#web/screen-frame.tsx';
import { ProfilePage } from './profile-page.tsx';
import type { AccountProfile } from './queries.ts';

beforeAll(async () => {
  await startTranslations('en');
  await loadWords('accounts');
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ada: AccountProfile = sampleUser;

function show(routes: FakeRoutes = {}) {
  const api = createFakeApi({
    'GET /api/account/profile': { body: ada },
    'GET /api/account/export': { body: { export: null } },
    'GET /api/account/devices': { body: { public_key: '', devices: [] } },
    ...routes,
  });
  vi.stubGlobal('fetch', api.fetch);
  render(<ScreenFrame screen={ProfilePage} at="/profile" />);
  return api;
}

const patches = (api: ReturnType<typeof show>, path: string) =>
  api.calls.filter((call) => call.method === 'PATCH' && call.path === path).map((call) => call.body);

test('a saved preference sends only the changed field and confirms the save', async () => {
  const api = show({
    'PATCH /api/account/preferences': { body: { ...ada, timeFormat: '24h' } },
  });
  await userEvent.selectOptions(await screen.findByLabelText('Time format'), '24h');
  await userEvent.click(screen.getByRole('button', { name: 'Save preferences' }));
  expect(await screen.findByText('Preferences updated successfully')).toBeTruthy();
  expect(patches(api, '/api/account/preferences')).toEqual([{ timeFormat: '24h' }]);
});

test('a change from another window appears in the profile form without overwriting what is being edited', async () => {
  const states = [ada, { ...ada, company: 'Analytical', timeFormat: '24h' }];
  const invalidate = vi.spyOn(QueryClient.prototype, 'mount');
  show({ 'GET /api/account/profile': () => ({ body: states.length > 1 ? states.shift() : states[0] }) });
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  await userEvent.type(name, ' Lovelace');
  const client = invalidate.mock.contexts[0] as QueryClient;
  await act(() => client.invalidateQueries({ queryKey: ['accounts'] }));
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Company').value).toBe('Analytical'));
  expect(screen.getByLabelText<HTMLSelectElement>('Time format').value).toBe('24h');
  expect(name.value).toBe('Ada Lovelace');
});

test('leaving a form with unsaved changes asks once for both forms and keeps what was typed', async () => {
  const user = userEvent.setup();
  show();
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  await user.type(name, ' L');
  await user.selectOptions(screen.getByLabelText('Time format'), '24h');
  const press = async () => {
    screen.getByRole('link', { name: 'Security' }).focus();
    await user.keyboard('{Enter}');
  };
  await press();
  const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' });
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Stay on this page'));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(dialog.isConnected && dialog.checkVisibility?.()).toBeFalsy());
  expect(name.value).toBe('Ada L');
  // as it was saved: nothing is left to lose
  await user.clear(name);
  await user.type(name, 'Ada');
  await user.selectOptions(screen.getByLabelText('Time format'), '12h');
  await press();
  await waitFor(() => expect(screen.getByRole('link', { name: 'Security' }).getAttribute('aria-current')).toBe('page'));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a refused avatar upload shows the reason', async () => {
  show({ 'PUT /api/account/avatar': refusal(400, 'PICTURE_TYPE', 'This is not a PNG, JPEG, WebP or GIF picture.') });
  const input = await screen.findByLabelText<HTMLInputElement>('Choose picture');
  await userEvent.upload(input, new File(['<svg/>'], 'x.png', { type: 'image/png' }));
  expect(await screen.findByText(/This is not a PNG/)).toBeTruthy();
});

test("an account deletion is enabled only once the account's own address is typed", async () => {
  const api = show({ 'POST /api/account/deletion': refusal(409, 'ONLY_ADMIN', 'You are the only administrator.') });
  await userEvent.click(await screen.findByRole('button', { name: 'Delete account...' }));
  const dialog = within(await screen.findByRole('dialog'));
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete permanently' });
  await userEvent.type(dialog.getByRole('textbox'), 'ada@example.or');
  expect(confirm.disabled).toBe(true);
  await userEvent.type(dialog.getByRole('textbox'), 'g');
  await userEvent.click(confirm);
  expect(await dialog.findByText('You are the only administrator.')).toBeTruthy();
  expect(api.calls.filter((call) => call.method === 'POST').map((call) => call.body)).toEqual([
    { email: 'ada@example.org' },
  ]);
});

test('a finished export offers its download with its size', async () => {
  const made = {
    id: '01a1ff0c-92b0-7f07-90fc-286b50671923',
    state: 'ready',
    done: 16,
    total: 16,
    sizeBytes: 81_234,
    expiresAt: '2027-03-02T09:00:00Z',
  };
  show({ 'GET /api/account/export': { body: { export: made } } });
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: /Download/ });
  expect(link.getAttribute('href')).toBe(`/api/account/export/${made.id}/file`);
  expect(link.textContent).toContain('82');
});
