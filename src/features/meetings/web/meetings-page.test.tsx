import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createFakeApi, type FakeRoutes, refusal } from '#web/fake-api.ts';
import { loadWords, startTranslations } from '#web/i18n.ts';
import { ScreenFrame } from '#web/screen-frame.tsx';
import { MeetingsPage } from './meetings-page.tsx';
import type { AuditEntry, MirrorRow } from './queries.ts';

beforeAll(async () => {
  await startTranslations('en');
  await loadWords('meetings');
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const place = (subcalendar: string) => ({ provider: 'caldav', account: 'ada@x.org', subcalendar, color: '#4285f4' });

function mirror(title: string, status: MirrorRow['status'], part: Partial<MirrorRow> = {}): MirrorRow {
  return {
    id: crypto.randomUUID(),
    event_id: crypto.randomUUID(),
    origin_event_id: crypto.randomUUID(),
    date: '2027-03-08',
    time: '09:00',
    starts_at: '2027-03-08T09:00:00Z',
    recurring: false,
    title,
    shown_as: 'Busy',
    origin: place('Home'),
    target: place('Work'),
    status,
    last_sync: null,
    verified_at: null,
    attempts: 1,
    next_attempt_at: null,
    reason: null,
    error: null,
    is_mirror: true,
    ...part,
  };
}

function entry(message: string, part: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: crypto.randomUUID(),
    timestamp: '2027-03-08T08:00:00Z',
    type: 'mirror.created',
    actor: 'poll',
    message,
    duration_ms: 412,
    status: 'success',
    error: null,
    request_id: null,
    ...part,
  };
}

function show(mirrors: MirrorRow[], routes: FakeRoutes = {}, at = '/meetings') {
  const counts = { total: mirrors.length, created: 0, pending: 0, failed: 0, skipped: 0 };
  const api = createFakeApi({ 'GET /meetings': { body: { mirrors, counts, pages: 1 } }, ...routes });
  vi.stubGlobal('fetch', api.fetch);
  render(<ScreenFrame screen={MeetingsPage} at={at} />);
  return { api, user: userEvent.setup() };
}

const rowOf = async (title: string) => within(await screen.findByRole('row', { name: new RegExp(title) }));

test('each mirror says where it stands, and only an unfinished one can be resynced', async () => {
  show([mirror('Fine', 'created'), mirror('Broken', 'failed', { error: 'The server is full.' })]);
  const fine = await rowOf('Fine');
  expect(fine.getByText('Created')).toBeTruthy();
  expect(fine.queryByRole('button', { name: 'Resync Fine' })).toBeNull();
  const broken = await rowOf('Broken');
  expect(broken.getByText('Failed')).toBeTruthy();
  expect(broken.getByText('The server is full.')).toBeTruthy();
  expect(broken.getByRole('button', { name: 'Resync Broken' })).toBeTruthy();
});

test('without mirrors the console says so in the words of the specification', async () => {
  show([]);
  expect(await screen.findByText('No mirror events found')).toBeTruthy();
});

test('the details show the last three audit entries, and the full log all of them', async () => {
  const row = mirror('Dentist', 'failed', { attempts: 5, error: 'The server is full.' });
  const logs = ['Newest', 'Second', 'Third', 'Oldest'].map((message) => entry(message));
  const { user } = show([row], { [`GET /events/${row.id}/audit`]: { body: { logs } } });
  await user.click((await rowOf('Dentist')).getByRole('button', { name: 'View Dentist' }));
  const details = within(await screen.findByRole('dialog', { name: 'Mirror Event Details' }));
  expect(await details.findByText('Third')).toBeTruthy();
  expect(details.queryByText('Oldest')).toBeNull();
  await user.click(details.getByRole('button', { name: 'View Full Audit Log' }));
  const log = within(await screen.findByRole('dialog', { name: 'Mirror Audit Log' }));
  expect(await log.findByText('Oldest')).toBeTruthy();
});

test('a failed mirror is retried, and what happens next is said', async () => {
  const row = mirror('Dentist', 'failed');
  const path = `/api/mirrors/${row.id}/retry`;
  const { api, user } = show([row], {
    [`GET /events/${row.id}/audit`]: { body: { logs: [] } },
    [`POST ${path}`]: { status: 202, body: { pending: 1 } },
  });
  await user.click((await rowOf('Dentist')).getByRole('button', { name: 'View Dentist' }));
  await user.click(await screen.findByRole('button', { name: 'Retry Mirror' }));
  expect(await screen.findByText('1 mirror is being checked and written again')).toBeTruthy();
  expect(api.calls.filter((call) => call.path === path)).toHaveLength(1);
});

test('a created mirror offers no retry', async () => {
  const row = mirror('Lunch', 'created');
  const { user } = show([row], { [`GET /events/${row.id}/audit`]: { body: { logs: [] } } });
  await user.click((await rowOf('Lunch')).getByRole('button', { name: 'View Lunch' }));
  expect(await screen.findByText('Nothing has happened to this mirror yet.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Retry Mirror' })).toBeNull();
});

test('a resync that comes too soon says so and stays on screen', async () => {
  const row = mirror('Dentist', 'pending');
  const { user } = show([row], {
    [`POST /mirrors/${row.event_id}/resync`]: refusal(429, 'LIMITED', 'Once a minute per event.'),
  });
  await user.click((await rowOf('Dentist')).getByRole('button', { name: 'Resync Dentist' }));
  expect(await screen.findByText('Not repaired. Once a minute per event.')).toBeTruthy();
});

test('what is typed becomes the search of the address and of the call', async () => {
  const { api, user } = show([mirror('Dentist', 'created')]);
  await user.type(await screen.findByLabelText('Search by title'), 'dent');
  await waitFor(() => expect(api.calls.at(-1)?.query.get('search')).toBe('dent'));
  expect(api.calls.at(-1)?.query.get('scope')).toBe('mirrors');
});
