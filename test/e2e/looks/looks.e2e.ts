import { expect, type Page, test } from '@playwright/test';
import { sampleAnswer } from '#features/analytics/web/sample-answer.ts';
import { startCrawl, tooWide } from '../crawled-page.ts';
import { addAxe, contrast, desktop, phone, runAxe, showScheme, wcag } from '../watched-page.ts';
import { compare, widths } from './look-at.ts';
import { openHours } from './still-hours.ts';
import { meetings, notices } from './still-meetings.ts';
import { byPath, type StillServer, silentStream, startStillServer } from './still-server.ts';
import { calendars, events, nowText, person } from './still-week.ts';

/**
 * Screenshots of the screens, kept beside this file: any visual change shows here first. `npx playwright test looks
 * --update-snapshots=all` takes them again; each is looked at before it is committed.
 */

let server: StillServer;

test.use({ timezoneId: 'America/New_York', trace: 'off' });

test.beforeAll(async () => {
  server = await startStillServer(
    byPath((query) => ({
      'GET /api/session': { user: person },
      'GET /api/calendars': { calendars },
      'GET /api/calendars/events': {
        truncated: false,
        events: events.filter(
          ({ start_time, end_time }) => start_time < (query.get('to') ?? '') && end_time > (query.get('from') ?? ''),
        ),
      },
      // days of the dashboard are no instants
      ...(query.get('from')?.includes('T') ? { 'GET /api/availability/hours': openHours(query) } : {}),
      'GET /api/mirror-links': { links: [] },
      'GET /api/published-feeds': { feeds: [], available: true },
      'GET /analytics/digest': { weekly: false, available: true },
      'GET /api/edits': { edits: [] },
      'GET /api/notices': notices,
      'GET /api/teams': { may_create: true, teams: [], invitations: [], deleted: [] },
      'GET /api/first-steps': {
        connected: true,
        mirrored: true,
        hours: true,
        link: true,
        copied: true,
        skipped: false,
      },
      'GET /meetings': meetings(query.get('scope')),
      'GET /analytics/dashboard': figures,
      'GET /analytics/conflict-prevention': { data: figures.data.conflict_prevention, range: figures.range },
      'GET /analytics/filters': {
        zone: 'America/New_York',
        history_days: null,
        event_types: [{ event_type_id: person.user_id, title: 'Intro call', team_id: null }],
        teams: [],
        calendars: [],
      },
      'POST /api/free-times': { conflicts: [], free: [] },
    })),
  );
});

/** The thirty days up to the Wednesday of the still week. */
const figures = sampleAnswer({}, '2027-02-09');

test.afterAll(() => server.close());

/** Between a phone and a desktop: without and with the navigation beside the page, and a small laptop. */
const between = [768, 900, 1024, 1279];

const looks: { name: string; path: string; shown: string; whole?: boolean; open?: (page: Page) => Promise<void> }[] = [
  { name: 'day', path: '/calendar?view=day', shown: 'Board preparation' },
  { name: 'week', path: '/calendar', shown: 'Stand-up' },
  { name: 'week-of-the-change', path: '/calendar?day=2027-03-14', shown: 'Brunch' },
  { name: 'month', path: '/calendar?view=month', shown: 'Offsite in Lisbon' },
  { name: 'agenda', path: '/calendar?view=agenda', shown: 'Board preparation' },
  { name: 'create-event', path: '/calendar?new=2027-03-11T15:00', shown: 'Stand-up' },
  { name: 'meetings', path: '/meetings', shown: 'Priya Nair' },
  { name: 'dashboard', path: '/dashboard', shown: 'Booking Trends', whole: true },
  { name: 'mirrors', path: '/meetings?tab=mirrors', shown: 'Kick-off, second part' },
  {
    name: 'palette',
    path: '/calendar',
    shown: 'Stand-up',
    async open(page) {
      await page.getByRole('button', { name: /^Search events, contacts/ }).click();
      await expect(page.getByRole('combobox', { name: 'Search and commands' })).toBeFocused();
    },
  },
];

for (const { name, path, shown, whole = false, open } of looks) {
  test(`${name} looks as recorded`, async ({ page }) => {
    await page.clock.setFixedTime(nowText);
    await page.addInitScript(silentStream);
    await page.emulateMedia({ colorScheme: 'light' });
    const { settle } = await startCrawl(page);
    for (const [width, viewport] of Object.entries({ desktop, phone })) {
      await page.setViewportSize(viewport);
      await page.goto(`${server.url}${path}`);
      await expect(page.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible();
      await expect(page.getByText(shown).or(page.getByLabel(shown)).first()).toBeVisible();
      await settle();
      await open?.(page);
      if (whole) {
        const height = await page.evaluate<number>('document.documentElement.scrollHeight');
        await page.setViewportSize({ ...viewport, height });
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await compare(page, `${name}-${width}-${colorScheme}.png`);
      }
    }
    for (const width of between) {
      await page.setViewportSize({ width, height: desktop.height });
      await expect.poll(() => page.evaluate(tooWide), `at ${width}`).toEqual([]);
    }
    await page.setViewportSize(widths.tablet);
    await addAxe(page);
    for (const [scheme, rules] of [
      ['dark', wcag],
      ['light', contrast],
    ] as const) {
      await showScheme(page, scheme);
      expect.soft(await runAxe(page, rules), `on a tablet, ${scheme}`).toEqual([]);
    }
    expect(server.unanswered).toEqual([]);
  });
}

test('a chart that was not yet drawn for a narrower window does not widen the page', async ({ page }) => {
  await page.clock.setFixedTime(nowText);
  await page.addInitScript(`${silentStream}
    ResizeObserver.prototype.observe = () => {}`);
  await page.setViewportSize({ width: 800, height: desktop.height });
  await page.goto(`${server.url}/dashboard`);
  await expect(page.locator('[data-panel=booking-trends] svg[data-picture]')).toBeVisible();
  // the navigation is now beside the page, which leaves it narrower than before
  await page.setViewportSize({ width: 960, height: desktop.height });
  expect(await page.evaluate(tooWide)).toEqual([]);
});
