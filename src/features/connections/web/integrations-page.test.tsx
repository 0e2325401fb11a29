import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { defaultSettings } from '#features/booking/rules/type-settings.ts';
import { defaultMirrorRule } from '#features/sync/rules/mirror-rule.ts';
import { createFakeApi, type FakeRoutes, refusal } from '#web/fake-api.ts';
import { loadWords, startTranslations } from '#web/i18n.ts';
import { ScreenFrame } from '#web/screen-frame.tsx';
import { IntegrationsPage } from './integrations-page.tsx';
import type { Account, AccountCalendar, ProviderCard, SignIn } from './queries.ts';

beforeAll(async () => {
  await startTranslations('en');
  await loadWords('connections');
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

function account(email: string, part: Partial<Account> = {}): Account {
  return {
    accountId: crypto.randomUUID(),
    provider: 'caldav',
    profile: 'generic',
    email,
    status: 'active',
    needsReconnect: false,
    disconnecting: false,
    message: null,
    lastSyncedAt: minutesAgo(0),
    canReconnectWithPassword: true,
    following: 'polling',
    reconnectUrl: null,
    simulatedPage: null,
    ...part,
  };
}

function calendarOf(of: Account, part: Partial<AccountCalendar> = {}): AccountCalendar {
  return {
    calendarId: crypto.randomUUID(),
    accountId: of.accountId,
    name: 'Work',
    color: '#4285f4',
    isPrimary: true,
    includeInUnified: true,
    visible: true,
    conferences: null,
    writable: true,
    removed: false,
    leavesAt: null,
    left: false,
    lastSyncedAt: null,
    error: null,
    ...part,
  };
}

const icloud: ProviderCard = {
  profile: 'icloud',
  provider: 'icloud',
  label: 'Apple iCloud',
  color: '#8e8e93',
  url: 'https://caldav.icloud.com',
  urlLabel: null,
  usernameLabel: 'Apple ID',
  passwordLabel: 'App-specific password',
  help: 'Create an app-specific password.',
  helpUrl: null,
};

const google: SignIn = {
  provider: 'google',
  word: 'google',
  label: 'Google Calendar',
  color: '#4285f4',
  usable: true,
  missing: null,
};
const outlook: SignIn = {
  provider: 'microsoft',
  word: 'outlook',
  label: 'Microsoft Outlook',
  color: '#0078d4',
  usable: false,
  missing: 'Whoever runs this server has to register it.',
};
const chooser = (simulated: SignIn['provider'][]) => ({
  'GET /api/providers': { body: { signIns: [google, outlook], simulated, providers: [icloud] } },
});

/** Mirror groups of these calendars, each read and, where it can be, written. */
const groupsOf = (...groups: AccountCalendar[][]) => ({
  body: {
    groups: groups.map((calendars, index) => ({
      groupId: crypto.randomUUID(),
      name: `Group ${index}`,
      enabled: true,
      revision: 1,
      rule: {},
      effectiveRule: defaultMirrorRule,
      members: calendars.map(({ calendarId, writable }) => ({ calendarId, isSource: true, isTarget: writable })),
      pairs: [],
      breakers: [],
      blocks: [],
      counts: { total: 0, created: 0, pending: 0, failed: 0, skipped: 0 },
    })),
  },
});

function show(accounts: Account[], calendars: AccountCalendar[] = [], routes: FakeRoutes = {}, at = '/integrations') {
  const api = createFakeApi({
    'GET /integrations/accounts': { body: { accounts } },
    'GET /integrations/calendars': { body: { calendars } },
    'GET /api/providers': { body: { signIns: [], simulated: [], providers: [icloud] } },
    'GET /api/calendars': { body: { calendars: [] } },
    'GET /api/mirror-groups': groupsOf(),
    ...routes,
  });
  vi.stubGlobal('fetch', api.fetch);
  render(<ScreenFrame screen={IntegrationsPage} at={at} />);
  return { api, user: userEvent.setup() };
}

test('an empty integrations page offers to connect an account', async () => {
  show([]);
  expect(await screen.findByText('No calendars connected yet')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Connect Calendar Account' })).toBeTruthy();
});

test('the #connect link opens the choice of a provider', async () => {
  show([], [], {}, '/integrations#connect');
  expect(await screen.findByRole('dialog')).toBeTruthy();
});

test('mirroring is suggested to users with writable calendars at two accounts and no mirror group', async () => {
  const [home, work] = [account('home@x.org'), account('work@x.org')];
  const [mine, office] = [calendarOf(home), calendarOf(work)];
  const readOnly = [calendarOf(home, { writable: false }), calendarOf(work, { writable: false })];
  const offer = () => screen.queryByRole('link', { name: 'Set up mirroring' });
  show([home, work], [mine, office]);
  expect((await screen.findByRole('link', { name: 'Set up mirroring' })).getAttribute('href')).toBe(
    '/integrations/mirrors#review',
  );
  cleanup();
  // the rest of a group whose other account was disconnected
  show([home, work], [mine, office], { 'GET /api/mirror-groups': groupsOf([mine]) });
  await screen.findByRole('link', { name: 'Set up mirroring' });
  for (const [accounts, calendars, routes] of [
    [[home, work], [mine, office], { 'GET /api/mirror-groups': groupsOf([mine, office]) }],
    [[home, work], [mine, office], { 'GET /api/mirror-groups': refusal(500, 'INTERNAL', 'No.') }],
    [[home], [mine, calendarOf(home)], {}],
    [[home, work], [mine, calendarOf(work, { removed: true })], {}],
    [[home, work], readOnly, {}],
  ] as const) {
    cleanup();
    show([...accounts], [...calendars], routes);
    // nothing is shown before it is known what is mirrored
    await screen.findByText('How calendar syncing works');
    expect(offer()).toBeNull();
    expect(screen.queryByText(/Not mirrored/)).toBeNull();
  }
});

test('an account outside the mirroring of the others says so', async () => {
  const [home, work, club] = [account('home@x.org'), account('work@x.org'), account('club@x.org')];
  const [mine, office, matches] = [calendarOf(home), calendarOf(work), calendarOf(club)];
  const mirrored: FakeRoutes = { 'GET /api/mirror-groups': groupsOf([mine, office]) };
  show([home, work, club], [mine, office, matches], mirrored);
  const link = await screen.findByRole('link', { name: 'Add to a group club@x.org' });
  expect(link.getAttribute('href')).toBe('/integrations/mirrors');
  expect(screen.getAllByText(/Not mirrored/)).toHaveLength(1);
  cleanup();
  // alone in what is left of another group
  show([home, work, club], [mine, office, matches], {
    'GET /api/mirror-groups': groupsOf([mine, office], [matches]),
  });
  await screen.findByRole('link', { name: 'Add to a group club@x.org' });
  for (const [accounts, calendars, routes] of [
    [[home, work, club], [mine, office, matches], { 'GET /api/mirror-groups': refusal(500, 'INTERNAL', 'No.') }],
    [[home, work, club], [mine, office, { ...matches, removed: true }], mirrored],
    [[home, work, { ...club, needsReconnect: true }], [mine, office, matches], mirrored],
    [[home, work, { ...club, disconnecting: true }], [mine, office, matches], mirrored],
  ] as const) {
    cleanup();
    show([...accounts], [...calendars], routes);
    await screen.findByText('How calendar syncing works');
    expect(screen.queryByText(/Not mirrored/)).toBeNull();
  }
});

test('an account that blocks others and is not blocked says so', async () => {
  const [home, work] = [account('home@x.org'), account('work@x.org')];
  const [mine, office] = [calendarOf(home), calendarOf(work)];
  const { groups } = groupsOf([mine, office]).body;
  const [group] = groups;
  const oneWay = group?.members.map((member) => ({ ...member, isTarget: member.calendarId !== mine.calendarId }));
  const off = { sourceCalendarId: office.calendarId, targetCalendarId: mine.calendarId, enabled: false, rule: {} };
  for (const change of [{ members: oneWay }, { pairs: [off] }]) {
    show([home, work], [mine, office], { 'GET /api/mirror-groups': { body: { groups: [{ ...group, ...change }] } } });
    await screen.findByRole('link', { name: 'Open group home@x.org' });
    expect(screen.getAllByText(/Mirrored one way/)).toHaveLength(1);
    cleanup();
  }
  // nothing could be written to a read-only calendar
  show([home, work], [{ ...mine, writable: false }, office], {
    'GET /api/mirror-groups': { body: { groups: [{ ...group, members: oneWay }] } },
  });
  await screen.findByText('How calendar syncing works');
  expect(screen.queryByText(/Mirrored one way/)).toBeNull();
});

test('an account with a disabled mirror group says so, unless another group mirrors it', async () => {
  const [home, work] = [account('home@x.org'), account('work@x.org')];
  const [mine, office] = [calendarOf(home), calendarOf(work)];
  const { groups } = groupsOf([mine, office], [mine, office]).body;
  const switchedTo = (...enabled: boolean[]) => ({
    body: { groups: enabled.map((isOn, index) => ({ ...groups[index], enabled: isOn })) },
  });
  show([home, work], [mine, office], { 'GET /api/mirror-groups': switchedTo(false) });
  const link = await screen.findByRole('link', { name: 'Open group home@x.org' });
  expect(link.getAttribute('href')).toBe('/integrations/mirrors');
  expect(screen.getAllByText(/Not mirrored. This account's mirror group is turned off/)).toHaveLength(2);
  expect(screen.queryByRole('link', { name: 'Set up mirroring' })).toBeNull();
  cleanup();
  show([home, work], [mine, office], { 'GET /api/mirror-groups': switchedTo(false, true) });
  await screen.findByText('How calendar syncing works');
  expect(screen.queryByText(/Not mirrored/)).toBeNull();
});

test('each account shows its sync status', async () => {
  show([
    account('now@x.org'),
    account('minutes@x.org', { lastSyncedAt: minutesAgo(5.5) }),
    account('hours@x.org', { lastSyncedAt: minutesAgo(190) }),
    account('working@x.org', { status: 'syncing' }),
    account('broken@x.org', { status: 'error', message: 'The server did not answer.' }),
    account('never@x.org', { lastSyncedAt: null }),
  ]);
  expect(await screen.findByText('Synced Just now')).toBeTruthy();
  expect(screen.getByText('Synced 5m ago')).toBeTruthy();
  expect(screen.getByText('Synced 3h ago')).toBeTruthy();
  expect(screen.getByText('Sync failed')).toBeTruthy();
  expect(screen.getByText('The server did not answer.')).toBeTruthy();
  expect(screen.getByText('Never synced')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Sync events never@x.org' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Syncing...' }).getAttribute('aria-disabled')).toBe('true');
});

test('an account list that fails to load offers a retry and shows the request id', async () => {
  const { user } = show([], [], { 'GET /integrations/accounts': refusal(500, 'INTERNAL', 'A fault on the server.') });
  expect(await screen.findByText('Failed to load data')).toBeTruthy();
  expect(screen.getByText('req-1')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
});

test('a manual sync shows progress at once and is reverted when the server refuses', async () => {
  const work = account('work@x.org');
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof refusal>>();
  const { user } = show([work], [], { [`POST /api/calendars/sync/${work.accountId}`]: () => promise });
  await user.click(await screen.findByRole('button', { name: 'Sync now work@x.org' }));
  expect(await screen.findByRole('button', { name: 'Syncing...' })).toBeTruthy();
  resolve(refusal(429, 'LIMITED', 'Too often.'));
  expect(await screen.findByText('Failed to sync calendar. Please try again. Too often.')).toBeTruthy();
  expect(await screen.findByText('Synced Just now')).toBeTruthy();
});

test('disconnecting an account asks first and sends one request', async () => {
  const work = account('work@x.org');
  const path = `/integrations/accounts/${work.accountId}`;
  const { api, user } = show([work], [], {
    [`DELETE ${path}`]: { status: 202, body: { account: { ...work, disconnecting: true } } },
  });
  await user.click(await screen.findByRole('button', { name: 'Disconnect work@x.org' }));
  const dialog = await screen.findByRole('dialog', { name: 'Are you sure you want to disconnect this account?' });
  expect(api.calls.some((call) => call.method === 'DELETE')).toBe(false);
  await user.click(within(dialog).getByRole('button', { name: 'Disconnect' }));
  await waitFor(() =>
    expect(api.calls.filter((call) => call.method === 'DELETE').map((call) => call.path)).toEqual([path]),
  );
});

test('disconnecting an account names the event types and booking links that depend on it', async () => {
  const [work, home] = [account('work@x.org'), account('home@x.org')];
  const [office, own] = [calendarOf(work), calendarOf(home)];
  const type = (title: string, target: string | null, blocking: string[] | null) => ({
    id: crypto.randomUUID(),
    slug: 'intro',
    title,
    description: '',
    kind: 'one-on-one',
    hidden: false,
    secret: false,
    url: null,
    version: 1,
    team_id: null,
    hosts: [],
    settings: { ...defaultSettings('one-on-one'), target_calendar_id: target, blocking_calendar_ids: blocking },
    lacks_calendars: false,
    updated_at: '2026-11-28T06:00:00Z',
  });
  const link = (url: string, place: object) => ({
    id: crypto.randomUUID(),
    event_type_id: crypto.randomUUID(),
    title: 'Intro',
    kind: 'account',
    label: '',
    url,
    account_id: null,
    calendar_id: null,
    starts: null,
    duration_minutes: null,
    uses_left: null,
    expires_at: null,
    created_at: '2026-11-28T06:00:00Z',
    ...place,
  });
  const types = [
    type('Intro', office.calendarId, null),
    type('Review', null, [own.calendarId, office.calendarId]),
    type('Elsewhere', own.calendarId, [own.calendarId]),
    type('Anywhere', null, null),
  ];
  const links = [
    link('https://h.example/l/account', { account_id: work.accountId }),
    link('https://h.example/l/other', { calendar_id: own.calendarId }),
  ];
  const { user } = show([work, home], [office, own], {
    'GET /api/event-types': { body: { event_types: types, teams: [] } },
    'GET /api/booking-links': { body: { links } },
    'GET /api/bookings': {
      body: {
        bookings: [office, office, own].map(({ calendarId }) => ({
          booking_id: crypto.randomUUID(),
          uid: 'intro@h.example',
          appointment_id: crypto.randomUUID(),
          event_type_id: null,
          title: 'Intro',
          state: 'confirmed',
          sequence: 0,
          start_time: '2027-03-08T14:00:00Z',
          end_time: '2027-03-08T14:30:00Z',
          name: 'Kei Tanaka',
          email: 'kei@example.org',
          phone: null,
          zone: 'Asia/Tokyo',
          guests: [],
          email_stopped: false,
          untold: [],
          answers: [],
          location: { kind: 'google-meet' },
          join_url: null,
          seats: 1,
          seat: 1,
          series_id: null,
          event_id: null,
          calendar_id: calendarId,
          verified: true,
          reason: null,
          ended_by: null,
          guest_response: null,
          guest_no_show: false,
          host_no_show: false,
          created_at: '2027-03-01T14:00:00Z',
          team_id: null,
          hosts: [],
        })),
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Disconnect work@x.org' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText('2 upcoming bookings move to another calendar')).toBeTruthy();
  expect(await dialog.findByText(/The events in work@x.org stay there/)).toBeTruthy();
  expect(await dialog.findByText('2 event types use its calendars')).toBeTruthy();
  expect(await dialog.findByText('1 booking link will stop working')).toBeTruthy();
  const names = dialog.getAllByRole('listitem').map((item) => item.textContent);
  expect(names).toEqual(['Intro', 'Review', 'h.example/l/account']);
});

test('disconnecting a calendar that Holdfast keeps names the events that are deleted and offers them as a file', async () => {
  const own = account('Kept by Holdfast', { provider: 'holdfast' });
  const calendar = calendarOf(own);
  const path = `/integrations/accounts/${own.accountId}`;
  const { api, user } = show([own], [calendar], {
    [`GET /api/calendars/${calendar.calendarId}/kept`]: { body: { events: 12 } },
    [`DELETE ${path}`]: { status: 202, body: { account: { ...own, disconnecting: true } } },
  });
  await user.click(await screen.findByRole('button', { name: 'Disconnect Kept by Holdfast' }));
  const dialog = await screen.findByRole('dialog', { name: 'Are you sure you want to disconnect this account?' });
  expect(await within(dialog).findByText('12 events will be deleted for good')).toBeTruthy();
  expect(within(dialog).queryByText(/Your own events don't change/)).toBeNull();
  expect(within(dialog).getByRole('link', { name: 'Download as .ics' }).getAttribute('href')).toBe(
    `/api/calendars/${calendar.calendarId}/file`,
  );
  await user.click(within(dialog).getByRole('button', { name: 'Delete 12 events' }));
  await waitFor(() =>
    expect(api.calls.filter((call) => call.method === 'DELETE').map((call) => `${call.path}?${call.query}`)).toEqual([
      `${path}?delete_events=1`,
    ]),
  );
});

test('an account being disconnected shows its progress and cannot be changed', async () => {
  const work = account('work@x.org', { disconnecting: true });
  show([work], [calendarOf(work)]);
  expect(await screen.findByText('Removing our blocks')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Disconnect/ })).toBeNull();
  expect(screen.getByRole<HTMLInputElement>('checkbox').disabled).toBe(true);
});

test('excluding a calendar from availability shows at once and is reverted when the server refuses', async () => {
  const work = account('work@x.org');
  const calendar = calendarOf(work);
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof refusal>>();
  const { user } = show([work], [calendar], { [`PATCH /api/calendars/${calendar.calendarId}`]: () => promise });
  const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: /Include in unified availability.*Work/ });
  await user.click(box);
  await waitFor(() => expect(box.checked).toBe(false));
  resolve(refusal(503, 'UNAVAILABLE', 'Cannot be served for the moment.'));
  await waitFor(() => expect(box.checked).toBe(true));
});

test('a refused password shows an error at its field and keeps what was typed', async () => {
  const { api, user } = show([], [], {
    'POST /api/connections/caldav': refusal(400, 'WRONG_PASSWORD', 'iCloud needs an app-specific password.'),
  });
  await user.click(await screen.findByRole('button', { name: 'Connect Calendar Account' }));
  await user.click(await screen.findByRole('button', { name: 'Apple iCloud' }));
  expect(screen.getByText('Create an app-specific password.')).toBeTruthy();
  await user.type(screen.getByLabelText(/Apple ID/), 'ada@icloud.com');
  await user.type(screen.getByLabelText(/App-specific password/), 'secret');
  await user.click(screen.getByRole('button', { name: 'Connect' }));
  expect(await screen.findByText('iCloud needs an app-specific password.')).toBeTruthy();
  expect(screen.getByLabelText(/App-specific password/).getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByLabelText<HTMLInputElement>(/Apple ID/).value).toBe('ada@icloud.com');
  expect(api.calls.find((call) => call.method === 'POST')?.body).toEqual({
    profile: 'icloud',
    url: 'https://caldav.icloud.com',
    username: 'ada@icloud.com',
    password: 'secret',
  });
  await user.type(screen.getByLabelText(/App-specific password/), '2');
  expect(screen.queryByText('iCloud needs an app-specific password.')).toBeNull();
});

test('a connected account is named without a double word', async () => {
  const zoho = { ...icloud, profile: 'zoho', provider: 'zoho', label: 'Zoho Calendar', usernameLabel: 'Zoho address' };
  const { user } = show([], [], {
    'GET /api/providers': { body: { signIns: [], simulated: [], providers: [zoho] } },
    'POST /api/connections/caldav': { status: 201, body: { account: account('ada@zoho.com') } },
  });
  await user.click(await screen.findByRole('button', { name: 'Connect Calendar Account' }));
  await user.click(await screen.findByRole('button', { name: 'Zoho Calendar' }));
  await user.type(screen.getByLabelText(/Zoho address/), 'ada@zoho.com');
  await user.type(screen.getByLabelText(/App-specific password/), 'secret');
  await user.click(screen.getByRole('button', { name: 'Connect' }));
  expect(await screen.findByText('Zoho calendar connected successfully!')).toBeTruthy();
});

test('a connection error of no particular field appears above the form', async () => {
  const { user } = show([], [], {
    'POST /api/connections/caldav': refusal(400, 'UNREACHABLE', 'caldav.icloud.com does not answer.'),
  });
  await user.click(await screen.findByRole('button', { name: 'Connect Calendar Account' }));
  await user.click(await screen.findByRole('button', { name: 'Apple iCloud' }));
  await user.type(screen.getByLabelText(/Apple ID/), 'ada@icloud.com');
  await user.type(screen.getByLabelText(/App-specific password/), 'secret');
  await user.click(screen.getByRole('button', { name: 'Connect' }));
  expect((await screen.findByRole('alert')).textContent).toContain('caldav.icloud.com does not answer.');
});

test('an account with a rejected password accepts a new one in place', async () => {
  const work = account('work@x.org', { status: 'error', needsReconnect: true, message: 'The password was refused.' });
  const path = `/api/connections/${work.accountId}/reconnect`;
  const { api, user } = show([work], [], { [`POST ${path}`]: { body: { account: account('work@x.org') } } });
  expect(await screen.findByText('The password was refused.')).toBeTruthy();
  await user.type(screen.getByLabelText('New password'), 'fresh');
  await user.click(screen.getByRole('button', { name: 'Reconnect' }));
  expect(await screen.findByText('work@x.org is connected again')).toBeTruthy();
  expect(api.calls.find((call) => call.path === path)?.body).toEqual({ password: 'fresh' });
});

test('a configured sign-in provider is a link, and an unconfigured one says what is missing', async () => {
  const { user } = show([], [], chooser([]));
  await user.click(await screen.findByRole('button', { name: 'Connect Calendar Account' }));
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Google Calendar' });
  expect(link.getAttribute('href')).toMatch(/^\/provider\/google\/start\?returnUrl=http.*%2Fintegrations$/);
  const off = screen.getByRole('button', { name: 'Microsoft Outlook' });
  expect(off.getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByText(/Not available yet\. Whoever runs this server/)).toBeTruthy();
  expect(screen.queryByText('Development Mode - Simulate Connections')).toBeNull();
});

test.each([['?connected=zoho&status=error', 'Failed to connect CalDAV calendar. Please try again.']])(
  'an OAuth return of no known provider (%s) is told with a name',
  async (search, text) => {
    show(
      [account('work@x.org')],
      [],
      { 'POST /api/connections/outcome': { body: { message: null } } },
      `/integrations${search}`,
    );
    expect(await screen.findByText(text)).toBeTruthy();
  },
);

test('a simulated account is connected with one click and confirmed', async () => {
  const made = account('dana@gmail.example', { provider: 'google', profile: 'simulated' });
  const { api, user } = show([], [], {
    ...chooser(['google', 'microsoft']),
    'POST /dev/simulate/connect': { status: 201, body: { account: made } },
  });
  await user.click(await screen.findByRole('button', { name: 'Connect Calendar Account' }));
  expect(await screen.findByText('Development Mode - Simulate Connections')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Simulate Google' }));
  expect(await screen.findByText('Google account simulated successfully!')).toBeTruthy();
  expect(api.calls.find((call) => call.method === 'POST')?.body).toEqual({ provider: 'google' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a failed simulated connection shows its error in the dialog', async () => {
  const { user } = show([], [], {
    ...chooser(['google']),
    'POST /dev/simulate/connect': refusal(503, 'UNAVAILABLE', 'Cannot be served for the moment.'),
  });
  await user.click(await screen.findByRole('button', { name: 'Connect Calendar Account' }));
  await user.click(await screen.findByRole('button', { name: 'Simulate Google' }));
  expect(await screen.findByText('Failed to simulate connection')).toBeTruthy();
});

const failed = 'connected=google&status=error';
test.each([
  ['connected=microsoft&status=success', null, 'Microsoft Outlook calendar connected successfully!'],
  [failed, 'You did not give access.', 'You did not give access.'],
  [failed, null, 'Failed to connect Google calendar. Please try again.'],
])('an OAuth return with %s and the outcome %s is told', async (search, message, text) => {
  show(
    [account('work@x.org')],
    [],
    { 'POST /api/connections/outcome': { body: { message } } },
    `/integrations?${search}`,
  );
  expect(await screen.findByText(text)).toBeTruthy();
});

test('a message in the address is not shown', async () => {
  const told = `${failed}&message=Your+account+was+hacked.+Call+555-0100.`;
  show(
    [account('work@x.org')],
    [],
    { 'POST /api/connections/outcome': { body: { message: null } } },
    `/integrations?${told}`,
  );
  expect(await screen.findByText('Failed to connect Google calendar. Please try again.')).toBeTruthy();
  expect(document.body.textContent).not.toContain('hacked');
});

test('an account that lost its permission offers a reconnect link', async () => {
  const lost = account('dana@gmail.com', {
    provider: 'google',
    status: 'error',
    needsReconnect: true,
    canReconnectWithPassword: false,
    reconnectUrl: '/provider/google/start?accountId=1',
    message: 'Google no longer gives us access.',
  });
  show([lost]);
  const link = await screen.findByRole('link', { name: 'Reconnect dana@gmail.com' });
  expect(link.getAttribute('href')).toMatch(/^\/provider\/google\/start\?accountId=1&returnUrl=/);
  expect(screen.queryByLabelText('New password')).toBeNull();
});

test('a finished manual sync is confirmed', async () => {
  const work = account('work@x.org', { lastSyncedAt: minutesAgo(9) });
  const accounts = [work];
  const { user } = show([], [], {
    'GET /integrations/accounts': () => ({ body: { accounts } }),
    [`POST /api/calendars/sync/${work.accountId}`]: () => {
      accounts[0] = { ...work, lastSyncedAt: minutesAgo(0) };
      return { status: 202, body: { status: 'syncing' } };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Sync now work@x.org' }));
  expect(await screen.findByText('Calendar synced successfully!')).toBeTruthy();
});

test('advanced sync settings are saved as entered, and days out of range are refused', async () => {
  const settings = { pastDays: null, futureDays: 90, pollSeconds: null, onStale: 'warn', staleAfterMinutes: 30 };
  const { api, user } = show([account('work@x.org')], [], {
    'GET /api/sync-settings': { body: { settings } },
    'PUT /api/sync-settings': { body: { settings } },
  });
  await user.click(await screen.findByRole('button', { name: 'Advanced Settings' }));
  const ahead = await screen.findByLabelText<HTMLInputElement>('Days ahead');
  expect(ahead.value).toBe('90');
  await user.clear(ahead);
  await user.type(ahead, '1000');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText(/Enter a whole number from 1 to 730/)).toBeTruthy();
  expect(api.calls.some((call) => call.method === 'PUT')).toBe(false);
  await user.clear(ahead);
  await user.selectOptions(screen.getByLabelText(/Background sync interval/), '5 minutes');
  await user.selectOptions(screen.getByLabelText("If a calendar can't be read"), 'Stop offering times');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(api.calls.find((call) => call.method === 'PUT')?.body).toEqual({
      ...settings,
      futureDays: null,
      pollSeconds: 300,
      onStale: 'block',
    }),
  );
});

test('a calendar that its account no longer lists says when its events leave, and can be removed at once', async () => {
  const work = account('work@x.org');
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const gone = calendarOf(work, { name: 'Rota', removed: true, leavesAt: inHours(5), error: 'No longer listed.' });
  const left = calendarOf(work, { name: 'Old rota', removed: true, leavesAt: inHours(-5), left: true });
  const path = `/api/calendars/${gone.calendarId}`;
  const { api, user } = show([work], [gone, left, calendarOf(work)], {
    [`DELETE ${path}`]: { status: 202, body: { removing: true } },
  });
  expect(
    await screen.findByText(/^This calendar was deleted or unshared.* Its events will be removed in 5 hours, on /),
  ).toBeTruthy();
  expect(screen.queryByText('No longer listed.')).toBeNull();
  expect(screen.queryByText('Old rota')).toBeNull();
  expect(screen.getAllByRole('button', { name: /^Remove now/ })).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Remove now Rota' }));
  expect(await screen.findByText('"Rota" was removed. It returns if it\'s shared with you again.')).toBeTruthy();
  expect(api.calls.filter(({ method }) => method === 'DELETE').map((call) => call.path)).toEqual([path]);
});

test('a refused removal says why, and the row stays', async () => {
  const work = account('work@x.org');
  const gone = calendarOf(work, { name: 'Rota', removed: true, leavesAt: new Date().toISOString() });
  const { user } = show([work], [gone], {
    [`DELETE /api/calendars/${gone.calendarId}`]: refusal(
      409,
      'STILL_LISTED',
      'The account still lists this calendar.',
    ),
  });
  await user.click(await screen.findByRole('button', { name: 'Remove now Rota' }));
  expect(await screen.findByText('The account still lists this calendar.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Remove now Rota' })).toBeTruthy();
});

const warned = (calendar: AccountCalendar, warnings: number, unread: number) => ({
  'GET /api/calendars': {
    body: {
      calendars: [
        {
          id: calendar.calendarId,
          name: calendar.name,
          provider: 'caldav',
          visible: true,
          color: '#4285f4',
          badge: 'WO',
          email: 'work@x.org',
          status: 'ok',
          message: null,
          reconnectUrl: null,
          lastSyncedAt: null,
          writable: true,
          unread,
          warnings,
        },
      ],
    },
  },
});

test('the warnings of a calendar name each event, when it is, and whether it blocks its time', async () => {
  const work = account('work@x.org');
  const calendar = calendarOf(work);
  const zone = { code: 'zone-taken-for-offset', values: { zone: 'Mars/Olympus', used: 'UTC+2' } };
  const rule = { code: 'rule-unreadable', values: { source: 'RRULE:FREQ=NEVER' } };
  const text = { code: 'text-cut', values: { property: 'DESCRIPTION', most: 32_000 } };
  const event = (title: string | null, start_time: string | null, effect: string, notes: object[]) => ({
    item_id: crypto.randomUUID(),
    title,
    start_time,
    all_day: false,
    effect,
    notes,
  });
  const { user } = show([work], [calendar], {
    ...warned(calendar, 43, 1),
    [`GET /api/calendars/${calendar.calendarId}/warnings`]: {
      body: {
        calendar: { id: calendar.calendarId, name: calendar.name },
        events: [
          event('Review', null, 'none', [rule]),
          event('Dentist', '2027-03-08T09:00:00Z', 'kept', [rule]),
          event(null, '2027-03-08T09:00:00Z', 'blocks', [zone, text]),
        ],
        file: [{ code: 'component-unclosed', values: { component: 'VTODO' } }],
        more: 40,
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: '43 warnings Work' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Warnings: Work' }));
  const told = (await dialog.findAllByRole('listitem')).map((one) => one.textContent ?? '');
  expect(told.find((text) => text.startsWith('Review'))).toMatch(
    /Doesn't count as busy.*Time unknown.*recurrence rule.*FREQ=NEVER/,
  );
  expect(told.find((text) => text.startsWith('Dentist'))).toMatch(/Its earlier time still counts as busy.*9:00 AM/);
  expect(told.find((text) => text.startsWith('Untitled'))).toMatch(
    /Counts as busy.*"Mars\/Olympus" is unknown.*UTC\+2 is used\..*32,000 characters \(notes\)/,
  );
  expect(dialog.getByRole('region', { name: 'Whole calendar' }).textContent).toContain(
    'The end of VTODO is missing in the source.',
  );
  expect(dialog.getByText('and 40 more events')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('titles and zones from right to left keep the sentence beside them in its order', async () => {
  const work = account('work@x.org');
  const calendar = calendarOf(work);
  const event = {
    item_id: crypto.randomUUID(),
    title: 'פגישה (חדר 12)',
    start_time: '2027-03-08T09:00:00Z',
    all_day: false,
    effect: 'blocks',
    notes: [{ code: 'zone-unknown', values: { zone: 'שעון ישראל' } }],
  };
  const routes = {
    ...warned(calendar, 1, 0),
    [`GET /api/calendars/${calendar.calendarId}/warnings`]: {
      body: { calendar: { id: calendar.calendarId, name: 'Work' }, events: [event], file: [], more: 0 },
    },
  };
  show([work], [calendar], routes, `/integrations#warnings-${calendar.calendarId}`);
  const dialog = within(await screen.findByRole('dialog', { name: 'Warnings: Work' }));
  expect((await dialog.findByText('פגישה (חדר 12)')).tagName).toBe('BDI');
  expect(dialog.getByText(/is unknown/).textContent).toContain('"\u2068שעון ישראל\u2069" is unknown');
});

test('an address of warnings opens them, and a calendar without warnings has no button', async () => {
  const work = account('work@x.org');
  const calendar = calendarOf(work);
  const routes = {
    ...warned(calendar, 0, 0),
    [`GET /api/calendars/${calendar.calendarId}/warnings`]: {
      body: { calendar: { id: calendar.calendarId, name: 'Work' }, events: [], file: [], more: 0 },
    },
  };
  show([work], [calendar], routes, `/integrations#warnings-${calendar.calendarId}`);
  const dialog = within(await screen.findByRole('dialog', { name: 'Warnings: Work' }));
  expect(await dialog.findByText('No problems with the events in this calendar.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /warning/ })).toBeNull();
});
