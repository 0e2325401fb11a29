import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Preferences, PreferencesProvider } from '#ui/preferences.tsx';
import { UiProvider } from '#ui/ui-provider.tsx';
import { WordsProvider } from '#ui/words.tsx';
import agenda from '../../../web/locales/en/agenda.json' with { type: 'json' };
import calendar from '../../../web/locales/en/calendar.json' with { type: 'json' };
import editor from '../../../web/locales/en/editor.json' with { type: 'json' };
import notices from '../../../web/locales/en/notices.json' with { type: 'json' };
import shell from '../../../web/locales/en/shell.json' with { type: 'json' };
import ui from '../../../web/locales/en/ui.json' with { type: 'json' };
import zones from '../../../web/locales/en/zones.json' with { type: 'json' };
import { CalendarPage } from './calendar-page.tsx';
import { readCalendarSearch } from './calendar-search.ts';
import type { CalendarRow, EventRow } from './grid-event.ts';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const work: CalendarRow = {
  id: id(1),
  name: 'Work',
  provider: 'google',
  visible: true,
  color: '#4285f4',
  badge: 'WO',
  email: 'jane@work.example',
  status: 'ok',
  message: null,
  reconnectUrl: null,
  lastSyncedAt: '2026-11-20T10:40:00Z',
  writable: true,
  unread: 1,
  warnings: 3,
};
const home: CalendarRow = {
  ...work,
  id: id(2),
  name: 'Home',
  provider: 'nextcloud',
  email: 'jane@home.example',
  status: 'error',
  message: 'The password was refused.',
};

let nextEvent = 100;
function row(calendar: CalendarRow, title: string, start: string, end: string, more: Partial<EventRow> = {}): EventRow {
  nextEvent += 1;
  return {
    event_id: id(nextEvent),
    item_id: id(nextEvent),
    calendar_id: calendar.id,
    title,
    start_time: start,
    end_time: end,
    all_day: false,
    start_date: null,
    end_date: null,
    zone: 'Europe/Berlin',
    class: 'busy',
    tentative: false,
    declined: false,
    private: false,
    recurring: false,
    attendees: [],
    audience: 'personal',
    description: '',
    location: '',
    meeting_link: null,
    provider: calendar.provider,
    calendar_badge: calendar.badge,
    is_holdfast_block: false,
    version: '1',
    editable: true,
    not_editable_reason: null,
    open_url: null,
    ...more,
  };
}

const events = [
  row(work, 'Workshop', '2026-11-20T09:00:00Z', '2026-11-20T11:00:00Z', {
    attendees: ['ana@x.example'],
    audience: 'client',
  }),
  row(home, 'Dentist', '2026-11-20T10:30:00Z', '2026-11-20T11:30:00Z'),
  row(home, 'Busy', '2026-11-20T09:00:00Z', '2026-11-20T11:00:00Z', { is_holdfast_block: true, class: 'ignore' }),
  row(work, 'Planning', '2026-11-25T09:00:00Z', '2026-11-25T10:00:00Z'),
];

type Answer = { status?: number; body: unknown };
type Server = Record<string, (url: URL, body: unknown) => Answer | Promise<Answer>>;

const usual: Server = {
  'GET /api/calendars': () => ({ body: { calendars: [work, home] } }),
  'GET /api/calendars/events': (url) => {
    const [from, to] = ['from', 'to'].map((name) => Temporal.Instant.from(url.searchParams.get(name) ?? ''));
    const inRange = events.filter(
      (event) =>
        Temporal.Instant.compare(event.start_time, to ?? event.start_time) < 0 &&
        Temporal.Instant.compare(event.end_time, from ?? event.end_time) > 0,
    );
    return { body: { events: inRange, truncated: false } };
  },
};

function open(path = '/calendar', server: Server = {}, more: Partial<Preferences> = {}) {
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    const url = new URL(input, 'http://holdfast.test');
    const call = `${init.method ?? 'GET'} ${url.pathname}`;
    calls.push(call);
    const handler = { ...usual, ...server }[call];
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const answer = (await handler?.(url, body)) ?? { status: 404, body: {} };
    return Response.json(answer.body, { status: answer.status ?? 200 });
  });
  const root = createRootRoute({ component: Outlet });
  const calendar = createRoute({
    getParentRoute: () => root,
    path: '/calendar',
    validateSearch: readCalendarSearch,
    component: CalendarPage,
  });
  const integrations = createRoute({ getParentRoute: () => root, path: '/integrations', component: () => null });
  const router = createRouter({
    routeTree: root.addChildren([calendar, integrations]),
    history: createMemoryHistory({ initialEntries: [path] }),
  });
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } });
  const onPreferences = vi.fn();
  const words = {
    close: '',
    retry: '',
    copy: '',
    copied: '',
    copyRefused: '',
    requestId: '',
    plans: '',
    unexpected: '',
    unreachable: '',
    failed: '',
    cancel: '',
  };
  const others = { notifications: '', loading: '', justNow: '' };
  const ago = {
    minutesAgo: (n: number) => `${n}m ago`,
    hoursAgo: () => '',
    daysAgo: () => '',
    earlierMonth: 'Earlier month',
    laterMonth: 'Later month',
    openPicker: 'Open picker',
    unreadable: (example: string) => example,
    earliest: (when: string) => when,
    latest: (when: string) => when,
  };
  const preferences = {
    zone: 'Europe/Berlin',
    locale: 'en-US',
    timeFormat: '12h',
    dateFormat: '',
    weekStart: 7,
    weekends: true,
    weekNumbers: false,
    moreZones: [],
    theme: 'system',
    density: 'comfortable',
    ...more,
  } as const;
  render(
    <UiProvider>
      <WordsProvider value={{ ...words, ...others, ...ago }}>
        <QueryClientProvider client={queryClient}>
          <PreferencesProvider value={preferences} change={onPreferences}>
            <RouterProvider router={router} />
          </PreferencesProvider>
        </QueryClientProvider>
      </WordsProvider>
    </UiProvider>,
  );
  return { calls, router, onPreferences };
}

beforeAll(async () => {
  // lazy imports of the page, loaded in advance so that they take no time in a test
  await Promise.all([
    import('./month-view.tsx'),
    import('./agenda-view.tsx'),
    import('./grid-card.tsx'),
    import('./zones-dialog.tsx'),
    import('./panel/date-picker.tsx'),
    import('./editor/editing-desk.tsx'),
  ]);
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: { agenda, calendar, editor, notices, shell, ui, zones } } },
    interpolation: { escapeValue: false },
  });
});
beforeEach(() => {
  vi.useFakeTimers({ now: Temporal.Instant.from('2026-11-20T10:42:00Z').epochMilliseconds, shouldAdvanceTime: true });
  // 1360 px wide: the panel stands beside the grid.
  (window as unknown as { happyDOM: { setViewport(size: object): void } }).happyDOM.setViewport({
    width: 1360,
    height: 860,
  });
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const eventNamed = (name: RegExp) => screen.findByRole('button', { name });

describe('CalendarPage', () => {
  it('the calendar page shows the week of all calendars, their sync status, and the conflicts of today', async () => {
    open();
    expect(await eventNamed(/^Dentist.*Overlaps Workshop/)).toBeDefined();
    expect(screen.getByRole('heading', { level: 1, name: 'November 2026' })).toBeDefined();
    const panel = within(screen.getByRole('complementary', { name: 'Calendars' }));
    expect(await panel.findByText('2 connected calendars')).toBeDefined();
    expect(panel.getByText('1/2 synced')).toBeDefined();
    expect(panel.getByText('1 conflict today')).toBeDefined();
    expect(panel.getByRole('group', { name: 'Google' })).toBeDefined();
    expect(panel.getByText(/The password was refused/)).toBeDefined();
    expect(panel.getByRole('link', { name: 'Fix it in Integrations' })).toBeDefined();
    const warned = panel.getAllByRole('link', { name: /^1 event can't be read completely/ });
    expect(warned.map((link) => link.getAttribute('href'))).toEqual(
      [work, home].map(({ id: of }) => `/integrations#warnings-${of}`),
    );
    expect(panel.getByText(/^Last sync:/).textContent).toBe('Last sync: 2m ago');
  });

  it('a calendar that lost its access shows a reconnect link on the calendar page', async () => {
    const cut = {
      ...work,
      status: 'error',
      message: 'Google asks again.',
      reconnectUrl: '/provider/google/start?accountId=a',
    };
    open('/calendar', { 'GET /api/calendars': () => ({ body: { calendars: [cut] } }) });
    const link = await screen.findByRole('link', { name: 'Reconnect jane@work.example' });
    expect(link.getAttribute('href')).toContain('/provider/google/start?accountId=a&returnUrl=');
  });

  it('a calendar is hidden at once, and shown again when the server refuses', async () => {
    let answer: (value: Answer) => void = () => {};
    const { calls } = open('/calendar', {
      [`PATCH /api/calendars/${id(1)}`]: () =>
        new Promise<Answer>((resolve) => {
          answer = resolve;
        }),
    });
    await eventNamed(/^Workshop/);
    fireEvent.click(await screen.findByRole('checkbox', { name: /^Work/ }));
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Workshop/ })).toBeNull());
    expect(screen.getByText('No conflicts today')).toBeDefined();
    await waitFor(() => expect(calls).toContain(`PATCH /api/calendars/${id(1)}`));
    answer({ status: 503, body: { detail: { code: 'UNAVAILABLE', message: 'Later' } } });
    expect(await eventNamed(/^Workshop/)).toBeDefined();
    expect(await screen.findByText(/so it was undone/)).toBeDefined();
  });

  it('a search in the URL leaves the events of an attendee, and is cleared in the header', async () => {
    const { router } = open('/calendar?q=ANA@');
    await eventNamed(/^Workshop/);
    expect(screen.queryByRole('button', { name: /^Dentist/ })).toBeNull();
    expect(screen.getByText('1 event found').getAttribute('role')).toBe('status');
    fireEvent.click(screen.getByRole('button', { name: 'Clear search “ANA@”' }));
    expect(await eventNamed(/^Dentist/)).toBeDefined();
    expect(router.state.location.search).toEqual({});
  });

  it('March 17 is three presses away: the title, the month, the day', async () => {
    const { router } = open();
    await eventNamed(/^Workshop/);
    fireEvent.click(within(screen.getByRole('heading', { level: 1 })).getByRole('button'));
    const picker = await screen.findByRole('dialog', { name: 'Go to a date', hidden: true });
    fireEvent.click(within(picker).getByRole('button', { name: 'Mar', hidden: true }));
    await waitFor(() => expect(router.state.location.search).toEqual({ day: '2026-03-01' }));
    fireEvent.click(within(picker).getByRole('button', { name: 'March 17, 2026', hidden: true }));
    await waitFor(() => expect(router.state.location.search).toEqual({ day: '2026-03-17' }));
  });

  it('the small month travels by keys and goes to the day that is chosen', async () => {
    const { router } = open();
    const month = await screen.findByRole('group', { name: 'November 2026' });
    const today = within(month).getByRole('button', { name: 'November 20, 2026' });
    expect([today.getAttribute('aria-current'), today.tabIndex]).toEqual(['date', 0]);
    today.focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'PageDown']) {
      fireEvent.keyDown(document.activeElement ?? document.body, { key });
    }
    const next = await screen.findByRole('button', { name: 'January 5, 2027' });
    expect(document.activeElement).toBe(next);
    fireEvent.click(next);
    await waitFor(() => expect(router.state.location.search).toEqual({ day: '2027-01-05' }));
  });

  it('] hides the panel, which stays hidden in this browser', async () => {
    open();
    await screen.findByRole('checkbox', { name: /^Work/ });
    fireEvent.keyDown(document.body, { key: ']' });
    expect(screen.queryByRole('checkbox', { name: /^Work/ })).toBeNull();
    cleanup();
    open();
    await eventNamed(/^Workshop/);
    expect(screen.queryByRole('checkbox', { name: /^Work/ })).toBeNull();
    const button = screen.getByRole('button', { name: 'Calendars' });
    expect(button.getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(button);
    expect(await screen.findByRole('checkbox', { name: /^Work/ })).toBeDefined();
  });

  it('an event has a menu that copies it, an empty hour one that pastes it, and a block has none', async () => {
    const asked: string[] = [];
    open('/calendar?mirrors=full', {
      [`GET /api/events/${events[0]?.event_id}`]: ({ pathname }) => {
        asked.push(pathname);
        return { status: 404, body: {} };
      },
    });
    const workshop = await eventNamed(/^Workshop/);
    const menuOf = async (element: HTMLElement) => {
      await waitFor(() => {
        fireEvent.contextMenu(element, { clientX: 40, clientY: 40 });
        expect(screen.queryByRole('menu', { hidden: true })).not.toBeNull();
      });
      return within(screen.getByRole('menu', { hidden: true })).getAllByRole('menuitem', { hidden: true });
    };
    const acts = await menuOf(workshop);
    expect(acts.map((act) => act.firstElementChild?.textContent)).toEqual(['Edit', 'Duplicate', 'Copy', 'Delete']);
    fireEvent.keyDown(acts[0] ?? workshop, { key: 'ArrowUp' });
    expect(document.activeElement).toBe(acts[3]);
    fireEvent.click(acts[2] ?? workshop);
    expect(screen.queryByRole('menu', { hidden: true })).toBeNull();
    const block = screen.getByRole('button', { name: /mirror block/ });
    expect(fireEvent.contextMenu(block)).toBe(true);
    const slot = document.querySelector<HTMLElement>('[data-slot][data-minute="480"]');
    const onEmpty = await menuOf(slot ?? workshop);
    expect(onEmpty.map((act) => act.firstElementChild?.textContent)).toEqual(['Create Event', 'Paste']);
    fireEvent.click(onEmpty[1] ?? workshop);
    await waitFor(() => expect(asked).toHaveLength(1));
  });

  it('the client filter shows only client meetings, and an empty week offers all events', async () => {
    const { router } = open();
    await eventNamed(/^Workshop/);
    fireEvent.change(screen.getByRole('combobox', { name: 'Filter' }), { target: { value: 'clients' } });
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Dentist/ })).toBeNull());
    expect(screen.getByRole('button', { name: /^Workshop/ })).toBeDefined();
    expect(screen.queryByRole('button', { name: /mirror block from/ })).toBeNull();
    expect(router.state.location.search).toEqual({ filter: 'clients' });
    fireEvent.click(screen.getByRole('button', { name: 'Next week' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Show all events' }));
    expect(await eventNamed(/^Planning/)).toBeDefined();
    expect(router.state.location.search).toEqual({ day: '2026-11-27' });
  });

  it('the calendar page goes to the next week, back to today, and to a single day', async () => {
    const { router } = open();
    await eventNamed(/^Workshop/);
    fireEvent.click(screen.getByRole('button', { name: 'Next week' }));
    expect(await eventNamed(/^Planning/)).toBeDefined();
    expect(router.state.location.search).toEqual({ day: '2026-11-27' });
    expect(screen.getByText('1 conflict today')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Today' }));
    await eventNamed(/^Workshop/);
    expect(router.state.location.search).toEqual({});
    fireEvent.click(screen.getByRole('button', { name: /^Wed 18/ }));
    expect(await screen.findByRole('heading', { level: 1, name: 'November 18, 2026' })).toBeDefined();
    expect(router.state.location.search).toEqual({ view: 'day', day: '2026-11-18' });
  });

  it('the calendar page takes its zone from the URL', async () => {
    open('/calendar?zone=Asia%2FTokyo');
    const workshop = await eventNamed(/^Workshop/);
    expect(workshop.getAttribute('aria-label')).toContain('6:00');
    expect(screen.getByText('Times are in Asia/Tokyo.')).toBeDefined();
  });

  it('the calendar page says that calendars are loading', async () => {
    open('/calendar', { 'GET /api/calendars': () => new Promise<Answer>(() => {}) });
    expect((await screen.findAllByText('Loading your calendars...')).length).toBeGreaterThan(0);
  });

  it('the calendar page offers a refresh when calendars cannot be loaded', async () => {
    open('/calendar', { 'GET /api/calendars': () => ({ status: 500, body: {} }) });
    expect(await screen.findByText('Failed to load calendars. Please try refreshing the page.')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Refresh Page' })).toBeDefined();
  });

  it('the calendar page links to Integrations when no calendar is connected', async () => {
    open('/calendar', { 'GET /api/calendars': () => ({ body: { calendars: [] } }) });
    expect(await screen.findByText('No calendars connected')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Connect Calendar' }).getAttribute('href')).toBe('/integrations#connect');
  });

  it('the calendar page keeps its calendars and reports an error when events cannot be loaded', async () => {
    open('/calendar', { 'GET /api/calendars/events': () => ({ status: 500, body: {} }) });
    expect(await screen.findByText("Couldn't load events")).toBeDefined();
    expect(screen.getByRole('checkbox', { name: /^Work/ })).toBeDefined();
  });

  it('the calendar page prefetches the previous and the next week', async () => {
    const { calls } = open();
    await eventNamed(/^Workshop/);
    const ranges = () => calls.filter((call) => call === 'GET /api/calendars/events').length;
    await waitFor(() => expect(ranges()).toBe(3));
  });

  it('an all-day event that blocks nothing looks free in the week', async () => {
    const wholeDay = (title: string, day: number, more: Partial<EventRow>) =>
      row(work, title, `2026-11-${day - 1}T23:00:00Z`, `2026-11-${day}T23:00:00Z`, {
        all_day: true,
        start_date: `2026-11-${day}`,
        end_date: `2026-11-${day + 1}`,
        ...more,
      });
    const list = [
      wholeDay('Birthday of Ana', 16, { class: 'ignore' }),
      wholeDay('Declined', 17, { class: 'ignore', declined: true }),
      wholeDay('Trip', 18, {}),
    ];
    open('/calendar', { 'GET /api/calendars/events': () => ({ body: { events: list, truncated: false } }) });
    expect(await eventNamed(/^Birthday of Ana.*shown as free/)).toBeDefined();
    const looks = list.map(({ title }) => {
      const bar = screen.getByRole('button', { name: new RegExp(`^${title}, `) });
      return [title, bar.hasAttribute('data-free'), bar.hasAttribute('data-declined')];
    });
    expect(looks).toEqual([
      ['Birthday of Ana', true, false],
      ['Declined', false, true],
      ['Trip', false, false],
    ]);
  });

  it('the month view shows weeks from Sunday to Saturday, and puts further events behind "+N more"', async () => {
    const many = [1, 2, 3, 4, 5].map((n) =>
      row(work, `Call ${n}`, `2026-11-18T0${n}:00:00Z`, `2026-11-18T0${n}:30:00Z`),
    );
    const trip = row(work, 'Trip', '2026-11-27T00:00:00Z', '2026-11-30T00:00:00Z', {
      all_day: true,
      start_date: '2026-11-27',
      end_date: '2026-11-30',
    });
    const { router, calls } = open('/calendar?view=month', {
      'GET /api/calendars/events': () => ({ body: { events: [...events, ...many, trip], truncated: false } }),
    });
    expect(await eventNamed(/^.*Dentist/)).toBeDefined();
    expect(screen.getByRole('heading', { level: 1, name: 'November 2026' })).toBeDefined();
    const days = screen.getAllByRole('group').filter((group) => group.querySelector('[data-day]') !== null);
    expect(days).toHaveLength(35);
    expect(days[0]?.getAttribute('aria-label')).toBe('Sunday, November 1, no events');
    expect(days.at(-1)?.getAttribute('aria-label')).toBe('Saturday, December 5, no events');
    // Whole days over a Saturday night: a bar in each of the two weeks.
    expect(screen.getAllByRole('button', { name: /^Trip/ })).toHaveLength(2);
    fireEvent.click(screen.getByRole('button', { name: '+2 more' }));
    const list = await screen.findByRole('dialog', { name: '2 more events' });
    expect(within(list).getAllByRole('button', { name: /^Call/ })).toHaveLength(2);
    fireEvent.click(within(list).getByRole('button', { name: 'Close' }));
    fireEvent.click(screen.getByRole('button', { name: 'Next month' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'December 2026' })).toBeDefined();
    expect(router.state.location.search).toEqual({ view: 'month', day: '2026-12-20' });
    fireEvent.click(screen.getByRole('button', { name: /^18 Open Friday, December 18/ }));
    expect(await screen.findByRole('heading', { level: 1, name: 'December 18, 2026' })).toBeDefined();
    expect(calls.filter((call) => call === 'GET /api/calendars').length).toBe(1);
  });

  it('arrow keys in the month view move by days, through the events of a day, and to the next week', async () => {
    open('/calendar?view=month&day=2026-11-19');
    await eventNamed(/Dentist/);
    const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
    const focused = () => document.activeElement?.textContent;
    const start = screen.getByRole('button', { name: /^19 Open/ });
    await waitFor(() => expect(start.tabIndex).toBe(0));
    start.focus();
    press('ArrowRight');
    expect(focused()).toMatch(/^20/);
    press('ArrowDown');
    expect(focused()).toMatch(/Workshop/);
    press('ArrowDown');
    expect(focused()).toMatch(/Dentist/);
    press('ArrowDown');
    expect(focused()).toMatch(/^27/);
    press('Home');
    expect(focused()).toMatch(/^22/);
    press('ArrowUp');
    expect(focused()).toMatch(/^15/);
  });

  it('the agenda view lists days with events, groups empty days, and shows earlier and later days', async () => {
    const { router } = open('/calendar?view=agenda');
    expect(await eventNamed(/^10:00.*Workshop/)).toBeDefined();
    expect(screen.getByText(/^Now 11:42/)).toBeDefined();
    expect(screen.getByText('No events from Saturday, November 21 to Tuesday, November 24')).toBeDefined();
    expect(screen.getByText('No events from Thursday, November 26 to Thursday, December 17')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Show later days' }));
    expect(await screen.findByText('No events from Thursday, November 26 to Thursday, January 14')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Show earlier days' }));
    expect(await screen.findByText('No events from Friday, October 23 to Thursday, November 19')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: /^Wednesday, November 25/ }));
    expect(await screen.findByRole('heading', { level: 1, name: 'November 25, 2026' })).toBeDefined();
    expect(router.state.location.search).toEqual({ view: 'day', day: '2026-11-25' });
  });

  it('the week view leaves out the weekend when the preference says so', async () => {
    open('/calendar', {}, { weekends: false });
    await eventNamed(/^Workshop/);
    expect(screen.queryByRole('button', { name: /^Sun 15/ })).toBeNull();
    expect(screen.getByRole('button', { name: /^Mon 16/ })).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Next week' }));
    expect(await eventNamed(/^Planning/)).toBeDefined();
  });

  it('hidden weekends and extra zones are saved as preferences', async () => {
    const { onPreferences } = open('/calendar?zone2=America%2FNew_York');
    await eventNamed(/^Workshop/);
    // Nine in Berlin is three at night in New York.
    expect(screen.getByText('New York')).toBeDefined();
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Show weekends' }));
    expect(onPreferences.mock.calls).toEqual([[{ weekends: false }]]);
    fireEvent.click(screen.getByRole('button', { name: /^Time zone Europe\/Berlin \(GMT\+1\)/ }));
    const dialog = await screen.findByRole('dialog', { name: 'Time zones' });
    expect(within(dialog).getByRole('button', { name: 'Remove America/New York' })).toBeDefined();
    fireEvent.click(within(dialog).getByRole('button', { name: 'Remove America/New York' }));
    expect(onPreferences.mock.calls.at(-1)).toEqual([{ moreZones: [] }]);
  });

  it('the calendar page reports a device in another zone, and can show the time of that zone', async () => {
    localStorage.removeItem('holdfast-travel');
    const { router } = open('/calendar', {}, { zone: 'Asia/Tokyo' });
    const show = await screen.findByRole('button', { name: /^Show .* time$/ });
    expect(screen.getByText('Your calendar shows Asia/Tokyo time.')).toBeDefined();
    fireEvent.click(show);
    await waitFor(() => expect(router.state.location.search).toHaveProperty('zone'));
    expect(screen.queryByText(/^Your calendar shows the time/)).toBeNull();
  });

  it('the event in the URL opens its card, and closing the card clears the URL', async () => {
    const { router } = open(`/calendar?event=${events[1]?.event_id}`);
    const card = await screen.findByRole('dialog', { name: 'Dentist' });
    fireEvent.click(within(card).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(router.state.location.search).toEqual({}));
  });

  it('an event URL goes to the day of its event, and a deleted event is reported', async () => {
    const planning = events[3] as EventRow;
    const { router } = open(`/calendar?event=${planning.event_id}`, {
      [`GET /api/events/${planning.event_id}`]: () => ({ body: { event: detailsOf(planning) } }),
    });
    expect(await screen.findByRole('dialog', { name: 'Planning' }, { timeout: 3_000 })).toBeDefined();
    expect(router.state.location.search).toMatchObject({ day: '2026-11-25' });
    cleanup();
    const gone = open(`/calendar?event=${id(999)}`, {
      [`GET /api/events/${id(999)}`]: () => ({ status: 404, body: { detail: { code: 'NOT_FOUND', message: 'Gone' } } }),
    });
    expect(await screen.findByText('This event no longer exists.')).toBeDefined();
    expect(gone.router.state.location.search).toEqual({});
  });

  it('keyboard shortcuts change the week and the view, and open the zones dialog', async () => {
    const { router } = open();
    await eventNamed(/^Workshop/);
    const press = (key: string) => fireEvent.keyDown(document.body, { key });
    press('n');
    await waitFor(() => expect(router.state.location.search).toEqual({ day: '2026-11-27' }));
    press('m');
    await waitFor(() => expect(router.state.location.search).toEqual({ day: '2026-11-27', view: 'month' }));
    press('t');
    await waitFor(() => expect(router.state.location.search).toEqual({ view: 'month' }));
    press('z');
    expect(await screen.findByRole('dialog', { name: 'Time zones' })).toBeDefined();
  });
});

it('the subscribe section is shown only when feeds are available', async () => {
  open('/calendar', { 'GET /api/published-feeds': () => ({ body: { available: true, feeds: [] } }) });
  await screen.findByText('Subscribe from other apps');
  cleanup();
  open('/calendar', { 'GET /api/published-feeds': () => ({ body: { available: false, feeds: [] } }) });
  await waitFor(() => expect(screen.queryByText('Subscribe from other apps')).toBeNull());
  expect(screen.getByText('Share times')).toBeDefined();
});

/** The same event as the editor reads it. */
function detailsOf(row: EventRow) {
  return {
    event_id: row.event_id,
    item_id: row.item_id,
    calendar_id: row.calendar_id,
    title: row.title,
    when: { kind: 'timed', start: row.start_time.slice(0, 16), end: row.end_time.slice(0, 16), zone: 'UTC' },
    recurrence: null,
    description: '',
    location: '',
    meeting_link: null,
    attendees: [],
    busy: 'busy',
    private: false,
    reminders: null,
    series: null,
    self: 'none',
    version: '1',
    editable: true,
    not_editable_reason: null,
    open_url: null,
  };
}
