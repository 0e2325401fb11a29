import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { calendarContract } from '#features/calendar/contract.ts';
import type { Output } from '#kernel/contract.ts';
import { setLive, setSeen } from '#ui/live-connection.ts';
import { createFakeApi } from './fake-api.ts';
import { startTranslations } from './i18n.ts';
import { ScreenFrame } from './screen-frame.tsx';
import { SyncSummary } from './sync-summary.tsx';

beforeAll(() => startTranslations('en'));
afterEach(() => {
  cleanup();
  setSeen(null);
  setLive(false);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const calendar: Output<typeof calendarContract.listCalendars>['calendars'][number] = {
  id: crypto.randomUUID(),
  name: 'Home',
  provider: 'google',
  visible: true,
  color: '#5e53dd',
  badge: 'HO',
  email: 'ada@example.org',
  status: 'ok',
  message: null,
  reconnectUrl: null,
  lastSyncedAt: null,
  writable: true,
  unread: 0,
  warnings: 0,
};

async function show(...statuses: ('ok' | 'syncing' | 'error')[]) {
  const calendars = statuses.map((status) => ({ ...calendar, status }));
  vi.stubGlobal('fetch', createFakeApi({ 'GET /api/calendars': { body: { calendars } } }).fetch);
  render(<ScreenFrame screen={SyncSummary} at="/calendar" />);
}

test('the header is silent while every calendar is synced', async () => {
  await show('ok');
  await expect(screen.findByRole('link', {}, { timeout: 100 })).rejects.toThrow();
});

test('a browser without a network does not say how many calendars are synced, and says so again once it is back', async () => {
  await show('ok', 'error');
  await screen.findByText('1/2 synced');
  act(() => setLive(true));
  const network = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => setLive(false));
  expect(screen.queryByText('1/2 synced')).toBeNull();
  network.mockReturnValue(true);
  act(() => setLive(true));
  expect(screen.getByRole('link').textContent).toBe('1/2 synced');
});

test('a copy of an earlier answer does not say how many calendars are synced', async () => {
  await show('ok', 'error');
  await screen.findByText('1/2 synced');
  act(() => setSeen(Date.UTC(2026, 0, 1)));
  expect(screen.queryByText('1/2 synced')).toBeNull();
});
