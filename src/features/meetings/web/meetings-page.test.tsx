import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createFakeApi, type FakeRoutes, refusal } from '#web/fake-api.ts';
import { loadWords, startTranslations } from '#web/i18n.ts';
import { ScreenFrame } from '#web/screen-frame.tsx';
import { MeetingsPage } from './meetings-page.tsx';
import type { AuditEntry, ConsolePage, MeetingRow, MirrorRow } from './queries.ts';

beforeAll(async () => {
  await startTranslations('en');
  await loadWords('meetings');
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const place = (subcalendar: string) => ({
  calendar_id: crypto.randomUUID(),
  provider: 'caldav',
  account: 'ada@x.org',
  subcalendar,
  color: '#4285f4',
});

function mirror(title: string, status: MirrorRow['status'], part: Partial<MirrorRow> = {}): MirrorRow {
  return {
    id: crypto.randomUUID(),
    event_id: crypto.randomUUID(),
    origin_event_id: crypto.randomUUID(),
    date: '2027-03-08',
    time: '09:00',
    starts_at: '2027-03-08T09:00:00Z',
    recurring: false,
    planned_at: '2027-03-01T09:00:00Z',
    applied: true,
    open_url: null,
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
    target: null,
    ...part,
  };
}

const noCounts = { upcoming: 0, past: 0, mirrors: 0, created: 0, pending: 0, failed: 0, skipped: 0, requests: 0 };
const noRows = { upcoming: [], past: [], mirrors: [], counts: noCounts, matching: 0, pages: 1 };

function meeting(title: string, part: Partial<MeetingRow> = {}): MeetingRow {
  const itemId = crypto.randomUUID();
  return {
    id: itemId,
    event_id: itemId,
    item_id: itemId,
    date: '2027-03-08',
    time: '09:00',
    starts_at: '2027-03-08T09:00:00Z',
    ends_at: '2027-03-08T09:30:00Z',
    all_day: false,
    recurring: false,
    invitee: 'Priya Raman',
    email: 'priya@raman.example',
    invitees: [{ name: 'Priya Raman', email: 'priya@raman.example', response: 'accepted' }],
    eventType: title,
    status: 'Confirmed',
    origin: place('Clients'),
    mirrorHealth: { total: 3, created: 3, pending: 0, failed: 0, skipped: 0 },
    targets: 3,
    meetingLink: null,
    version: 'v1',
    editable: true,
    not_editable_reason: null,
    open_url: null,
    booking: null,
    is_mirror: false,
    ...part,
  };
}

function showPage(page: Partial<ConsolePage>, routes: FakeRoutes = {}, at = '/meetings') {
  const api = createFakeApi({
    'GET /meetings': { body: { ...noRows, ...page } },
    'GET /api/calendars': { body: { calendars: [] } },
    ...routes,
  });
  vi.stubGlobal('fetch', api.fetch);
  render(<ScreenFrame screen={MeetingsPage} at={at} />);
  return { api, user: userEvent.setup() };
}

const show = (mirrors: MirrorRow[], routes: FakeRoutes = {}) =>
  showPage(
    { mirrors, matching: mirrors.length, counts: { ...noCounts, mirrors: mirrors.length } },
    routes,
    '/meetings?tab=mirrors',
  );

const rowOf = async (title: string) => within(await screen.findByRole('row', { name: new RegExp(title) }));

test('each mirror shows its status, and only an unfinished one can be resynced', async () => {
  show([mirror('Fine', 'created'), mirror('Broken', 'failed', { error: 'The server is full.' })]);
  const fine = await rowOf('Fine');
  expect(fine.getByText('Created')).toBeTruthy();
  expect(fine.queryByRole('button', { name: 'Resync Fine' })).toBeNull();
  const broken = await rowOf('Broken');
  expect(broken.getByText('Failed')).toBeTruthy();
  expect(broken.getByText('The server is full.')).toBeTruthy();
  expect(broken.getByRole('button', { name: 'Resync Broken' })).toBeTruthy();
});

test('a console without mirrors says that none were found', async () => {
  show([]);
  expect(await screen.findByText('No mirror events found')).toBeTruthy();
});

test('unrelated URL parameters are not sent to the server', async () => {
  const { api } = showPage(upcoming(meeting('Planning')), {}, '/meetings?lang=en');
  expect(await rowOf('Planning')).toBeTruthy();
  expect(api.calls.map(({ query }) => String(query)).join()).not.toContain('lang');
});

test('mirror details show the last three audit entries, and the full audit log shows all', async () => {
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

test('a failed mirror is retried once and confirms it', async () => {
  const row = mirror('Dentist', 'failed');
  const path = `/api/mirrors/${row.id}/retry`;
  const { api, user } = show([row], {
    [`GET /events/${row.id}/audit`]: { body: { logs: [] } },
    [`POST ${path}`]: { status: 202, body: { pending: 1 } },
  });
  await user.click((await rowOf('Dentist')).getByRole('button', { name: 'View Dentist' }));
  await user.click(await screen.findByRole('button', { name: 'Retry Mirror' }));
  expect(await screen.findByText('Checking and repairing 1 mirror')).toBeTruthy();
  expect(api.calls.filter((call) => call.path === path)).toHaveLength(1);
});

test('a failed mirror tells its attempts once', async () => {
  const row = mirror('Dentist', 'failed', { attempts: 1, error: 'The server is full.' });
  const { user } = show([row], { [`GET /events/${row.id}/audit`]: { body: { logs: [] } } });
  await user.click((await rowOf('Dentist')).getByRole('button', { name: 'View Dentist' }));
  const details = within(await screen.findByRole('dialog', { name: 'Mirror Event Details' }));
  expect(await details.findAllByText('1 attempt')).toHaveLength(1);
  expect(details.getByText("Couldn't create the block")).toBeTruthy();
});

test('a parked mirror tells its next attempt and can be retried before', async () => {
  const next = Temporal.Now.instant().add({ minutes: 50 }).toString();
  const row = mirror('Dentist', 'pending', { attempts: 0, next_attempt_at: next, error: 'It can only be read.' });
  const path = `/api/mirrors/${row.id}/retry`;
  const { api, user } = show([row], {
    [`GET /events/${row.id}/audit`]: { body: { logs: [] } },
    [`POST ${path}`]: { status: 202, body: { pending: 1 } },
  });
  await user.click((await rowOf('Dentist')).getByRole('button', { name: 'View Dentist' }));
  const details = within(await screen.findByRole('dialog', { name: 'Mirror Event Details' }));
  expect(await details.findByText('Next attempt')).toBeTruthy();
  await user.click(details.getByRole('button', { name: 'Retry Mirror' }));
  expect(await screen.findByText('Checking and repairing 1 mirror')).toBeTruthy();
  expect(api.calls.filter((call) => call.path === path)).toHaveLength(1);
});

test('a created mirror offers no retry', async () => {
  const row = mirror('Lunch', 'created');
  const { user } = show([row], { [`GET /events/${row.id}/audit`]: { body: { logs: [] } } });
  await user.click((await rowOf('Lunch')).getByRole('button', { name: 'View Lunch' }));
  expect(await screen.findByText('No activity for this mirror yet.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Retry Mirror' })).toBeNull();
});

test('a rate-limited resync shows the reason', async () => {
  const row = mirror('Dentist', 'pending');
  const { user } = show([row], {
    [`POST /mirrors/${row.event_id}/resync`]: refusal(429, 'LIMITED', 'Once a minute per event.'),
  });
  await user.click((await rowOf('Dentist')).getByRole('button', { name: 'Resync Dentist' }));
  expect(await screen.findByText("Couldn't repair. Once a minute per event.")).toBeTruthy();
});

test('a typed search is sent to the server with the current tab', async () => {
  const { api, user } = show([mirror('Dentist', 'created')]);
  await user.type(await screen.findByLabelText('Search title, location or people'), 'dent');
  await waitFor(() => expect(api.calls.at(-1)?.query.get('search')).toBe('dent'));
  expect(api.calls.at(-1)?.query.get('scope')).toBe('mirrors');
});

const upcoming = (...rows: MeetingRow[]) => ({
  upcoming: rows,
  matching: rows.length,
  counts: { ...noCounts, upcoming: rows.length },
});

test('a meeting shows its guest, origin and mirror health, the worst state first', async () => {
  const health = { total: 3, created: 1, pending: 1, failed: 1, skipped: 0 };
  showPage(
    upcoming(
      meeting('Interview', { mirrorHealth: health }),
      meeting('Onboarding', { mirrorHealth: { ...health, failed: 0 } }),
      meeting('Intro call'),
      meeting('Lunch', { mirrorHealth: { total: 0, created: 0, pending: 0, failed: 0, skipped: 0 } }),
    ),
  );
  const interview = await rowOf('Interview');
  // once more below the title, where a window has no room for the column
  expect(interview.getAllByText('Priya Raman')).toHaveLength(2);
  expect(interview.getByText('Clients')).toBeTruthy();
  expect(interview.getByText('1 failed')).toBeTruthy();
  expect(interview.getByRole('button', { name: 'Resync Interview' })).toBeTruthy();
  expect((await rowOf('Onboarding')).getByText('1 pending')).toBeTruthy();
  const intro = await rowOf('Intro call');
  expect(intro.getByText('3/3 synced')).toBeTruthy();
  expect(intro.queryByRole('button', { name: /^Resync/ })).toBeNull();
  expect((await rowOf('Lunch')).getByText('Not mirrored')).toBeTruthy();
});

test.each([
  ['/meetings', 'No upcoming meetings found'],
  ['/meetings?tab=past', 'No past meetings found'],
])('an empty meetings list at %s says: %s', async (at, words) => {
  showPage({}, {}, at);
  expect(await screen.findByText(words)).toBeTruthy();
});

test('a tab and a sort column are sent to the server, and a new tab resets the sort', async () => {
  const { api, user } = showPage(upcoming(meeting('Intro call')));
  await user.click(await screen.findByRole('link', { name: 'Sort by Event Type' }));
  await waitFor(() => expect(api.calls.at(-1)?.query.get('sort')).toBe('title'));
  expect((await screen.findByRole('columnheader', { name: /Event Type/ })).getAttribute('aria-sort')).toBe('ascending');
  await user.click(screen.getByRole('tab', { name: /Past/ }));
  await waitFor(() => expect(api.calls.some((call) => call.query.get('scope') === 'past')).toBe(true));
  expect(api.calls.at(-1)?.query.get('sort')).toBeNull();
});

test('a meeting that cannot be changed says why and links to its provider', async () => {
  const { user } = showPage(
    upcoming(
      meeting('Board', { editable: false, not_editable_reason: 'invited', open_url: 'https://calendar.example/1' }),
    ),
  );
  await user.click((await rowOf('Board')).getByRole('button', { name: 'More actions for Board' }));
  expect(await screen.findByText('Only the organizer can change this.')).toBeTruthy();
  const cancel = screen.getByRole('menuitem', { name: 'Cancel meeting' });
  expect(cancel.getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByRole('menuitem', { name: 'Open in CalDAV' }).getAttribute('href')).toBe(
    'https://calendar.example/1',
  );
});

test('a past meeting cannot be rescheduled', async () => {
  const row = meeting('Retro');
  const { user } = showPage({ past: [row], matching: 1 }, {}, '/meetings?tab=past');
  await user.click((await rowOf('Retro')).getByRole('button', { name: 'More actions for Retro' }));
  expect(await screen.findByRole('menuitem', { name: 'Audit' })).toBeTruthy();
  expect(screen.queryByRole('menuitem', { name: 'Reschedule' })).toBeNull();
});

const edit = (row: MeetingRow) => ({
  edit_id: crypto.randomUUID(),
  kind: 'delete',
  state: 'pending',
  calendar_id: row.origin.calendar_id,
  item_id: row.item_id,
  title: row.eventType,
  message: null,
  undo_until: '2027-03-01T09:00:10Z',
  can_undo: true,
  can_retry: false,
  created_at: '2027-03-01T09:00:00Z',
  replaces: [],
  events: [],
  mine: null,
  theirs: null,
});

test('a cancelled meeting sends the guest notification choice and can be undone', async () => {
  const row = meeting('Intro call');
  const answer = edit(row);
  const { api, user } = showPage(upcoming(row, meeting('Other')), {
    [`DELETE /events/${row.event_id}`]: { status: 202, body: { edit: answer } },
    [`POST /api/edits/${answer.edit_id}/undo`]: { status: 202, body: { edit: { ...answer, state: 'undone' } } },
  });
  await user.click((await rowOf('Intro call')).getByRole('button', { name: 'More actions for Intro call' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Cancel meeting' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Cancel Intro call?' }));
  await user.click(dialog.getByRole('checkbox', { name: 'Notify the guest' }));
  await user.click(dialog.getByRole('button', { name: 'Cancel meeting' }));
  expect(await screen.findByText('Intro call was canceled')).toBeTruthy();
  const asked = api.calls.find((call) => call.method === 'DELETE');
  expect(Object.fromEntries(asked?.query ?? [])).toEqual({ scope: 'all', version: 'v1', tell_guests: 'false' });
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText("Intro call wasn't canceled")).toBeTruthy();
});

test('a refused cancellation restores the meeting and shows the reason', async () => {
  const row = meeting('Intro call');
  const { user } = showPage(upcoming(row), {
    [`DELETE /events/${row.event_id}`]: refusal(409, 'CHANGED_MEANWHILE', 'It was changed meanwhile.'),
  });
  await user.click((await rowOf('Intro call')).getByRole('button', { name: 'More actions for Intro call' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Cancel meeting' }));
  await user.click(await screen.findByRole('button', { name: 'Cancel meeting' }));
  expect(await screen.findByText("Couldn't cancel Intro call. It was changed meanwhile.")).toBeTruthy();
  expect((await rowOf('Intro call')).getByText('3/3 synced')).toBeTruthy();
});

test('meetings selected with Shift are resynced with one request, and its result is shown', async () => {
  const rows = ['One', 'Two', 'Three'].map((title) => meeting(title));
  const [one, , three] = rows;
  const { api, user } = showPage(upcoming(...rows), {
    'POST /api/mirrors/resync': {
      status: 202,
      body: { pending: 3, queued: [one?.item_id], limited: [three?.item_id], nothing: [] },
    },
  });
  await user.click(await screen.findByRole('checkbox', { name: 'Select One' }));
  await user.keyboard('{Shift>}');
  await user.click(screen.getByRole('checkbox', { name: 'Select Three' }));
  await user.keyboard('{/Shift}');
  expect(screen.getByText('3 events selected')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Resync Mirrors' }));
  expect(
    await screen.findByText('Checking and repairing 3 mirrors. 1 event was already requested within the last minute'),
  ).toBeTruthy();
  const calls = api.calls.filter((call) => call.path === '/api/mirrors/resync');
  expect(calls.map((call) => call.body)).toEqual([{ event_ids: rows.map((row) => row.item_id) }]);
  expect(await screen.findByText(/^Resync finished/)).toBeTruthy();
});

test('meeting details show the number of targets, a join link and the audit log', async () => {
  const row = meeting('Interview', { meetingLink: 'https://meet.example/1' });
  const { user } = showPage(upcoming(row), {
    [`GET /events/${row.event_id}/audit`]: { body: { logs: [entry('Written')] } },
  });
  await user.click((await rowOf('Interview')).getByRole('button', { name: 'View Interview' }));
  const details = within(await screen.findByRole('dialog', { name: 'Meeting Details' }));
  expect(details.getByText('Interview with Priya Raman')).toBeTruthy();
  expect(details.getByText('3 target calendars configured')).toBeTruthy();
  expect(details.getByRole('link', { name: 'Join Meeting' }).getAttribute('href')).toBe('https://meet.example/1');
  expect(await details.findByText('Written')).toBeTruthy();
});

test('a meeting link that is not an HTTP URL is not rendered as a link', async () => {
  const row = meeting('Interview', { meetingLink: 'javascript:alert(1)', open_url: 'javascript:alert(1)' });
  const { user } = showPage(upcoming(row), { [`GET /events/${row.event_id}/audit`]: { body: { logs: [] } } });
  await user.click((await rowOf('Interview')).getByRole('button', { name: 'View Interview' }));
  await screen.findByRole('dialog', { name: 'Meeting Details' });
  expect(screen.queryByRole('link', { name: 'Join Meeting' })).toBeNull();
});

test('the meetings page links to the bookings of teams whose bookings the user may see', async () => {
  const team = (name: string, role: string) => ({
    id: crypto.randomUUID(),
    name,
    about: '',
    logo_url: null,
    role,
    shares: 'busy',
  });
  const [sales, looked] = [team('Sales', 'editor'), team('Looked at', 'viewer')];
  const listed = { may_create: true, teams: [sales, looked], invitations: [], deleted: [] };
  showPage({}, { 'GET /api/teams': { body: listed } });
  const link = await screen.findByRole('link', { name: 'Team bookings' });
  expect(link.getAttribute('href')).toBe(`/meetings/team/${sales.id}`);
});
