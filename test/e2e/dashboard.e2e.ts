import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, expect, type Locator, type Page, test } from '@playwright/test';
import { sql } from 'kysely';
import { recountAll } from '#features/analytics/sums.ts';
import { defaultSettings } from '#features/booking/rules/type-settings.ts';
import { type DatabaseHandle, openDatabase } from '#platform/db.ts';
import { createLog } from '#platform/log.ts';
import { killAll } from '../harness/spawn-holdfast.ts';
import { askIn } from './ask-as.ts';
import { signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, phone, watchPage } from './watched-page.ts';

/**
 * The dashboard on what happened here: strangers looked at booking pages and booked, one time was not offered because of
 * another calendar, somebody did not come. Every figure adds up with the rows it opens.
 */

let database: DatabaseHandle;
let product: Product;
test.beforeAll(async () => {
  const log = await createLog({ level: 'silent', format: 'json' });
  product = await startProduct({ allow: [], env: { SIMULATED_PROVIDERS: 'true' } });
  database = openDatabase({ url: product.databaseUrl, log });
});
test.afterAll(async () => {
  await database?.close();
  await product?.stop();
  killAll();
});

/** A browser that is a person's, and another one's each time: those that say they are programs are counted nowhere. */
const openStranger = async (browser: Browser, version: number) => {
  const context = await browser.newContext({
    viewport: phone,
    timezoneId: 'Asia/Tokyo',
    locale: 'en-GB',
    userAgent: `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`,
  });
  return context.newPage();
};

/** Each on another day: what is next to a booking may be gone with it. */
async function book(browser: Browser, place: string, name: string, day: number): Promise<void> {
  const guest = await openStranger(browser, 140 + day);
  guest.setDefaultTimeout(15_000);
  // an emulated calendar may change between the look and the booking
  await expect(async () => {
    await guest.goto(`${product.url}${place}`);
    await guest.getByRole('navigation', { name: 'Choose a day' }).getByRole('link').nth(day).click();
    await guest.locator('.slot').first().click();
    await guest.getByLabel('Your name').fill(name);
    await guest.getByLabel('Your email').fill(`${name.toLowerCase()}@guest.example`);
    await guest.getByLabel('Your phone number').fill('+49 170 1234567');
    const answer = guest.waitForResponse((one) => new URL(one.url()).pathname.endsWith('/bookings'));
    await guest.getByRole('button', { name: 'Confirm booking' }).click();
    expect((await answer).status()).toBe(201);
  }).toPass();
  await expect(guest).toHaveURL(/\/booked\//);
  await guest.context().close();
}

interface Calendar {
  calendarId: string;
  accountId: string;
  isPrimary: boolean;
  writable: boolean;
}
interface Account {
  accountId: string;
  provider: string;
  lastSyncedAt: string | null;
}

/** Two calendars, an event type whose bookings go to Google, and one of a team; what is in Outlook takes times away. */
async function openHost(page: Page): Promise<void> {
  const call = askIn(page.request, product.url);
  for (const provider of ['google', 'microsoft']) await call('POST', '/dev/simulate/connect', { provider });
  const list = () => call<{ accounts: Account[] }>('GET', '/integrations/accounts');
  await expect
    .poll(async () => (await list()).accounts.filter(({ lastSyncedAt }) => lastSyncedAt === null), { timeout: 60_000 })
    .toEqual([]);
  const google = (await list()).accounts.find(({ provider }) => provider === 'google');
  const { calendars } = await call<{ calendars: Calendar[] }>('GET', '/integrations/calendars');
  const target = calendars.find(({ accountId, isPrimary }) => isPrimary && accountId === google?.accountId);
  await call('PUT', '/api/handle', { handle: 'dana-lee' });
  const { event_type: type } = await call<{ event_type: { id: string; title: string } }>('POST', '/api/event-types', {
    title: 'Intro call',
    kind: 'one-on-one',
  });
  await call('PUT', `/api/event-types/${type.id}`, {
    version: 1,
    title: type.title,
    slug: 'intro',
    description: '',
    hidden: false,
    secret: false,
    settings: { ...defaultSettings('one-on-one'), notice_minutes: 0, target_calendar_id: target?.calendarId },
  });
  const { team } = await call<{ team: { id: string } }>('POST', '/api/teams', { name: 'Sales' });
  await call('PUT', `/api/teams/${team.id}/handle`, { handle: 'sales-crew' });
  await call('POST', '/api/event-types', { title: 'Demo', kind: 'round-robin', team_id: team.id });
}

/** As if a week and more had gone by: the bookings were on that day, two of them in the evening. */
async function letTimePass(): Promise<{ weekday: string }> {
  const day = Temporal.Now.zonedDateTimeISO('Europe/Berlin').startOfDay().subtract({ days: 7 });
  const starts = { Zoe: { hour: 20 }, Yan: { hour: 20, minute: 30 }, Kei: { hour: 10 } };
  for (const [name, time] of Object.entries(starts)) {
    const startMs = day.with(time).epochMilliseconds;
    await sql`update booking.appointments set start_ms = ${startMs}, end_ms = ${startMs} + end_ms - start_ms
      where id = (select appointment_id from booking.bookings where guest_name = ${name})`.execute(database.db);
  }
  expect((await recountAll(database.db)).bookings).toBe(3);
  return { weekday: day.toLocaleString('en-US', { weekday: 'long' }) };
}

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** The figure of a card. */
const rowsOf = (page: Page, name: string) => panel(page, name).getByRole('button', { name: /View details/ });

/** Opens what a figure is made of; answers with its sum, and with how many rows are listed. */
async function openRows(page: Page, figure: Locator): Promise<{ sum: string; rows: number }> {
  await figure.click();
  const dialog = page.getByRole('dialog');
  const sum = (await dialog.locator('[data-sum]').textContent()) ?? '';
  const rows = await dialog.getByRole('list').getByRole('listitem').count();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  return { sum, rows };
}

test('dashboard figures match their rows, follow the period, and export as files', async ({ page, browser }) => {
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  // the simulated people at example.org are no colleagues
  await signUp(page, product, 'dana@lee.example');

  await test.step('somebody new is told what is not there yet, and no figure is a made-up zero', async () => {
    await expect(page.getByRole('heading', { name: 'Welcome back, dana' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Get set up in five steps' })).toBeVisible();
    await expect(panel(page, 'No-show Rate').getByText('No completed meetings')).toBeVisible();
    await expect(page.getByText('No calendars connected yet')).toBeVisible();
    await watched.look('dashboard-new');
  });

  await openHost(page);
  await book(browser, '/dana-lee/intro', 'Zoe', 1);
  await book(browser, '/dana-lee/intro', 'Yan', 2);
  await book(browser, '/sales-crew/demo', 'Kei', 3);

  await test.step('what happened is on the dashboard, by one call', async () => {
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/analytics/')) asked.push(pathname);
    });
    // visits are written down a little after they were made
    await expect(async () => {
      await page.reload();
      await expect(panel(page, 'Conversion Rate').getByText('2 of 2 booking requests')).toBeVisible({ timeout: 5_000 });
    }).toPass({ timeout: 60_000 });
    await expect(panel(page, 'Total Meetings').getByRole('button', { name: /^3\b/ })).toBeVisible();
    await expect(panel(page, 'Total Meetings').getByText('Bookings: 0 held, 3 upcoming')).toBeVisible();
    await expect
      .poll(() => [...new Set(asked)].toSorted())
      .toEqual(['/analytics/conflict-prevention', '/analytics/dashboard', '/analytics/digest', '/analytics/filters']);
    await watched.look('dashboard', { phone: true });
  });

  await test.step('each figure opens the rows that add up to it', async () => {
    expect(await openRows(page, rowsOf(page, 'Total Meetings'))).toEqual({ sum: '3', rows: 3 });
    expect(await openRows(page, rowsOf(page, 'Avg. Booking Time'))).toMatchObject({ rows: 3 });
    expect(await openRows(page, rowsOf(page, 'Conversion Rate'))).toMatchObject({ sum: '2 of 2', rows: 2 });
    for (const name of ['Meeting Sources', 'Conversion Funnel', 'Conflicts Prevented', 'Participant Insights']) {
      await expect(rowsOf(page, name).first()).toBeVisible();
      for (const figure of await rowsOf(page, name).all()) {
        const words = (await figure.textContent()) ?? '';
        const shown = /(?<![\d.])\d+(?= )/.exec(words)?.[0];
        const { sum } = await openRows(page, figure);
        expect.soft(sum, `${name}: ${words}`).toBe(shown);
      }
    }
    await panel(page, 'Conversion Rate')
      .getByRole('button', { name: /View details/ })
      .click();
    await expect(page.getByRole('heading', { name: 'How we count this' })).toBeVisible();
    await watched.look('dashboard-rows');
    await page.keyboard.press('Escape');
  });

  await test.step('a chart is read by keys, and as a table', async () => {
    const trends = panel(page, 'Booking Trends');
    await trends.getByRole('slider').focus();
    await page.keyboard.press('End');
    await expect(trends.getByRole('slider')).toHaveAttribute('aria-valuetext', /Bookings Created 3/);
    await trends.getByRole('button', { name: 'Booking Trends as a table' }).click();
    await expect(trends.getByRole('row')).toHaveCount(31);
    await trends.getByRole('button', { name: 'Booking Trends as a chart' }).click();
  });

  await test.step('another period is one for all cards', async () => {
    await page.getByText('Last 7 days', { exact: true }).click();
    await expect(page).toHaveURL(/period=7d/);
    await expect(panel(page, 'Booking Trends').getByText('By day · 3 events in total')).toBeVisible();
    await expect(panel(page, 'Booking Trends').getByText('New this period')).toBeVisible();
    await page.getByText('Last year', { exact: true }).click();
    await expect(panel(page, 'Booking Trends').getByText('By month · 3 events in total')).toBeVisible();
    await page.getByText('30 days', { exact: true }).click();
    await expect(panel(page, 'Booking Trends').getByText('By day · 3 events in total')).toBeVisible();
  });

  await test.step('a panel is kept as figures, rows and a picture', async () => {
    // so high that nothing scrolls: a menu hides when what opened it leaves the window
    await page.setViewportSize({ ...desktop, height: 2_400 });
    const keep = async (item: string) => {
      await page.getByRole('button', { name: 'More about Booking Trends' }).click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: item }).click({ timeout: 5_000 }),
      ]);
      // a press on the button while the menu closes would not open it again
      await expect(page.getByRole('menu')).toHaveCount(0);
      return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
    };
    const figures = await keep('Figures as CSV');
    expect(figures.name).toMatch(/\.csv$/);
    expect(figures.content.toString()).toContain('bookings_created');
    const rows = await keep('Rows as CSV');
    expect(rows.content.toString().match(/bookings_created/g)).toHaveLength(3);
    const picture = await keep('Picture (PNG)');
    expect(picture.name).toMatch(/^booking-trends-.*\.png$/);
    expect(picture.content.subarray(1, 4).toString()).toBe('PNG');
    expect(picture.content.readUInt32BE(16)).toBeGreaterThan(1_000);
    if (process.env.JOURNEY_PICTURES)
      await writeFile(join(process.env.JOURNEY_PICTURES, picture.name), picture.content);
  });

  await test.step('of a team, those who may see the figures of all', async () => {
    await page.setViewportSize(desktop);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('combobox', { name: 'Show figures for' }).selectOption('Team Sales');
    await expect(panel(page, 'Conversion Rate').getByText('1 of 1 booking requests')).toBeVisible();
    expect(await openRows(page, rowsOf(page, 'Total Meetings'))).toEqual({ sum: '1', rows: 1 });
    await expect(panel(page, 'Calendar Health')).toHaveCount(0);
    await page.getByRole('combobox', { name: 'Show figures for' }).selectOption('My figures');
    await expect(panel(page, 'Total Meetings').getByRole('button', { name: /^3\b/ })).toBeVisible();
  });

  const { weekday } = await letTimePass();

  await test.step('who did not come is marked where a row leads to, and counted', async () => {
    await page.reload();
    await expect(panel(page, 'No-show Rate').getByText('0 of 3 completed meetings')).toBeVisible();
    await rowsOf(page, 'No-show Rate').click();
    await page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Zoe' }).getByRole('link').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Guest no-show' }).click();
    await expect(page.getByText('Zoe is marked as a no-show')).toBeVisible();
    await page.goto(`${product.url}/dashboard`);
    await expect(panel(page, 'No-show Rate').getByText('1 of 3 completed meetings')).toBeVisible();
    expect(await openRows(page, rowsOf(page, 'No-show Rate'))).toEqual({ sum: '1 of 3', rows: 3 });
  });

  await test.step('an hour that is asked for a lot is opened by a draft that is looked at first', async () => {
    const slots = panel(page, 'Popular Time Slots');
    expect(await openRows(page, slots.getByRole('button', { name: /^8 PM/ }))).toEqual({ sum: '2', rows: 2 });
    await slots.getByRole('button', { name: 'Apply to Availability' }).click();
    const dialog = page.getByRole('dialog', { name: 'Apply popular hours to your availability' });
    await expect(dialog.getByText('+ 8 PM, 2 bookings')).toHaveCount(1);
    await watched.look('dashboard-draft');
    await dialog.getByRole('button', { name: 'Save as version 1' }).click();
    await page.getByRole('button', { name: 'View hours' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: 'My hours' })).toContainText('Active');
    await expect(page.getByLabel(weekday, { exact: true })).toBeChecked();
    await expect(page.getByRole('listitem').filter({ has: page.getByLabel(weekday, { exact: true }) })).toContainText(
      /Free|Conflict/,
    );
  });

  watched.expectQuietConsole();
});
