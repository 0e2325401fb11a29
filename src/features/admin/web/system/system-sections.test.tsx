import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createFakeApi, type FakeRoutes, refusal } from '#web/fake-api.ts';
import { loadWords, startTranslations } from '#web/i18n.ts';
import { ScreenFrame } from '#web/screen-frame.tsx';
import { ConsolePage } from '../console-page.tsx';

beforeAll(async () => {
  await startTranslations('en');
  // a section is fetched when it is opened: here they are there already
  await Promise.all([
    import('./overview-section.tsx'),
    import('./integrations-section.tsx'),
    import('./health-section.tsx'),
    ...['admin', 'adminHealth', 'adminIntegrations', 'adminOverview'].map(loadWords),
  ]);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(at: string, routes: FakeRoutes) {
  const api = createFakeApi({ 'GET /api/admin/audit': { body: { entries: [], next: null } }, ...routes });
  vi.stubGlobal('fetch', api.fetch);
  render(<ScreenFrame screen={ConsolePage} at={at} />);
  return { api, user: userEvent.setup() };
}

const at = '2027-03-08T12:00:00Z';
const well = {
  at,
  status: 'healthy',
  services: [
    { name: 'database', provider: null, label: null, status: 'healthy', latencyMs: 1.4, successPct: 100, facts: {} },
  ],
  queues: [],
  deadLetters: 0,
  alerts: [],
  errors: [],
  zoneData: { version: '2026e', days: 1, isOld: false },
  logDays: 30,
};

test('system health without trouble says so in every section', async () => {
  show('/admin/health', { 'GET /api/admin/health': { body: well } });
  expect(await screen.findByText('All systems operational')).toBeDefined();
  const services = screen.getByRole('table', { name: 'Services' });
  expect(within(services).getByText('1.4 ms')).toBeDefined();
  expect(within(services).getByText('100.0%')).toBeDefined();
  for (const empty of ['No alerts', 'No errors', 'No jobs'])
    expect(screen.getByRole('heading', { name: empty })).toBeDefined();
});

test('system health shows the time zone data, and warns when it is old', async () => {
  const old = { ...well, zoneData: { version: '2026c', days: 143, isOld: true } };
  show('/admin/health', { 'GET /api/admin/health': { body: well } });
  expect(await screen.findByText('Time zone data: 2026e, released 1 day ago')).toBeDefined();
  expect(screen.queryByText(/may be an hour off/)).toBeNull();
  cleanup();
  show('/admin/health', { 'GET /api/admin/health': { body: old } });
  expect(await screen.findByText('Time zone data: 2026c, released 143 days ago')).toBeDefined();
  expect(screen.getByText('Warning')).toBeDefined();
  expect(screen.getByText(/may be an hour off/)).toBeDefined();
});

test('system health names failing services, alerts, late queues, and errors with their request ids', async () => {
  const google = {
    name: 'provider',
    provider: 'google/generic',
    label: 'Google Calendar',
    status: 'critical',
    latencyMs: null,
    successPct: 40,
    facts: { calls: 12, silent: 8 },
  };
  const { user } = show('/admin/health', {
    'GET /api/admin/health': {
      body: {
        ...well,
        status: 'critical',
        services: [...well.services, google],
        queues: [{ name: 'sync.pull-calendar', running: 1, due: 1200, later: 2, oldestDueMs: 180_000 }],
        deadLetters: 1,
        alerts: [
          {
            id: 2,
            rule: 'service',
            subject: 'provider:google/generic',
            level: 'error',
            facts: { status: 'critical' },
            raisedAt: at,
            endedAt: null,
          },
          {
            id: 1,
            rule: 'queue-late',
            subject: 'sync.pull-calendar',
            level: 'warning',
            facts: { minutes: 3, due: 1200 },
            raisedAt: at,
            endedAt: at,
          },
        ],
        errors: [
          {
            fingerprint: 'f',
            severity: 'high',
            told: 'a request failed',
            place: '/api/things',
            cause: 'Error: no such table',
            count: 3,
            requestIds: ['request-1'],
            firstAt: at,
            lastAt: at,
          },
        ],
      },
    },
  });
  const alerts = await screen.findByRole('list', { name: 'Alerts' });
  expect(within(alerts).getByText('Google Calendar: Critical')).toBeDefined();
  expect(
    within(alerts).getByText('sync.pull-calendar is delayed: 1200 jobs waiting, the oldest for 3 min'),
  ).toBeDefined();
  expect(within(alerts).getByText('Over')).toBeDefined();
  expect(screen.getByText('1 job failed permanently and is kept as a dead letter.')).toBeDefined();
  expect(screen.getByText(/8 of 12 got no response/)).toBeDefined();
  await user.click(screen.getByText('Request IDs, newest first'));
  expect(screen.getByText('request-1')).toBeDefined();
  expect(screen.getByText('3 times')).toBeDefined();
});

test('system health that cannot be read says so', async () => {
  show('/admin/health', { 'GET /api/admin/health': refusal(503, 'UNAVAILABLE', 'The database does not answer.') });
  expect(await screen.findByText("Couldn't load the system status")).toBeDefined();
});

const google = {
  provider: 'google',
  profile: 'generic',
  label: 'Google Calendar',
  color: '#4285f4',
  status: 'degraded',
  calls: 200,
  synced: 190,
  errorPct: 5,
  uptimePct: 99.86,
  p50Ms: 120,
  p95Ms: 1_340,
  issues: [{ kind: 'silent', count: 10 }],
  lastAt: at,
  accounts: 12,
  lost: 1,
  worst: [
    {
      accountId: '01a1ff0c-92b0-7f07-90fc-286b50671922',
      address: 'ada*****',
      calendars: 2,
      failures: 7,
      code: 'TIMEOUT',
      needsReconnect: false,
      lastSyncedAt: null,
    },
  ],
};

test('an account is resynced with a reason and the integration shows its figures', async () => {
  const { api, user } = show('/admin/integrations', {
    'GET /api/admin/integrations': { body: { at, integrations: [google] } },
    'POST /api/admin/integrations/resync': { status: 204 },
  });
  for (const shown of ['5.0%', '99.86%', '120 ms / 1.3 s', '1 needs to be reconnected', 'No response'])
    expect(await screen.findByText(shown)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Resync ada*****' }));
  const dialog = await screen.findByRole('dialog', { name: 'Resync the account ada*****?' });
  await user.type(within(dialog).getByRole('textbox'), 'they asked for it');
  await user.click(within(dialog).getByRole('button', { name: 'Resync' }));
  expect(await screen.findByText('Resyncing ada*****.')).toBeDefined();
  expect(api.calls.find(({ method }) => method === 'POST')?.body).toEqual({
    provider: 'google',
    profile: 'generic',
    accountId: google.worst[0]?.accountId,
    reason: 'they asked for it',
  });
});

test('an install without connected accounts says that none are connected', async () => {
  show('/admin/integrations', { 'GET /api/admin/integrations': { body: { at, integrations: [] } } });
  expect(await screen.findByRole('heading', { name: 'No connected accounts' })).toBeDefined();
});

const figures = {
  status: 'healthy',
  calls: 200,
  synced: 190,
  errorPct: 5,
  uptimePct: 100,
  p50Ms: 120,
  p95Ms: 1_340,
  issues: [{ kind: 'auth', count: 10 }],
  lastAt: at,
};
const overview = {
  health: { at, status: 'healthy', services: well.services },
  counts: {
    at,
    people: { all: 8, administrators: 1, active: 5, joined: 2 },
    regions: [
      { name: 'Europe', people: 3 },
      { name: 'America', people: 2 },
    ],
    integrations: [{ name: 'google/generic', people: 4 }],
    accounts: [],
    billing: null,
  },
  sync: figures,
  integrations: [{ ...figures, name: 'google/generic', label: 'Google Calendar', color: '#4285f4', accounts: 6 }],
};

test('each overview card opens its details, which close by button and by Escape', async () => {
  const { user } = show('/admin', { 'GET /api/admin/overview': { body: overview } });
  const opens = [
    ['Active users', 'Active Users Details', 'Europe'],
    ['System health', 'System Health Breakdown', 'Database'],
    ['Sync reliability', 'Sync Reliability Analysis', 'Access denied: the account needs to be reconnected'],
    ['Integrations', 'Integration Statistics', 'Google Calendar'],
    ['Revenue', 'Revenue Analytics', /Stripe isn't configured/],
    ['Subscriptions', 'Subscription Management', 'Everything included'],
  ] as const;
  for (const [at, [card, title, inside]] of opens.entries()) {
    await user.click(await screen.findByRole('button', { name: new RegExp(`^${card}`) }));
    const dialog = await screen.findByRole('dialog', { name: title });
    expect(within(dialog).getByText(inside)).toBeDefined();
    if (at % 2 === 0) await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    else await user.keyboard('{Escape}');
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  }
});

test('overview cards show users, reliability to one decimal, and one plan when billing is off', async () => {
  show('/admin', { 'GET /api/admin/overview': { body: overview } });
  expect(await screen.findByText('of 8 total, active in the last 30 days; 2 joined')).toBeDefined();
  expect(screen.getByText('95.0%')).toBeDefined();
  expect(screen.getByText('Billing is off')).toBeDefined();
  const breakdown = screen.getByRole('list', { name: 'Subscription breakdown' });
  expect(within(breakdown).getByText('8 · 100.0%')).toBeDefined();
});

test('the health card counts the working parts, or names the strained ones', async () => {
  show('/admin', { 'GET /api/admin/overview': { body: overview } });
  expect(await screen.findByText('1 of 1 services working')).toBeDefined();
  cleanup();
  const services = [{ ...well.services[0], status: 'degraded' }];
  const health = { ...overview.health, status: 'degraded', services };
  show('/admin', { 'GET /api/admin/overview': { body: { ...overview, health } } });
  expect(await screen.findByText('Needs a look: Database')).toBeDefined();
  expect(screen.queryByText('1 of 1 services working')).toBeNull();
});

test('overview billing shows revenue and the count and share of each plan', async () => {
  const billing = {
    tiers: [
      { name: 'Free', people: 5 },
      { name: 'Pro', people: 3 },
    ],
    states: [{ name: 'active', people: 3 }],
    monthly: [{ currency: 'usd', amount: 3_600 }],
    paid: [],
  };
  show('/admin', { 'GET /api/admin/overview': { body: { ...overview, counts: { ...overview.counts, billing } } } });
  expect(await screen.findByText('$36.00')).toBeDefined();
  const breakdown = screen.getByRole('list', { name: 'Subscription breakdown' });
  expect(within(breakdown).getByText('3 · 37.5%')).toBeDefined();
});

test('an overview without counts says so and counts on demand', async () => {
  const { user } = show('/admin', {
    'GET /api/admin/overview': { body: { ...overview, counts: null } },
    'POST /api/admin/overview/counting': { body: overview },
  });
  expect((await screen.findAllByText('Not counted yet. A worker counts every minute.')).length).toBeGreaterThan(0);
  await user.click(screen.getByRole('button', { name: 'Update now' }));
  expect(await screen.findByText('of 8 total, active in the last 30 days; 2 joined')).toBeDefined();
});
