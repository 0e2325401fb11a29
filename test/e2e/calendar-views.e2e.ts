import { expect, type Page, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { goTo, signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, phone, watchPage } from './watched-page.ts';

/** A person from New York looks at their calendar in Tokyo, in the weeks in which New York's clocks change. */

test.use({ timezoneId: 'Asia/Tokyo' });

let product: Product;
test.beforeAll(async () => {
  product = await startProduct({ allow: [] });
});
test.afterAll(async () => {
  await product?.stop();
  killAll();
});

const zone = 'America/New_York';

interface NewEvent {
  title: string;
  when: { kind: 'timed'; start: string; end: string; zone: string } | { kind: 'all-day'; start: string; end: string };
  recurrence?: string;
  guests?: string[];
}

const at = (start: string, end: string): NewEvent['when'] => ({ kind: 'timed', start, end, zone });

/** The clocks go forward on Sunday, March 14. */
const events: NewEvent[] = [
  { title: 'Stand-up', when: at('2027-03-10T09:00', '2027-03-10T09:30'), recurrence: 'FREQ=DAILY;COUNT=8' },
  { title: 'Night shift', when: at('2027-03-13T22:00', '2027-03-14T06:00') },
  { title: 'Pitch', when: at('2027-03-15T11:00', '2027-03-15T12:00'), guests: ['bo@client.example'] },
  { title: 'Fair', when: { kind: 'all-day', start: '2027-03-12', end: '2027-03-16' } },
  ...['A', 'B', 'C', 'D', 'E', 'F'].map((name, hour) => ({
    title: `Call ${name}`,
    when: at(`2027-03-17T1${hour}:00`, `2027-03-17T1${hour}:30`),
  })),
];

async function createEvents(page: Page): Promise<void> {
  const headers = { origin: product.url };
  const { calendars } = (await (await page.request.get(`${product.url}/api/calendars`)).json()) as {
    calendars: { id: string }[];
  };
  for (const { title, when, recurrence = null, guests = [] } of events) {
    const answer = await page.request.post(`${product.url}/events`, {
      headers,
      data: {
        calendar_id: calendars[0]?.id,
        title,
        when,
        recurrence,
        description: '',
        location: '',
        meeting_link: null,
        attendees: guests.map((email) => ({ email, name: null })),
        busy: 'busy',
        private: false,
        reminders: null,
        tell_guests: false,
      },
    });
    expect(answer.status(), await answer.text()).toBe(202);
  }
}

test('day, week, month, and agenda views agree across time zones and a DST change', async ({ page }) => {
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(() => signUp(page, product, 'nina@example.org'));
  await page.request.patch(`${product.url}/api/account/preferences`, {
    headers: { origin: product.url },
    data: { timezone: zone },
  });
  await goTo(page, 'Integrations');
  await page.getByRole('button', { name: 'Connect Calendar Account' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Holdfast calendar' }).click();
  await expect(page.getByText('Kept by Holdfast').first()).toBeVisible();
  await createEvents(page);

  const event = (name: RegExp) => page.getByRole('button', { name });

  await test.step('the device is elsewhere, which is said once and changes nothing', async () => {
    await page.goto(`${product.url}/calendar?day=2027-03-10&zone2=Asia%2FTokyo`);
    await expect(page.getByText('This device is in Asia/Tokyo')).toBeVisible();
    await page.getByRole('button', { name: 'Keep New York time' }).click();
    await expect(page.getByText('This device is in Asia/Tokyo')).toBeHidden();
  });

  await test.step('a week: nine in the morning stays nine, and Tokyo stands beside it', async () => {
    const standUps = event(/^Stand-up 9:00 – 9:30/);
    await expect(standUps).toHaveCount(4);
    // Fourteen hours ahead in the last week of winter: nine in the morning is eleven at night.
    await expect(page.getByText('Tokyo GMT+9')).toBeVisible();
    const tokyo = page.locator('[data-other] span');
    await expect(tokyo.nth(8)).toHaveText(/^11\sPM$/);
    await watched.look('views-week', { phone: true });
    await page.keyboard.press('j');
    await expect(event(/^Stand-up 9:00 – 9:30/)).toHaveCount(4);
    await expect(tokyo.nth(8)).toHaveText(/^10\sPM$/);
    // Eight hours on the wall, seven that passed.
    await expect(event(/^Night shift 10:00 PM – 6:00 AM/)).toBeVisible();
  });

  await test.step('a month, by keyboard: bars over its weeks, lines, and what has no room', async () => {
    await page.keyboard.press('m');
    await expect(page.getByRole('heading', { level: 1, name: 'March 2027' })).toBeVisible();
    await expect(event(/^Fair/)).toHaveCount(2);
    await expect(event(/Stand-up.*9:00 – 9:30/)).toHaveCount(8);
    // A phone has a month of its own.
    await page.setViewportSize(phone);
    await expect(page.getByRole('button', { name: /^Sunday, March 14, \d events$/ })).toBeVisible();
    await page.setViewportSize(desktop);
    await watched.look('views-month', { phone: true });
    await page.getByRole('button', { name: /^\+\d more$/ }).click();
    const list = page.getByRole('dialog', { name: /more events?$/ });
    await expect(list.getByText('Call F')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Open Sunday, March 14' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await expect(event(/Stand-up.*9:00 – 9:30/).and(page.locator(':focus'))).toHaveCount(1);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Stand-up' }).getByText(/^Monday, March 15, 9:00/)).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('an agenda: each day it touches, empty days in words', async () => {
    await page.goto(`${product.url}/calendar?view=agenda&day=2027-03-13`);
    await expect(event(/^All day Fair day 2 of 4/)).toBeVisible();
    await expect(event(/^10:00 PM – 12:00 AM Night shift day 1 of 2/)).toBeVisible();
    await expect(event(/^12:00 – 6:00 AM Night shift day 2 of 2/)).toBeVisible();
    await expect(page.getByText('No events from Thursday, March 18 to Friday, April 9')).toBeVisible();
    await watched.look('views-agenda', { phone: true });
  });

  await test.step('only what is with a client, and a day of it', async () => {
    await page.getByRole('combobox', { name: 'Filter' }).selectOption('clients');
    await expect(event(/Stand-up/)).toHaveCount(0);
    await expect(event(/^11:00 AM – 12:00 PM Pitch/)).toBeVisible();
    await page.getByRole('button', { name: /^Monday, March 15/ }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'March 15, 2027' })).toBeVisible();
    await expect(event(/^Pitch/)).toBeVisible();
  });

  await test.step('zones by their city, remembered; the weekend left out', async () => {
    await page.goto(`${product.url}/calendar?day=2027-03-10`);
    await expect(event(/^Stand-up/).first()).toBeVisible();
    await page.keyboard.press('z');
    const dialog = page.getByRole('dialog', { name: 'Time zones' });
    await dialog.getByRole('button', { name: 'Add time zone' }).click();
    await dialog.getByLabel('Second time zone').fill('kolk +5:30');
    await page.getByRole('option', { name: /Kolkata/ }).click();
    await watched.look('views-zones');
    await dialog.getByRole('button', { name: 'Done' }).click();
    // the saved choice arrives with the session, a moment after the click
    await page.getByRole('checkbox', { name: 'Show weekends' }).click();
    await expect(page.getByRole('checkbox', { name: 'Show weekends' })).not.toBeChecked();
    await expect(page.getByRole('button', { name: /Open Saturday/ })).toHaveCount(0);
    await page.reload();
    await expect(page.getByText(/Kolkata GMT\+5:30/)).toBeVisible();
    await expect(page.getByRole('button', { name: /Open Friday/ })).toBeVisible();
    await expect(page.getByRole('button', { name: /Open Saturday/ })).toHaveCount(0);
  });
  watched.expectQuietConsole();
});
