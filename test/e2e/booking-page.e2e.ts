import { type Browser, expect, type Page, test } from '@playwright/test';
import { bookingContract } from '#features/booking/contract.ts';
import { defaultSettings, type TypeSettings } from '#features/booking/rules/type-settings.ts';
import { createClient } from '#kernel/contract-client.ts';
import { createPerson, password } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { phone, watchPage } from './watched-page.ts';

/** Strangers book with somebody: on a phone in Tokyo, without script, and inside another site's page. */

const shop = 'https://shop.example';

let product: Product;
test.beforeAll(async ({ browser }) => {
  product = await startProduct({ allow: [] });
  await openIntro(browser);
});
test.afterAll(() => product.stop());

/** A host with one event type, by the calls of the screens. */
async function openIntro(browser: Browser): Promise<void> {
  const page = await browser.newPage();
  await createPerson(product, 'anna@example.org');
  const headers = { origin: product.url };
  const login = await page.request.post(`${product.url}/auth/login`, {
    data: { email: 'anna@example.org', password, app: 'user' },
    headers,
  });
  expect(login.ok(), await login.text()).toBe(true);
  const { session_token: token } = (await login.json()) as { session_token: string };
  const api = createClient(bookingContract, {
    baseUrl: product.url,
    headers: () => ({ authorization: `Bearer ${token}` }),
  });
  await api.changeHandle({ body: { handle: 'anna-lee' } });
  const { event_type: type } = await api.createEventType({ body: { title: 'Intro call', kind: 'one-on-one' } });
  const settings: TypeSettings = {
    ...defaultSettings('one-on-one'),
    notice_minutes: 0,
    location: { kind: 'in-person', address: 'Main Street 1' },
    questions: [{ id: 'about', label: 'What is it about?', kind: 'long', required: true }],
    frames: [shop],
  };
  await api.changeEventType({
    params: { id: type.id },
    body: {
      version: 1,
      title: type.title,
      slug: 'intro',
      description: 'A short call to see if we are a good fit.',
      hidden: false,
      secret: false,
      settings,
    },
  });
  const { event_type: second } = await api.createEventType({ body: { title: 'Second call', kind: 'one-on-one' } });
  await api.changeEventType({
    params: { id: second.id },
    body: { version: 1, title: second.title, slug: 'second', description: '', hidden: false, secret: false, settings },
  });
  const { event_type: long } = await api.createEventType({ body: { title: 'Long form', kind: 'one-on-one' } });
  const number = { id: 'number', label: 'Your number', kind: 'phone', required: true } as const;
  await api.changeEventType({
    params: { id: long.id },
    body: {
      version: 1,
      title: long.title,
      slug: 'long-form',
      description: '',
      hidden: false,
      secret: false,
      settings: { ...settings, guests_allowed: 3, questions: [...settings.questions, number] },
    },
  });
  await page.close();
}

const slots = (page: Page) => page.locator('.slot');

async function fillDetails(page: Pick<Page, 'getByLabel'>, email: string): Promise<void> {
  await page.getByLabel('Your name').fill('Kei Tanaka');
  await page.getByLabel('Your email').fill(email);
  await page.getByLabel('What is it about?').fill('A first talk');
}

/** Whether the focused element and its error are in sight, in words because this side of the tests knows no DOM. */
const isFocusInSight = `(() => {
  const field = document.activeElement;
  const error = document.getElementById(field.id + '-wrong');
  return [field, error].every((one) => {
    if (one === null) return true;
    const box = one.getBoundingClientRect();
    return [box.top + 4, box.bottom - 4].every((y) => one.contains(document.elementFromPoint(box.left + 8, y)));
  });
})()`;

test('on a small phone the focused field and its error are in sight, above the bar', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 664 }, hasTouch: true });
  const page = await context.newPage();
  const expectInSight = () => expect.poll(() => page.evaluate(isFocusInSight)).toBe(true);
  await page.goto(`${product.url}/anna-lee/long-form`);
  await page.getByRole('navigation', { name: 'Choose a day' }).getByRole('link').nth(1).click();
  await slots(page).first().click();
  await expect(page.getByText(/Reserved for you until/)).toBeVisible();
  await page.getByLabel('Your name').focus();
  for (const next of ['Your email', 'What is it about?', 'Your number', 'Add guests']) {
    await page.keyboard.press('Tab');
    await expect(page.getByLabel(next)).toBeFocused();
    await expectInSight();
  }
  // with guests, a link comes by email first
  const confirm = page.getByRole('button', { name: /^(?:Confirm booking|Email me a link)$/ });
  const toTop = () => page.evaluate('scrollTo(0, 0)');
  await fillDetails(page, 'kei@example.jp');
  for (const [field, answer] of [
    ['Your number', 'banana'],
    ['Add guests', 'nobody'],
  ] as const) {
    await page.getByLabel(field).fill(answer);
    await toTop();
    await confirm.click();
    await expect(page.getByText('Please check one field.')).toBeVisible();
    await expect(page.getByLabel(field)).toBeFocused();
    await expectInSight();
    await page.getByLabel('Your number').fill('+1 212 555 0100');
  }
  // gives the time back: few are held at once for a network
  await page.getByRole('link', { name: 'Choose another time' }).click();
  await expect(slots(page).first()).toBeVisible();
  await context.close();
});

test('a guest in Tokyo books on a phone, reschedules, and cancels', async ({ browser }) => {
  const context = await browser.newContext({ viewport: phone, timezoneId: 'Asia/Tokyo', hasTouch: true });
  const page = await context.newPage();
  const watched = watchPage(page);
  await page.goto(`${product.url}/anna-lee/intro`);
  await expect(page.getByText('Tokyo (GMT+9)')).toBeVisible();
  // the next days and the first times are there without scrolling
  await expect(slots(page).first()).toBeInViewport();
  await watched.look('booking-choose', { phone: true });
  await page.setViewportSize(phone);

  await page.getByRole('navigation', { name: 'Choose a day' }).getByRole('link').nth(1).click();
  const time = await slots(page).first().textContent();
  await slots(page).first().click();
  await expect(page.getByText(/Reserved for you until/)).toBeVisible();
  await page.getByLabel('Your email').fill('kei@');
  await page.getByLabel('Your name').focus();
  await expect(page.getByText('Enter a valid email address.')).toBeVisible();
  await watched.look('booking-form', { phone: true });
  await page.setViewportSize(phone);
  await fillDetails(page, 'kei@example.jp');
  await expect(page.getByText('Enter a valid email address.')).toBeHidden();
  await page.getByRole('button', { name: 'Confirm booking' }).click();

  await expect(page.getByRole('heading', { name: 'You’re booked!' })).toBeVisible();
  await expect(page.getByText(/^.*?M/.exec(time ?? '')?.[0] ?? '')).toBeVisible();
  await watched.look('booked', { phone: true });
  await page.setViewportSize(phone);

  await page.getByRole('link', { name: 'Reschedule' }).click();
  // another month is no other page
  await page.evaluate(() => Object.assign(globalThis, { isSame: true }));
  await page.getByRole('link', { name: 'All dates' }).click();
  await page.getByRole('link', { name: 'Next month' }).click();
  await expect(slots(page).first()).toBeVisible();
  await page.getByRole('link', { name: 'Previous month' }).click();
  expect(await page.evaluate(() => 'isSame' in globalThis)).toBe(true);
  // late in its day the first of them has one or two left
  await slots(page).last().click();
  await page.getByRole('button', { name: 'Move to this time' }).click();
  await expect(page.getByRole('heading', { name: 'Rescheduled' })).toBeVisible();

  await page.getByRole('link', { name: 'Cancel booking' }).click();
  await page.getByLabel('Reason').fill('Something came up');
  await page.getByRole('button', { name: 'Cancel booking' }).click();
  await expect(page.getByRole('heading', { name: 'Canceled' })).toBeVisible();
  watched.expectQuietConsole();
  await context.close();
});

test('a guest books without JavaScript', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${product.url}/anna-lee`);
  await page.getByRole('link', { name: /Intro call/ }).click();
  await page.getByRole('link', { name: 'Change Time zone' }).click();
  await page.getByLabel('Choose your time zone').selectOption('America/New_York');
  await page.getByRole('button', { name: 'Use this time zone' }).click();
  await expect(page.getByText('New York (GMT')).toBeVisible();
  await page.getByRole('link', { name: 'Next month' }).click();
  await slots(page).first().click();
  await fillDetails(page, 'sam@example.com');
  await page.getByRole('button', { name: 'Confirm booking' }).click();
  await expect(page.getByRole('heading', { name: 'You’re booked!' })).toBeVisible();
  await expect(page.getByText('New York (GMT')).toBeVisible();
  await context.close();
});

test('an allowed site embeds the booking page and receives the booked event', async ({ browser }) => {
  const context = await browser.newContext();
  // a browser asks before a site elsewhere reaches this machine
  await context.grantPermissions(['local-network-access'], { origin: shop });
  const page = await context.newPage();
  await context.route(`${shop}/**`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><title>Shop</title>
        <script src="${product.url}/embed.js"></script>
        <holdfast-booking link="anna-lee/intro" prefill-name="Kei Tanaka"></holdfast-booking>
        <output></output>
        <script>
          document.querySelector('holdfast-booking').addEventListener('booked', (event) => {
            document.querySelector('output').textContent = 'booked ' + (event.detail.endMs - event.detail.startMs) / 60000;
          });
        </script>`,
    }),
  );
  await page.goto(`${shop}/`);
  const frame = page.frameLocator('holdfast-booking iframe');
  await frame.locator('.slot').last().click();
  await expect(frame.getByLabel('Your name')).toHaveValue('Kei Tanaka');
  await frame.getByLabel('Your email').fill('lee@example.net');
  await frame.getByLabel('What is it about?').fill('From the shop');
  await frame.getByRole('button', { name: 'Confirm booking' }).click();
  await expect(frame.getByRole('heading', { name: 'You’re booked!' })).toBeVisible();
  await expect(page.getByText('booked 30')).toBeVisible();
  // the frame is as tall as the page that followed
  const body = frame.locator('body');
  await expect
    .poll(async () => {
      const [inside, around] = [await body.boundingBox(), await page.locator('holdfast-booking').boundingBox()];
      return Math.abs((inside?.height ?? Number.NaN) - (around?.height ?? Number.NaN));
    })
    .toBeLessThanOrEqual(1);
  await context.close();
});

test('an embedded page follows the attributes of its element, and the element through its page', async ({
  browser,
}) => {
  const context = await browser.newContext();
  await context.grantPermissions(['local-network-access'], { origin: shop });
  const page = await context.newPage();
  await context.route(`${shop}/**`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><title>Shop</title>
        <script src="${product.url}/embed.js"></script>
        <holdfast-booking link="anna-lee/intro" prefill-name="Kei Tanaka"></holdfast-booking><main></main>`,
    }),
  );
  await page.goto(`${shop}/`);
  const frame = page.frameLocator('holdfast-booking iframe');
  await frame.locator('.slot').last().click();
  await expect(frame.getByLabel('Your name')).toHaveValue('Kei Tanaka');
  const element = page.locator('holdfast-booking');
  // the site leads its visitor to another of its pages: another person, then another event type
  await element.evaluate((one) => one.setAttribute('prefill-name', 'Lee & Sons + 1'));
  await frame.locator('.slot').last().click();
  await expect(frame.getByLabel('Your name')).toHaveValue('Lee & Sons + 1');
  await element.evaluate((one) => one.setAttribute('link', 'anna-lee/second'));
  await expect(frame.getByRole('heading', { name: 'Second call' })).toBeVisible();
  await element.evaluate((one) => one.ownerDocument.querySelector('main')?.append(one));
  await expect(frame.getByRole('heading', { name: 'Second call' })).toBeVisible();
  await expect(page.locator('holdfast-booking iframe')).toHaveCount(1);
  await context.close();
});

test('the zone picker finds a city and tells the time there', async ({ browser }) => {
  const context = await browser.newContext({ timezoneId: 'Asia/Tokyo' });
  const page = await context.newPage();
  const watched = watchPage(page);
  await page.goto(`${product.url}/anna-lee/intro`);
  await page.getByRole('link', { name: 'Change Time zone' }).click();
  const search = page.getByRole('combobox', { name: 'Search for a city or country' });
  await expect(search).toBeFocused();
  await search.fill('new y');
  const option = page.getByRole('option', { name: 'New York' });
  const there = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', hour: 'numeric' });
  await expect(option).toContainText(there.format(Date.now()).replace(/\s.*/, ':'));
  await watched.look('booking-zone');
  await search.fill('India');
  await expect(page.getByRole('option', { name: 'Kolkata' })).toBeVisible();
  await search.fill('new y');
  await expect(option).toBeVisible();
  await search.press('Enter');
  await expect(page.getByText('New York (GMT')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Change Time zone' })).toBeFocused();
  // chosen, it holds for the next page
  await page.goto(`${product.url}/anna-lee/second`);
  await expect(page.getByText('New York (GMT')).toBeVisible();
  watched.expectQuietConsole();
  await context.close();
});

test('a detected zone is not remembered: a traveler sees the times of where they are', async ({ browser }) => {
  const home = await browser.newContext({ timezoneId: 'Asia/Tokyo' });
  const page = await home.newPage();
  await page.goto(`${product.url}/anna-lee/intro`);
  await expect(page.getByText('Tokyo (GMT+9)')).toBeVisible();
  const away = await browser.newContext({ timezoneId: 'America/Lima', storageState: await home.storageState() });
  const later = await away.newPage();
  await later.goto(`${product.url}/anna-lee/intro`);
  await expect(later.getByText('Lima (GMT-5)')).toBeVisible();
  await Promise.all([home.close(), away.close()]);
});

test('going back after booking leads to the times, and blames nobody', async ({ browser }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${product.url}/anna-lee/intro`);
  const slot = (await slots(page).last().getAttribute('id'))?.replace('slot-', '');
  await slots(page).last().click();
  await fillDetails(page, 'back@example.net');
  await page.getByRole('button', { name: 'Confirm booking' }).click();
  await expect(page.getByRole('heading', { name: 'You’re booked!' })).toBeVisible();
  await page.goBack();
  await expect(slots(page).first()).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: /faster|reserved|not free/ })).toHaveCount(0);
  // the list is as new as the booking
  await expect(page.locator(`#slot-${slot}`)).toHaveCount(0);
  await page.getByRole('link', { name: 'View booking' }).click();
  await expect(page.getByRole('heading', { name: 'You’re booked!' })).toBeVisible();
  await page.goto(`${product.url}/anna-lee/intro?slot=${slot}`);
  await expect(page.getByRole('heading', { name: 'You’re booked!' })).toBeVisible();
  await context.close();
});

test('a time chosen by keyboard as soon as it is shown moves the focus to the heading of the form', async ({
  browser,
}) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${product.url}/anna-lee/intro`, { waitUntil: 'commit' });
  await slots(page).first().focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('#details')).toBeFocused();
  // a page that is left before the answer does not know that the reservation is its own
  await expect(page.getByText(/Reserved for you until/)).toBeVisible();
  // opened from elsewhere, the page begins at its beginning
  await page.goto('about:blank');
  await page.goto(`${product.url}/anna-lee/intro`);
  const to = await slots(page).first().getAttribute('href');
  await page.goto('about:blank');
  await page.goto(`${product.url}${to}`);
  await expect(page.getByText(/Reserved for you until/)).toBeVisible();
  await expect(page.locator('#details')).not.toBeFocused();
  // gives the time back: few are held at once for a network
  await page.getByRole('link', { name: 'Choose another time' }).click();
  await expect(slots(page).first()).toBeVisible();
  await context.close();
});

test('a field that only the server refuses is named and has the focus', async ({ browser }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${product.url}/anna-lee/second`);
  await slots(page).last().click();
  await expect(page.getByText(/Reserved for you until/)).toBeVisible();
  await fillDetails(page, 'anna@example.org');
  await page.getByRole('button', { name: 'Confirm booking' }).click();
  await expect(page.getByText("This is a host's address. Enter the address of the guest.")).toBeVisible();
  await expect(page.getByLabel('Your email')).toBeFocused();
  await page.getByRole('link', { name: 'Choose another time' }).click();
  await expect(slots(page).first()).toBeVisible();
  await context.close();
});

test('a host who pauses while a guest types is named, with a way on, and the guest tries again', async ({
  browser,
}) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${product.url}/anna-lee/second`);
  await slots(page).last().click();
  await expect(page.getByText(/Reserved for you until/)).toBeVisible();
  await fillDetails(page, 'kei@example.jp');
  const message = "Anna Lee isn't taking bookings right now.";
  await page.route('**/bookings', (route) =>
    route.fulfill({ status: 409, json: { detail: { code: 'NOT_BOOKABLE', message } } }),
  );
  await page.getByRole('button', { name: 'Confirm booking' }).click();
  await expect(page.getByRole('alert').getByRole('heading', { name: message })).toBeVisible();
  await expect(page.getByRole('alert').getByRole('link', { name: /^See other options from/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Confirm booking' })).toHaveCount(0);
  await expect(page.getByLabel('Your name')).toHaveValue('Kei Tanaka');
  // the host takes bookings again
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: message })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Confirm booking' })).toBeEnabled();
  await page.getByRole('link', { name: 'Choose another time' }).click();
  await expect(slots(page).first()).toBeVisible();
  await context.close();
});

test('on a phone the days before the chosen one stay, and the chosen one is in sight', async ({ browser }) => {
  const context = await browser.newContext({ viewport: phone });
  const page = await context.newPage();
  await page.goto(`${product.url}/anna-lee/intro`);
  const days = page.getByRole('navigation', { name: 'Choose a day' }).getByRole('link');
  const first = (await days.first().textContent()) ?? '';
  const far = days.nth(9);
  const href = (await far.getAttribute('href')) ?? '';
  const expectInSight = async () => {
    await expect(days.first()).toHaveText(first);
    const box = await page.locator('.strip [aria-current]').boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(phone.width);
  };
  await far.click();
  await expect(far).toHaveAttribute('aria-current', 'date');
  await expectInSight();
  await page.goto(`${product.url}${href}`);
  await expect.poll(() => page.evaluate('document.querySelector(".strip").scrollLeft')).toBeGreaterThan(0);
  await expectInSight();
  await context.close();
});

test('a time that another guest has just reserved offers other times, and no form', async ({ browser }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${product.url}/anna-lee/intro`);
  const last = slots(page).last();
  const start = Number((await last.getAttribute('id'))?.replace('slot-', ''));
  // another browser: this one would know its own reservation
  const stranger = await browser.newContext();
  const held = await stranger.request.post(`${product.url}/api/book/anna-lee/intro/holds`, { data: { start } });
  await stranger.close();
  expect(held.status()).toBe(201);
  await last.click();
  const notice = page.getByRole('alert');
  await expect(notice.getByRole('heading', { name: 'This time was just taken' })).toBeVisible();
  await expect(notice).not.toContainText('kept');
  await expect(page.getByLabel('Your name')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Confirm booking' })).toHaveCount(0);
  // one of the others opens the form
  await notice.getByRole('link').first().click();
  await expect(page.getByText(/Reserved for you until/)).toBeVisible();
  await expect(page.getByLabel('Your name')).toBeVisible();
  await context.close();
});
