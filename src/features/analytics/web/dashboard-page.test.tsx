import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Desk } from '#ui/desk.tsx';
import { TypeDesk, type TypeDialogProps } from '#ui/type-desk.ts';
import { createFakeApi, type FakeRoutes, refusal } from '#web/fake-api.ts';
import { loadWords, startTranslations } from '#web/i18n.ts';
import { ScreenFrame } from '#web/screen-frame.tsx';
import { DashboardPage } from './dashboard-page.tsx';
import type { Dashboard, Draft, Explanation, Filters } from './queries.ts';
import { sampleAnswer } from './sample-answer.ts';

beforeAll(async () => {
  await startTranslations('en');
  await loadWords('analytics');
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const team = '3b0f6b1e-0000-4000-8000-000000000001';
const noFilters: Filters = {
  zone: 'UTC',
  history_days: null,
  event_types: [{ event_type_id: team as never, title: 'Intro call', team_id: null }],
  teams: [],
  calendars: [],
};

function NewType({ onClose }: TypeDialogProps) {
  return (
    <button type="button" onClick={onClose}>
      A new event type
    </button>
  );
}

const loadNewType = () => Promise.resolve(NewType);
const Screen = () => (
  <Desk context={TypeDesk} loadDialog={loadNewType}>
    <DashboardPage />
  </Desk>
);

function show(part: Partial<Dashboard> = {}, routes: FakeRoutes = {}, at = '/dashboard') {
  const answer = sampleAnswer(part);
  const api = createFakeApi({
    'GET /analytics/dashboard': { body: answer },
    'GET /analytics/filters': { body: noFilters },
    'GET /api/first-steps': { body: firstSteps },
    'GET /analytics/conflict-prevention': {
      body: { data: { ...answer.data.conflict_prevention, conflicts_prevented: 4 }, range: answer.range },
    },
    ...routes,
  });
  vi.stubGlobal('fetch', api.fetch);
  render(<ScreenFrame screen={Screen} at={at} />);
  return { api, user: userEvent.setup(), answer };
}

const firstSteps = { connected: false, mirrored: false, hours: false, link: false, copied: false, skipped: false };

/** By its name and not by its role: whoever asks a whole dashboard for roles waits. */
const panel = async (name: string) => {
  const heading = await screen.findByText(name, { selector: 'h2' });
  const found = heading.closest<HTMLElement>('[data-panel]');
  if (found === null) throw new Error(`${name} is no panel`);
  return within(found);
};

/** The list of all first steps, which the line of the next one opens. */
const openSteps = async () => userEvent.click(await screen.findByText('Show all steps'));

test('the dashboard loads all cards with one request, besides filters and this month', async () => {
  const { api } = show();
  const total = await panel('Total Meetings');
  expect(total.getByText('Bookings: 98 held, 14 upcoming')).toBeTruthy();
  expect((await panel('Conflicts Prevented')).getByText('98.4% of slots mirrored across calendars')).toBeTruthy();
  await waitFor(async () =>
    expect((await panel('Conflicts Prevented')).getByRole('button', { name: /^this month/ }).textContent).toContain(
      '4',
    ),
  );
  const analytics = api.calls.filter(({ path }) => path.startsWith('/analytics')).map(({ path }) => path);
  expect(analytics.toSorted()).toEqual([
    '/analytics/conflict-prevention',
    '/analytics/dashboard',
    '/analytics/digest',
    '/analytics/filters',
  ]);
});

test('the dashboard period is kept in the URL and requested for all cards', async () => {
  const { api, user } = show({}, {}, '/dashboard?period=7d');
  await panel('Total Meetings');
  const asked = () => api.calls.findLast(({ path }) => path === '/analytics/dashboard')?.query;
  const length = () => {
    const [from, to] = [asked()?.get('from') ?? '', asked()?.get('to') ?? ''];
    return Temporal.PlainDate.from(from).until(to).days;
  };
  expect(length()).toBe(7);
  await user.click(screen.getByLabelText('90 days'));
  await waitFor(() => expect(length()).toBe(90));
  await user.click(screen.getByLabelText('Last year'));
  await waitFor(() => expect(length()).toBe(365));
  await waitFor(() => expect(screen.getAllByText(/vs previous year/).length).toBeGreaterThan(3));
});

test('a range that leaves the present year shows its years', async () => {
  vi.setSystemTime('2027-03-30T12:00:00Z');
  const { user } = show();
  expect(await screen.findByText('Mar 1 – Mar 30, compared with Jan 30 – Feb 28')).toBeTruthy();
  await user.click(screen.getByLabelText('Last year'));
  expect(await screen.findByText(/^Mar 31, 2026 – Mar 30, 2027, compared with/)).toBeTruthy();
});

test('a range before the present year shows its years, although both ends are in one', async () => {
  vi.setSystemTime('2028-01-15T12:00:00Z');
  show();
  expect(await screen.findByText(/compared with Jan 30, 2027 – Feb 28, 2027$/)).toBeTruthy();
});

test('a period that the plan does not show cannot be chosen, and a link to it shows the usual period', async () => {
  const { api } = show(
    {},
    { 'GET /analytics/filters': { body: { ...noFilters, history_days: 90 } } },
    '/dashboard?period=365d',
  );
  const year = await screen.findByLabelText<HTMLInputElement>('Last year');
  await waitFor(() => expect(year.disabled).toBe(true));
  expect(year.closest('label')?.title).toBe('Your plan shows the last 90 days');
  expect(screen.getByText(/Your plan shows the last 90 days/)).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('90 days').disabled).toBe(false);
  const lengths = () =>
    api.calls
      .filter(({ path }) => path === '/analytics/dashboard')
      .map(({ query }) => Temporal.PlainDate.from(query.get('from') ?? '').until(query.get('to') ?? '').days);
  await waitFor(() => expect(lengths().at(-1)).toBe(30));
  await panel('Total Meetings');
});

test('an unknown dashboard figure shows a dash with its reason instead of zero', async () => {
  show({
    no_show_rate: {
      value_pct: null,
      numerator: 0,
      denominator: 0,
      previous_pct: null,
      delta_pct: null,
      host_no_shows: 0,
    },
    avg_booking_time: { value_days: null, previous_days: null, delta_days: null, bookings: 0 },
    conversion_rate: null,
    funnel: null,
  });
  for (const [name, because] of [
    ['No-show Rate', 'No completed meetings'],
    ['Avg. Booking Time', 'No bookings'],
    ['Conversion Rate', "Page views weren't recorded"],
  ] as const) {
    const card = await panel(name);
    expect(card.getByText(because)).toBeTruthy();
    expect(card.getByRole('button', { name: /View details/ }).textContent).toMatch(/^–/);
  }
  expect((await panel('Conversion Funnel')).getByText("Page views weren't recorded")).toBeTruthy();
});

test('a conversion rate without booking requests says so', async () => {
  show({ conversion_rate: { value_pct: null, numerator: 0, denominator: 0, previous_pct: null, delta_pct: null } });
  expect((await panel('Conversion Rate')).getByText('No booking requests')).toBeTruthy();
});

test('each empty dashboard panel says so and suggests the next step', async () => {
  const { data } = sampleAnswer();
  const none = data.popular_time_slots.heatmap.map((row) => row.map(({ hour }) => ({ hour, count: 0 })));
  const flat = Object.fromEntries(
    Object.entries(data.booking_trends.series).map(([name, points]) => [name, points.map(({ x }) => ({ x, y: 0 }))]),
  ) as typeof data.booking_trends.series;
  show(
    {
      booking_trends: {
        ...data.booking_trends,
        series: flat,
        total_events: 0,
        previous_total_events: 0,
        delta_pct: null,
      },
      popular_time_slots: { ...data.popular_time_slots, heatmap: none, top_slots: [], total: 0 },
      meeting_sources: { sources: [], total: 0, previous_total: 0, since: null },
      capacity_utilization: {
        hours_open: 0,
        hours_available: 0,
        hours_booked: 0,
        utilization_pct: null,
        previous_pct: null,
        since: null,
      },
      participant_insights: { top_domains: [], new_participants: 0, repeat_participants: 0, previous_participants: 0 },
      meeting_forecast: { forecast: null, busy_days: 0 },
      calendar_health: { total_connected: 0, sync_health_score: null, connected_calendars: [] },
      conflict_prevention: {
        ...data.conflict_prevention,
        conflicts_prevented: 0,
        rejected: 0,
        masked: 0,
        mirrored_slots_pct: null,
      },
    },
    { 'GET /analytics/filters': { body: { ...noFilters, event_types: [] } } },
  );
  await panel('Booking Trends');
  for (const text of [
    'No data in this range',
    'Try expanding the date window or removing filters.',
    'No popular slots yet',
    'Try the last 90 days or remove filters.',
    'No meeting sources yet',
    'No availability defined',
    'No participants tracked yet',
    'Forecast not available yet',
    'No calendars connected yet',
    'Connect your calendars to see sync health',
    'No conflicts prevented yet',
    'No mirrors configured',
  ])
    expect(screen.getByText(text)).toBeTruthy();
  expect(screen.getByText('Apply to Availability').closest('button')?.disabled).toBe(true);
  // in its panel, and among the first steps
  await openSteps();
  const leadsTo = (text: string) => screen.getAllByText(text).map((one) => one.closest('a')?.getAttribute('href'));
  for (const [text, path] of [
    ['Set Availability', '/availability'],
    ['Connect Calendar', '/integrations#connect'],
  ] as const)
    expect(leadsTo(text)).toEqual([path, path]);
  const create = (await panel('Meeting Sources')).getByText('Create Event Type');
  await userEvent.click(create);
  await userEvent.click(await screen.findByText('A new event type'));
  expect(screen.queryByText('A new event type')).toBeNull();
});

test('the first steps list what is missing, can be skipped, and disappear once complete', async () => {
  const nobody = { total_connected: 0, sync_health_score: null, connected_calendars: [] };
  const steps = async () =>
    within((await screen.findByText('Get set up in five steps')).closest('section') as HTMLElement);
  const all = async () => {
    await openSteps();
    return steps();
  };
  show({ calendar_health: nobody }, { 'GET /analytics/filters': { body: { ...noFilters, event_types: [] } } });
  // the next step, ready to be done
  expect((await steps()).getByText('1 of 5')).toBeTruthy();
  expect((await steps()).getByText('Connect Calendar').closest('a')?.getAttribute('href')).toBe(
    '/integrations#connect',
  );
  expect((await steps()).queryByText('Create Event Type')).toBeNull();
  expect((await all()).getByText('Create Event Type')).toBeTruthy();
  expect((await steps()).getByText('Set up mirroring').closest('a')?.getAttribute('href')).toBe(
    '/integrations/mirrors#review',
  );
  cleanup();
  show(
    {},
    {
      'GET /analytics/filters': { body: { ...noFilters, event_types: [] } },
      'GET /api/first-steps': { body: { ...firstSteps, mirrored: true } },
    },
  );
  expect((await all()).queryByText('Connect Calendar')).toBeNull();
  expect((await steps()).queryByText('Set up mirroring')).toBeNull();
  // the calendar, mirroring, and the link: somebody has booked with it
  expect((await steps()).getAllByText('Done')).toHaveLength(3);
  cleanup();
  const { user, api: skipped } = show(
    {},
    {
      'GET /analytics/filters': { body: { ...noFilters, event_types: [] } },
      'PATCH /api/first-steps': { body: { ...firstSteps, skipped: true } },
    },
  );
  await user.click((await steps()).getByText('Skip for now (find it under Help)'));
  await waitFor(() => expect(screen.queryByText('Get set up in five steps')).toBeNull());
  expect(skipped.calls.find(({ path }) => path === '/api/first-steps')).toBeTruthy();
  cleanup();
  const { api } = show();
  await panel('Total Meetings');
  await waitFor(() => expect(api.calls.some(({ path }) => path === '/analytics/filters')).toBe(true));
  expect(screen.queryByText('Get set up in five steps')).toBeNull();
});

test('copying the booking link completes the last of the first steps', async () => {
  const written = vi.fn(() => Promise.resolve());
  const none = { total_meetings: { value: 0, delta_pct: null, previous: 0, held: 0, upcoming: 0 } };
  const { user, api } = show(none, {
    'GET /api/handle': {
      body: { handle: 'dana-lee', url: 'https://cal.example.org/dana-lee', base: 'x/', suggestion: null, resting: [] },
    },
    'PATCH /api/first-steps': { body: { ...firstSteps, copied: true } },
  });
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(written);
  await openSteps();
  await user.click(await screen.findByText('Copy link'));
  expect(written).toHaveBeenCalledWith('https://cal.example.org/dana-lee');
  await waitFor(() => expect(screen.queryByText('Get set up in five steps')).toBeNull());
  expect(api.calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ copied: true });
});

test('a user without a handle accepts the suggested one and can then copy the link', async () => {
  const none = { total_meetings: { value: 0, delta_pct: null, previous: 0, held: 0, upcoming: 0 } };
  const base = 'https://cal.example.org/';
  const taken = { handle: 'dana', url: `${base}dana`, base, suggestion: null, resting: [] };
  const { user, api } = show(none, {
    'GET /api/handle': { body: { ...taken, handle: null, url: null, suggestion: 'dana' } },
    'PUT /api/handle': { body: taken },
  });
  await openSteps();
  await user.click(await screen.findByText('Use cal.example.org/dana'));
  const copy = (await screen.findByText('Copy link')).closest('button');
  await waitFor(() => expect(document.activeElement).toBe(copy));
  expect(api.calls.find(({ method }) => method === 'PUT')?.body).toEqual({ handle: 'dana' });
});

test('a refused handle suggestion shows why and links to choosing another', async () => {
  const none = { total_meetings: { value: 0, delta_pct: null, previous: 0, held: 0, upcoming: 0 } };
  const open = { handle: null, url: null, base: 'https://cal.example.org/', suggestion: 'dana', resting: [] };
  const { user } = show(none, {
    'GET /api/handle': { body: open },
    'PUT /api/handle': refusal(409, 'HANDLE_TAKEN', 'Somebody else has taken this name.'),
  });
  await openSteps();
  await user.click(await screen.findByText('Use cal.example.org/dana'));
  expect(await screen.findByText('Somebody else has taken this name.')).toBeTruthy();
  const link = (await screen.findByText('Choose your address')).closest('a');
  expect(link?.getAttribute('href')).toBe('/booking-links');
});

test('a period without bookings shows a zero with its reason and no trend line', async () => {
  show({ total_meetings: { value: 0, delta_pct: null, previous: 0, held: 0, upcoming: 0 } });
  const total = await panel('Total Meetings');
  // no contradiction to the panel that counts calendars
  const { total: inCalendars } = sampleAnswer().data.meeting_sources;
  expect(inCalendars).toBeGreaterThan(0);
  expect(total.getByText(`No bookings yet · ${inCalendars} in calendars`)).toBeTruthy();
  expect((await panel('Meeting Sources')).getByText('In all calendars, with at least one other person')).toBeTruthy();
  expect(total.queryByRole('img')).toBeNull();
});

test('an increase is marked bad for no-shows and booking time and good for other figures', async () => {
  show({ avg_booking_time: { value_days: 4.6, previous_days: 3.8, delta_days: 0.8, bookings: 12 } });
  const toneOf = async (name: string, text: string) =>
    (await panel(name)).getByText(text).closest('[data-tone]')?.getAttribute('data-tone');
  expect(await toneOf('Total Meetings', '+12.4%')).toBe('ok');
  expect(await toneOf('No-show Rate', '+0.4 pts')).toBe('bad');
  expect(await toneOf('Avg. Booking Time', '+0.8 days')).toBe('bad');
  expect(await toneOf('Conversion Rate', '+2.1 pts')).toBe('ok');
});

test('a trend chart is readable by keyboard and as a table that adds up', async () => {
  const { user, answer } = show();
  const trends = await panel('Booking Trends');
  const chart = trends.getByRole('slider', { name: 'Booking Trends' });
  chart.focus();
  await user.keyboard('{ArrowRight}{ArrowRight}');
  expect(chart.getAttribute('aria-valuetext')).toContain('Bookings Created 3');
  await user.keyboard('{End}');
  // the last days are still to come
  expect(chart.getAttribute('aria-valuetext')).toContain('Meetings Held –');
  await user.click(trends.getByRole('button', { name: 'Cancellations' }));
  expect(chart.getAttribute('aria-valuetext')).toContain('Cancellations');
  await user.click(trends.getByRole('button', { name: 'Booking Trends as a table' }));
  const cells = trends
    .getAllByRole('row')
    .slice(1)
    .map((row) => Number(within(row).getAllByRole('cell')[0]?.textContent));
  expect(cells.reduce((sum, one) => sum + one, 0)).toBe(answer.data.booking_trends.total_events);
});

test('the dashboard shows the busy days ahead and the state of each calendar', async () => {
  show();
  expect((await panel('Meeting Load Forecast')).getByText('3 busy days ahead — block focus time now')).toBeTruthy();
  const health = await panel('Calendar Health');
  expect(health.getByRole('img', { name: 'Sync health 94 of 100' })).toBeTruthy();
  expect(health.getByText('In sync')).toBeTruthy();
  expect(health.getByText('Needs reconnect')).toBeTruthy();
  expect(health.getByText('40s ago')).toBeTruthy();
  expect(health.getByText('2m ago')).toBeTruthy();
});

const row = (part: Partial<Explanation['rows'][number]>): Explanation['rows'][number] => ({
  kind: 'booking',
  id: crypto.randomUUID(),
  booking_id: null,
  event_id: null,
  title: 'Intro call',
  with: 'Priya Raman',
  at: '2027-03-08T09:00:00Z',
  part: 'held',
  numerator: 0,
  denominator: 1,
  ...part,
});

test('a dashboard figure opens its definition and the rows that add up to it', async () => {
  const { data, range } = sampleAnswer();
  const explain: Explanation = {
    definition: 'Bookings whose guest was marked as not there.',
    numerator: 1,
    denominator: 3,
    rows: [
      row({}),
      row({ part: 'no-show', numerator: 1, booking_id: team }),
      row({ kind: 'meeting', part: 'cancelled', event_id: 'an-event' }),
    ],
    rest: { rows: 0, numerator: 0, denominator: 0 },
  };
  const { user, api } = show(
    {},
    { 'GET /analytics/kpi/no-show-rate': { body: { data: data.no_show_rate, range, explain } } },
  );
  await user.click((await panel('No-show Rate')).getByRole('button', { name: /View details/ }));
  const rows = within(await screen.findByRole('dialog', { name: 'No-show Rate' }));
  expect(await rows.findByText('Bookings whose guest was marked as not there.')).toBeTruthy();
  expect(rows.getByText('Total of 3 rows').parentElement?.textContent).toContain('1 of 3');
  expect(api.calls.find(({ path }) => path.endsWith('no-show-rate'))?.query.get('explain')).toBe('1');
  // each leads on to what it is of, where that opens
  expect(rows.getAllByText('Intro call').map((one) => one.closest('a')?.getAttribute('href') ?? null)).toEqual([
    null,
    `/meetings?booking=${team}`,
    '/calendar?event=an-event',
  ]);
  await user.selectOptions(rows.getByRole('combobox', { name: 'Filter' }), 'No-show');
  await waitFor(() => expect(rows.getByText('Total of 1 row').parentElement?.textContent).toContain('1 of 1'));
});

test('popular hours open a draft beside the current hours and are saved as the next version', async () => {
  const day = (enabled: boolean, end = '17:00') => ({ enabled, intervals: [{ start: '09:00', end }] });
  const hours = (end: string): Draft['before'] => ({
    timezone: 'Europe/Berlin',
    weekly: {
      monday: day(true, end),
      tuesday: day(true),
      wednesday: day(true),
      thursday: day(true),
      friday: day(true),
      saturday: day(false),
      sunday: day(false),
    },
    overrides: [],
  });
  const draft: Draft = {
    policy_id: '3b0f6b1e-0000-4000-8000-000000000009',
    name: 'My hours',
    version: 2,
    before: hours('17:00'),
    after: hours('18:00'),
    added: [{ weekday: 'monday', hour: 17, count: 9 }],
  };
  const { user, api } = show(
    {},
    {
      'GET /analytics/popular-time-slots/draft': { body: draft },
      [`PUT /api/availability/policies/${draft.policy_id}`]: refusal(409, 'STALE', 'Somebody saved other hours.'),
    },
  );
  await user.click((await panel('Popular Time Slots')).getByRole('button', { name: 'Apply to Availability' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Apply popular hours to your availability' }));
  const monday = (await dialog.findByRole('rowheader', { name: 'Mon' })).closest('tr');
  expect(monday?.textContent).toContain('5:00 PM');
  expect(monday?.textContent).toContain('6:00 PM');
  expect(monday?.textContent).toContain('+ 5 PM, 9 bookings');
  await user.click(dialog.getByRole('button', { name: 'Save as version 3' }));
  expect(await dialog.findByText('Somebody saved other hours.')).toBeTruthy();
  expect(api.calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({ version: 2, hours: draft.after });
});

test('a team dashboard can be filtered by member and shows no calendar health', async () => {
  const filters: Filters = {
    ...noFilters,
    teams: [{ team_id: team, name: 'Sales', history_days: null, members: [{ user_id: team, name: 'Ben' }] }],
  };
  const { user, api } = show({ calendar_health: null }, { 'GET /analytics/filters': { body: filters } });
  await user.click(await screen.findByText('Filter'));
  await user.selectOptions(await screen.findByLabelText('Show figures for'), 'Team Sales');
  await waitFor(() =>
    expect(api.calls.findLast(({ path }) => path === '/analytics/dashboard')?.query.get('team_id')).toBe(team),
  );
  await user.selectOptions(await screen.findByLabelText('Member'), 'Ben');
  await waitFor(() =>
    expect(api.calls.findLast(({ path }) => path === '/analytics/dashboard')?.query.get('member_id')).toBe(team),
  );
  expect(screen.queryByText('Calendar Health')).toBeNull();
});

test('a dashboard that fails to load says so and reloads on retry', async () => {
  let fails = true;
  const { user } = show(
    {},
    {
      'GET /analytics/dashboard': () =>
        fails ? refusal(503, 'UNAVAILABLE', 'The database is away.') : { body: sampleAnswer() },
    },
  );
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText('The database is away.')).toBeTruthy();
  expect(alert.queryByRole('link')).toBeNull();
  fails = false;
  await user.click(alert.getByRole('button', { name: 'Retry' }));
  await panel('Total Meetings');
});

test('a dashboard limited by the plan links to the plans', async () => {
  const limit = refusal(403, 'PLAN_LIMIT', 'With this plan (Free) figures go back 30 days.', { address: '/billing' });
  show({}, { 'GET /analytics/dashboard': limit });
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText(/^With this plan \(Free\) figures go back 30 days\./)).toBeTruthy();
  expect(alert.getByRole('link', { name: 'See plans' }).getAttribute('href')).toBe('/billing');
});

test('the weekly digest button appears only where the digest is available or subscribed', async () => {
  const isOffered = async (digest: { weekly: boolean; available: boolean }) => {
    show({}, { 'GET /analytics/digest': { body: digest } });
    await panel('Total Meetings');
    const button = () => screen.queryByRole('button', { name: 'Weekly digest', hidden: true });
    // it stands until the answer says otherwise
    if (digest.available || digest.weekly) expect(button()).toBeTruthy();
    else await waitFor(() => expect(button()).toBeNull());
    cleanup();
  };
  await isOffered({ weekly: false, available: true });
  await isOffered({ weekly: true, available: false });
  await isOffered({ weekly: false, available: false });
});
