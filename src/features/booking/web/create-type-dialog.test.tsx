import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createFakeApi } from '#web/fake-api.ts';
import { loadWords, startTranslations } from '#web/i18n.ts';
import { ScreenFrame } from '#web/screen-frame.tsx';
import { CreateTypeDialog } from './create-type-dialog.tsx';
import type { TeamTypes } from './queries.ts';

beforeAll(async () => {
  await startTranslations('en');
  await loadWords('booking');
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const teamId = crypto.randomUUID();
const team = { team_id: teamId, name: 'Blue', may_change: true, event_types: [] } as unknown as TeamTypes;

const nothing = () => undefined;
const WithoutTeam = () => <CreateTypeDialog teams={[]} onClose={nothing} onCreated={nothing} />;
const WithTeam = () => <CreateTypeDialog teams={[team]} onClose={nothing} onCreated={nothing} />;

async function show(dialogOf: () => ReactNode) {
  const api = createFakeApi({
    'GET /integrations/accounts': { body: { accounts: [] } },
    'GET /integrations/calendars': { body: { calendars: [] } },
  });
  vi.stubGlobal('fetch', api.fetch);
  render(<ScreenFrame screen={dialogOf} at="/availability/links" />);
  const dialog = within(await screen.findByRole('dialog', { name: 'Create event type' }));
  return { api, dialog, user: userEvent.setup() };
}

const names = ['One-on-One', 'Group', 'Collective', 'Round Robin'];

test('without a team all four kinds are offered, and two of them lead to a team first', async () => {
  const { api, dialog, user } = await show(WithoutTeam);
  for (const name of names) expect(dialog.getByRole('radio', { name: new RegExp(`^${name}`) })).toBeTruthy();
  await user.type(dialog.getByLabelText(/^Title/), 'Panel');
  for (const name of ['Collective', 'Round Robin']) {
    await user.click(dialog.getByRole('radio', { name: new RegExp(`^${name}`) }));
    expect(dialog.getByText(/needs several people from a team/)).toBeTruthy();
    expect(dialog.getByRole('link', { name: 'Open Team' }).getAttribute('href')).toBe('/team');
    await user.type(dialog.getByLabelText(/^Title/), '{Enter}');
  }
  expect(api.calls.filter(({ method }) => method === 'POST')).toEqual([]);
  await user.click(dialog.getByRole('radio', { name: /^Group/ }));
  expect(dialog.queryByRole('link', { name: 'Open Team' })).toBeNull();
});

test('with a team no kind asks for one', async () => {
  const { dialog, user } = await show(WithTeam);
  for (const name of names) {
    await user.click(dialog.getByRole('radio', { name: new RegExp(`^${name}`) }));
    expect(dialog.queryByRole('link', { name: 'Open Team' })).toBeNull();
  }
});
