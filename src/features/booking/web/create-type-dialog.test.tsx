import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createFakeApi, type FakeRoutes } from '#web/fake-api.ts';
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

async function show(dialogOf: () => ReactNode, routes: FakeRoutes = {}) {
  const api = createFakeApi({
    'GET /integrations/accounts': { body: { accounts: [] } },
    'GET /integrations/calendars': { body: { calendars: [] } },
    ...routes,
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

test('the first event type takes the address that is proposed, and then has a link', async () => {
  const handle = { handle: null, base: 'https://book.example/', url: null, suggestion: 'ada', resting: [] };
  const taken = { ...handle, handle: 'ada', url: 'https://book.example/ada', suggestion: null };
  const { api, dialog, user } = await show(WithoutTeam, {
    'GET /api/handle': { body: handle },
    'GET /api/handle/check': { body: { state: 'free' } },
    'PUT /api/handle': { body: taken },
    'POST /api/event-types': { status: 409, body: {} },
  });
  const address = await dialog.findByLabelText<HTMLInputElement>(/^Your address/);
  await waitFor(() => expect(address.value).toBe('ada'));
  await user.type(dialog.getByLabelText(/^Title/), 'Intro call');
  await user.click(dialog.getByRole('button', { name: 'Create' }));
  await waitFor(() => expect(api.calls.map(({ method, path }) => method + path)).toContain('POST/api/event-types'));
  const written = api.calls.filter(({ method }) => method !== 'GET').map(({ method, body }) => [method, body]);
  expect(written).toMatchObject([
    ['PUT', { handle: 'ada' }],
    ['POST', { title: 'Intro call' }],
  ]);
});

test('an address that is no name holds the first event type back', async () => {
  const handle = { handle: null, base: 'https://book.example/', url: null, suggestion: null, resting: [] };
  const { api, dialog, user } = await show(WithoutTeam, { 'GET /api/handle': { body: handle } });
  await user.type(await dialog.findByLabelText(/^Your address/), 'a b');
  await user.type(dialog.getByLabelText(/^Title/), 'Intro call');
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Create' }).disabled).toBe(true);
  expect(dialog.getByText(/^3 to 40 small letters/)).toBeTruthy();
  expect(api.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
});
