import { expect, type Page, test } from '@playwright/test';
import { tooWide } from './crawled-page.ts';
import { calendars, counts, events, nowText, person } from './looks/busy-week.ts';
import { measureWeek, type WeekFigures } from './looks/measure-week.ts';
import { byPath, type StillServer, silentStream, startStillServer } from './looks/still-server.ts';
import { addAxe, runAxe, showScheme, wcag } from './watched-page.ts';

/** A busy week can be read at every width: the figures of the browser, not of the rules. */

test.use({ timezoneId: 'Europe/Berlin' });

let server: StillServer;
let density: 'comfortable' | 'compact' = 'comfortable';

test.beforeAll(async () => {
  server = await startStillServer(
    byPath((query) => ({
      'GET /api/session': { user: { ...person, density } },
      'GET /api/calendars': { calendars },
      'GET /api/calendars/events': {
        truncated: false,
        events: events.filter(
          ({ start_time, end_time }) => start_time < (query.get('to') ?? '') && end_time > (query.get('from') ?? ''),
        ),
      },
      'GET /api/availability/hours': { hours: [], busy: [], overrides: [] },
      'GET /api/mirror-links': { links: [] },
      'GET /api/published-feeds': { feeds: [], available: true },
      'GET /api/edits': { edits: [] },
      'GET /api/notices': { notices: [], unread: 0 },
      'GET /api/teams': { may_create: true, teams: [], invitations: [], deleted: [] },
    })),
  );
});
test.afterAll(() => server.close());

const sizes = { desktop: [1440, 900], laptop: [1024, 768], phone: [390, 844] } as const;

async function openWeek(page: Page, [width, height]: readonly [number, number]): Promise<void> {
  await page.clock.setFixedTime(nowText);
  await page.addInitScript(silentStream);
  await page.setViewportSize({ width, height });
  await page.goto(`${server.url}/calendar`);
  await expect(page.getByRole('button', { name: /^Lunch with Priya/ })).toBeVisible();
  await page.evaluate('document.fonts.ready');
}

const measure = (page: Page) => page.evaluate<WeekFigures>(measureWeek);

test('a busy week of 59 timed events can be read on a desktop, in both densities', async ({ page }) => {
  expect(counts).toEqual({ timed: 59, allDay: 7 });
  for (density of ['comfortable', 'compact'] as const) {
    await openWeek(page, sizes.desktop);
    const whole = { narrow: [], halfLines: [], covered: [], red: [] };
    await expect.poll(() => measure(page), density).toMatchObject(whole);
    const { clipped } = await measure(page);
    expect(clipped.length, `${density}: ${clipped.join('; ')}`).toBeLessThanOrEqual(density === 'compact' ? 8 : 3);
  }
  density = 'comfortable';
});

for (const [name, size] of Object.entries(sizes)) {
  test(`axe finds nothing in a busy week on a ${name}, in both schemes`, async ({ page }) => {
    await openWeek(page, size);
    await expect.poll(() => measure(page)).toMatchObject({ halfLines: [], covered: [] });
    expect(await page.evaluate(tooWide)).toEqual([]);
    await addAxe(page);
    for (const scheme of ['light', 'dark'] as const) {
      await showScheme(page, scheme);
      expect.soft(await runAxe(page, wcag), scheme).toEqual([]);
    }
  });
}

test('a press in the margin beside a card opens a new event at that hour', async ({ page }) => {
  await openWeek(page, sizes.desktop);
  const card = page.getByRole('button', { name: /^Sprint review/ });
  const box = await card.boundingBox();
  if (box === null) throw new Error('The card is not drawn');
  await page.mouse.click(box.x + box.width + 4, box.y + 20);
  await expect(page.getByRole('dialog', { name: 'Create Event' })).toBeVisible();
});

test('one header holds the controls, and [ and ] make room for the week, which this browser keeps', async ({
  page,
}) => {
  await openWeek(page, sizes.desktop);
  const sections = page.getByRole('navigation', { name: 'Sections' });
  const widthOf = async (what: typeof sections) => (await what.boundingBox())?.width;
  const scroller = page.locator('[data-grid] > div').first();
  const head = page.locator('[data-head]');
  const topOf = async () => ((await head.boundingBox())?.y ?? 0) + ((await head.boundingBox())?.height ?? 0);
  expect(await topOf()).toBeLessThanOrEqual(160);
  expect(await widthOf(sections)).toBe(56);
  const before = (await widthOf(scroller)) ?? 0;
  const card = page.getByRole('button', { name: /^Lunch with Priya/ });
  await card.focus();
  await page.keyboard.press('[');
  await expect.poll(() => widthOf(sections)).toBe(232);
  await expect(card).toBeFocused();
  await page.reload();
  await expect.poll(() => widthOf(sections)).toBe(232);
  await page.getByRole('button', { name: 'Collapse navigation' }).click();
  await expect.poll(() => widthOf(sections)).toBe(56);
  await expect(page.getByRole('button', { name: 'Expand navigation' })).toBeFocused();
  for (const link of await sections.getByRole('link').all()) await expect(link).toHaveAccessibleName(/./);
  await page.keyboard.press(']');
  await expect(page.getByRole('complementary', { name: 'Calendars' })).toBeHidden();
  expect((await widthOf(scroller)) ?? 0).toBe(before + 248);
  await page.reload();
  await expect(card).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Calendars' })).toBeHidden();
  await page.keyboard.press('/');
  await expect(page.getByRole('combobox', { name: 'Search and commands' })).toBeFocused();
});
