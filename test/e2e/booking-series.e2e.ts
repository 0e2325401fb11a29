import { type Browser, expect, type Page, test } from '@playwright/test';
import { bookingContract } from '#features/booking/contract.ts';
import { defaultSettings, type TypeSettings } from '#features/booking/rules/type-settings.ts';
import { createClient } from '#kernel/contract-client.ts';
import { createPerson, password } from './person.ts';
import { type Product, startProduct } from './product.ts';

/** A weekly series: one date is taken, another site embeds it, and a browser knows old rules of a time zone. */

const host = 'https://nowhere.example';
const shop = 'https://shop.example';
const zone = 'America/New_York';

let product: Product;
test.beforeAll(async ({ browser }) => {
  product = await startProduct({ allow: [] });
  await openWeekly(browser);
});
test.afterAll(() => product.stop());

async function openWeekly(browser: Browser): Promise<void> {
  const page = await browser.newPage();
  await createPerson(product, 'anna@example.org');
  const headers = { origin: product.url };
  const login = await page.request.post(`${product.url}/auth/login`, {
    data: { email: 'anna@example.org', password, app: 'user' },
    headers,
  });
  const { session_token: token } = (await login.json()) as { session_token: string };
  const api = createClient(bookingContract, {
    baseUrl: product.url,
    headers: () => ({ authorization: `Bearer ${token}` }),
  });
  await api.changeHandle({ body: { handle: 'anna-lee' } });
  const { event_type: type } = await api.createEventType({ body: { title: 'Weekly', kind: 'one-on-one' } });
  const settings: TypeSettings = {
    ...defaultSettings('one-on-one'),
    notice_minutes: 0,
    window: { kind: 'rolling', days: 60 },
    location: { kind: 'link', url: `${host}/room` },
    recurring: { max: 4, every: 'week' },
    frames: [shop],
  };
  await api.changeEventType({
    params: { id: type.id },
    body: { version: 1, title: type.title, slug: 'weekly', description: '', hidden: false, secret: false, settings },
  });
  await page.close();
}

/** The next free starts, by the call of the page. */
async function startsOf(page: Page): Promise<number[]> {
  const from = Math.floor(Temporal.Now.instant().epochMilliseconds / 60_000) + 3 * 1_440;
  const answer = await page.request.get(
    `${product.url}/api/book/anna-lee/weekly/slots?from=${from}&to=${from + 30 * 1_440}`,
  );
  return ((await answer.json()) as { starts: number[] }).starts;
}

test('a guest sees the taken date of a series before booking, and books the other three', async ({ browser }) => {
  const context = await browser.newContext({ timezoneId: zone });
  const page = await context.newPage();
  const starts = await startsOf(page);
  const week = 7 * 1_440;
  // all four on the same side of a change of the clock
  const first = starts.find((start) => [1, 2, 3].every((n) => n === 3 || starts.includes(start + n * week))) ?? 0;
  const taken = first + 2 * week;
  const booked = await page.request.post(`${product.url}/api/book/anna-lee/weekly/bookings`, {
    data: { start: taken, name: 'Zoe', email: 'zoe@example.net', zone },
  });
  expect(booked.status(), await booked.text()).toBe(201);

  await page.goto(`${product.url}/anna-lee/weekly?tz=${zone}&slot=${first}`);
  await expect(page.getByText(/Reserved for you until/)).toBeVisible();
  await page.getByLabel('Your name').fill('Kei Tanaka');
  await page.getByLabel('Your email').fill('kei@example.jp');
  await page.getByLabel('Repeat').selectOption('4');
  const dates = page.getByRole('group', { name: 'Dates of the series' }).getByRole('listitem');
  await expect(dates).toHaveCount(4);
  await expect(dates.nth(2)).toContainText('taken');
  for (const n of [0, 1, 3]) await expect(dates.nth(n)).toContainText('free');
  await expect(page.getByText('3 of 4 dates will be booked.')).toBeVisible();
  await expect(page.getByText(/Reserved for you until/)).toBeVisible();
  // every date that is shown as free is kept
  // from another browser: the guest's own has a cookie of the reservation
  const stranger = await browser.newContext();
  const other = await stranger.request.post(`${product.url}/api/book/anna-lee/weekly/bookings`, {
    data: { start: first + week, name: 'Zoe', email: 'zoe2@example.net', zone },
  });
  await stranger.close();
  expect(other.status()).toBe(409);
  await page.getByRole('button', { name: 'Confirm booking' }).click();
  await expect(page).toHaveURL(/\/booked\//);
  await expect(page.getByText('1 of 3')).toBeVisible();
  const left = await startsOf(page);
  for (const start of [first, first + week, first + 3 * week]) expect(left).not.toContain(start);
  await context.close();
});

test('a site that embeds the page of a series is told of all its dates', async ({ browser }) => {
  const context = await browser.newContext({ timezoneId: zone });
  // a browser asks before a site elsewhere reaches this machine
  await context.grantPermissions(['local-network-access'], { origin: shop });
  const page = await context.newPage();
  const starts = await startsOf(page);
  const week = 7 * 1_440;
  const first = starts.findLast((start) => starts.includes(start + week)) ?? 0;
  await context.route(`${shop}/**`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><title>Shop</title>
        <script src="${product.url}/embed.js"></script>
        <holdfast-booking link="anna-lee/weekly?slot=${first}" prefill-name="Kei Tanaka"></holdfast-booking>
        <output></output>
        <script>
          document.querySelector('holdfast-booking').addEventListener('booked', ({ detail }) => {
            const { uid, startMs, dates } = detail;
            document.querySelector('output').textContent = JSON.stringify({
              isFirst: dates[0].uid === uid && dates[0].startMs === startMs,
              uids: new Set(dates.map((date) => date.uid)).size,
              minutes: dates.map((date) => [date.startMs / 60000, (date.endMs - date.startMs) / 60000]),
            });
          });
        </script>`,
    }),
  );
  await page.goto(`${shop}/`);
  const frame = page.frameLocator('holdfast-booking iframe');
  await frame.getByLabel('Your email').fill('shop@example.net');
  await frame.getByLabel('Repeat').selectOption('2');
  await expect(frame.getByText('2 of 2 dates will be booked.')).toBeVisible();
  await frame.getByRole('button', { name: 'Confirm booking' }).click();
  await expect(frame.getByText('1 of 2')).toBeVisible();
  const told = JSON.parse((await page.locator('output').textContent()) ?? '') as { minutes: [number, number][] };
  expect(told).toMatchObject({ isFirst: true, uids: 2 });
  expect(told.minutes).toEqual([
    [first, 30],
    [first + week, 30],
  ]);
  await context.close();
});

test('without script the dates of a series are shown before it is booked', async ({ browser }) => {
  const context = await browser.newContext({ timezoneId: zone, javaScriptEnabled: false });
  const page = await context.newPage();
  const [first = 0] = (await startsOf(page)).slice(-1);
  await page.goto(`${product.url}/anna-lee/weekly?tz=${zone}&slot=${first}`);
  await page.getByLabel('Repeat').selectOption('2');
  await page.getByRole('button', { name: 'Show dates' }).click();
  await expect(page.getByRole('group', { name: 'Dates of the series' }).getByRole('listitem')).toHaveCount(2);
  await expect(page.getByLabel('Repeat')).toHaveValue('2');
  await context.close();
});

test('answers that are typed and chosen before the script has loaded are kept', async ({ browser }) => {
  const context = await browser.newContext({ timezoneId: zone });
  const page = await context.newPage();
  const loaded = Promise.withResolvers<void>();
  await page.route('**/assets/pages/booking-*.js', async (route) => {
    await loaded.promise;
    await route.continue();
  });
  const starts = await startsOf(page);
  const first = starts.find((start) => starts.includes(start + 7 * 1_440));
  await page.goto(`${product.url}/anna-lee/weekly?tz=${zone}&slot=${first}`, { waitUntil: 'commit' });
  await page.getByLabel('Your name').fill('Kei Tanaka');
  await page.getByLabel('Your email').fill('kei@example.jp');
  await page.getByLabel('Repeat').selectOption('2');
  loaded.resolve();
  await expect(page.getByText('2 of 2 dates will be booked.')).toBeVisible();
  await expect(page.getByLabel('Your name')).toHaveValue('Kei Tanaka');
  await expect(page.getByLabel('Your email')).toHaveValue('kei@example.jp');
  await expect(page.getByLabel('Repeat')).toHaveValue('2');
  await context.close();
});

test('without script Enter in a field of a series books it, and shows no dates', async ({ browser }) => {
  const context = await browser.newContext({ timezoneId: zone, javaScriptEnabled: false });
  const page = await context.newPage();
  const [, second = 0] = (await startsOf(page)).slice(-2);
  await page.goto(`${product.url}/anna-lee/weekly?tz=${zone}&slot=${second}`);
  await page.getByLabel('Your name').fill('Lee Park');
  await page.getByLabel('Your email').fill('lee@example.net');
  await page.getByLabel('Your email').press('Enter');
  await expect(page.getByRole('heading', { name: 'You’re booked!' })).toBeVisible();
  await context.close();
});

test('times stay right in a browser whose rules of the time zone are old', async ({ browser }) => {
  const context = await browser.newContext({ timezoneId: zone });
  const page = await context.newPage();
  // a browser that has New York an hour behind
  await page.addInitScript(() => {
    const { DateTimeFormat } = Intl;
    const old = (options: Intl.DateTimeFormatOptions | undefined) =>
      options?.timeZone === 'America/New_York' ? { ...options, timeZone: 'America/Chicago' } : options;
    Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
      construct: (made, [locale, options]) => new made(locale as string, old(options as Intl.DateTimeFormatOptions)),
      apply: (made, _, [locale, options]) => made(locale as string, old(options as Intl.DateTimeFormatOptions)),
    });
  });
  await page.goto(`${product.url}/anna-lee/weekly?tz=${zone}`);
  const days = page.getByRole('table').getByRole('link');
  await expect(page.locator('.slot').first()).toBeVisible();
  await days.last().click();
  const minute = Number((await page.locator('.slot').first().getAttribute('id'))?.replace('slot-', ''));
  const time = Temporal.Instant.fromEpochMilliseconds(minute * 60_000).toZonedDateTimeISO(zone);
  const shown = time.toLocaleString('en-US', { hour: 'numeric', minute: '2-digit' }).replace('\u202f', ' ');
  await expect(page.locator('.slot').first()).toContainText(shown);
  await context.close();
});
