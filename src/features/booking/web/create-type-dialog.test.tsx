import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { defaultSettings } from '#features/booking/rules/type-settings.ts';
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

const noHandle = { handle: null, url: null, base: 'https://book.example.org/', suggestion: 'maya', resting: [] };

async function show(dialogOf: () => ReactNode, routes: FakeRoutes = {}) {
  const api = createFakeApi({
    'GET /api/handle': {
      body: { ...noHandle, handle: 'maya', url: 'https://book.example.org/maya', suggestion: null },
    },
    'GET /integrations/accounts': { body: { accounts: [] } },
    'GET /integrations/calendars': { body: { calendars: [] } },
    [`GET /api/teams/${teamId}/conferences`]: { body: { members: [] } },
    ...routes,
  });
  vi.stubGlobal('fetch', api.fetch);
  render(<ScreenFrame screen={dialogOf} at="/booking-links" />);
  const dialog = within(await screen.findByRole('dialog', { name: 'Create Event Type' }));
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

test('a place that some hosts cannot create is named, and all hosts create the suggested one', async () => {
  const host = (name: string, ...conferences: string[]) => ({ user_id: crypto.randomUUID(), name, conferences });
  const members = [host('Ada', 'google-meet', 'teams'), host('Bob', 'teams'), host('Cleo', 'teams')];
  const place = () => dialog.getByLabelText<HTMLSelectElement>('Location');
  const { dialog, user } = await show(WithTeam, {
    [`GET /api/teams/${teamId}/conferences`]: { body: { members } },
  });
  await user.click(dialog.getByRole('radio', { name: /^Round Robin/ }));
  await waitFor(() => expect(place().value).toBe('teams'));
  expect(dialog.queryByText(/can't create/)).toBeNull();
  await user.selectOptions(place(), 'google-meet');
  expect(dialog.getByText("Bob, Cleo can't create Google Meet links and would have to send their own.")).toBeTruthy();
});

test('a first event type takes the suggested address, and ends with its link', async () => {
  const made = {
    event_type: {
      id: crypto.randomUUID(),
      slug: 'intro-call',
      title: 'Intro call',
      description: '',
      kind: 'one-on-one',
      hidden: false,
      secret: false,
      url: 'https://book.example.org/maya/intro-call',
      version: 1,
      team_id: null,
      hosts: [],
      settings: defaultSettings('one-on-one'),
      lacks_calendars: false,
      updated_at: '2026-11-28T06:00:00Z',
    },
  };
  const onCreated = vi.fn();
  const { api, dialog, user } = await show(
    () => <CreateTypeDialog teams={[]} onClose={nothing} onCreated={onCreated} />,
    {
      'GET /api/handle': { body: noHandle },
      'GET /api/handle/check': { body: { state: 'free' } },
      'PUT /api/handle': { body: { ...noHandle, handle: 'maya', url: 'https://book.example.org/maya' } },
      'POST /api/event-types': { status: 201, body: made },
      'PATCH /api/first-steps': { body: {} },
    },
  );
  await dialog.findByDisplayValue('maya');
  await user.type(dialog.getByLabelText(/^Title/), 'Intro call');
  expect(dialog.getByText('book.example.org/maya/intro-call')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Create and get link' }));
  await waitFor(() =>
    expect(onCreated).toHaveBeenCalledWith(expect.objectContaining({ id: made.event_type.id }), true),
  );
  expect(await navigator.clipboard.readText()).toBe(made.event_type.url);
  // The copied link ends the last of the first steps.
  const written = () => api.calls.filter(({ method }) => method !== 'GET').map(({ path, body }) => [path, body]);
  await waitFor(() =>
    expect(written()).toMatchObject([
      ['/api/handle', { handle: 'maya' }],
      ['/api/event-types', { title: 'Intro call' }],
      ['/api/first-steps', { copied: true }],
    ]),
  );
});

test('an address that is no name holds the first event type back', async () => {
  const { api, dialog, user } = await show(WithoutTeam, {
    'GET /api/handle': { body: { ...noHandle, suggestion: null } },
  });
  await user.type(await dialog.findByLabelText(/^Your address/), 'a b');
  await user.type(dialog.getByLabelText(/^Title/), 'Intro call');
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Create and get link' }).disabled).toBe(true);
  expect(dialog.getByText(/^3-40 lowercase letters/)).toBeTruthy();
  expect(api.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('the address of a new event type is shown while its title is typed', async () => {
  const { dialog, user } = await show(WithoutTeam);
  await user.type(dialog.getByLabelText(/^Title/), 'Zoë & Łukasz');
  expect(await dialog.findByText('book.example.org/maya/zoe-lukasz')).toBeTruthy();
});
