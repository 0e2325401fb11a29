import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { defaultSettings } from '#features/booking/rules/type-settings.ts';
import { createFakeApi } from '#web/fake-api.ts';
import { loadWords, startTranslations } from '#web/i18n.ts';
import { sampleAccount } from '#web/sample-account.ts';
import { ScreenFrame } from '#web/screen-frame.tsx';
import { SectionCalendars } from './section-calendars.tsx';

beforeAll(async () => {
  await startTranslations('en');
  await loadWords('booking');
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const [kept, deleted, leaving] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
const account = (accountId: string, disconnecting: boolean) => sampleAccount({ accountId, disconnecting });
const calendar = (calendarId: string, accountId: string, removed: boolean) => ({
  calendarId,
  accountId,
  name: `Calendar ${calendarId}`,
  color: '#4285f4',
  isPrimary: true,
  includeInUnified: true,
  visible: true,
  conferences: null,
  writable: true,
  removed,
  leavesAt: null,
  left: false,
  lastSyncedAt: null,
  error: null,
});

test('a chosen calendar that is deleted or being disconnected is named as such, and can be given up', async () => {
  const [here, gone] = [crypto.randomUUID(), crypto.randomUUID()];
  const api = createFakeApi({
    'GET /integrations/accounts': { body: { accounts: [account(here, false), account(gone, true)] } },
    'GET /integrations/calendars': {
      body: { calendars: [calendar(kept, here, false), calendar(deleted, here, true), calendar(leaving, gone, false)] },
    },
  });
  vi.stubGlobal('fetch', api.fetch);
  const onChange = vi.fn();
  const settings = {
    ...defaultSettings('one-on-one'),
    target_calendar_id: deleted,
    blocking_calendar_ids: [kept, leaving],
  } as Parameters<typeof SectionCalendars>[0]['settings'];
  render(
    <ScreenFrame
      screen={() => (
        <SectionCalendars settings={settings} onChange={onChange} errors={{}} isTeam={false} lacks={false} />
      )}
      at="/booking-links"
    />,
  );
  expect(await screen.findByText('A chosen calendar is no longer connected')).toBeTruthy();
  const target = screen.getByDisplayValue<HTMLSelectElement>('Deleted or disconnected calendar');
  expect(target.value).toBe(deleted);
  expect([...target.options].map((option) => option.value)).not.toContain(leaving);
  const box = screen.getByRole('checkbox', { name: 'Deleted or disconnected calendar' });
  await userEvent.setup().click(box);
  expect(onChange).toHaveBeenCalledWith({ blocking_calendar_ids: [kept] });
});
