import { expect, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { openTeam } from './open-team.ts';
import { fillSignIn } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, watchPage } from './watched-page.ts';

/** A person invites a teammate and contacts by the beginning of their names, and finds a time at which they are free. */

test.use({ actionTimeout: 10_000 });

let product: Product;
test.beforeAll(async () => {
  product = await startProduct({ allow: [] });
});
test.afterAll(async () => {
  await product?.stop();
  killAll();
});

const zone = 'Europe/Berlin';
const today = Temporal.Now.plainDateISO(zone);
/** A Wednesday, so that both are in their working hours. */
const day = today.add({ days: 17 - today.dayOfWeek });
const instantAt = (time: string) => day.toZonedDateTime({ timeZone: zone, plainTime: time }).toInstant().toString();

test('guests are picked by keys in the editor and in quick create, and a free time is found', async ({ page }) => {
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  const { asks } = await openTeam(page, product, ['dana@example.org', 'jonas.mate@example.org']);
  const [dana, jonas] = asks;
  const { calendars } = (await jonas?.<{ calendars: { id: string }[] }>('GET', '/api/calendars')) ?? { calendars: [] };
  await jonas?.('POST', '/events', {
    title: 'Not for Dana',
    calendar_id: calendars[0]?.id,
    start_time: instantAt('09:45'),
    end_time: instantAt('10:30'),
  });
  for (const [address, name] of [
    ['jonas@client.example', 'Jonas Weber'],
    [
      'joan-of-a-very-long-address.that-does-not-fit@an-even-longer-domain-of-a-client.example',
      'Joan Ångström-Vandenberghe of the Northern Department of Logistics',
    ],
    ['jo@שלום.example', 'ג׳ונתן Jonatan'],
    ['jonna@example.net', undefined],
  ] as const) {
    await dana?.('POST', '/api/contacts', { address, name });
  }
  await watched.expectFailedRequests(async () => {
    await page.goto(`${product.url}/login`);
    await fillSignIn(page, 'dana@example.org');
    await expect(page).toHaveURL(/\/dashboard$/);
  });
  await page.goto(`${product.url}/calendar?day=${day.toString()}&new=${day.toString()}T10:00`);
  const form = page.getByRole('dialog', { name: 'Create Event' });
  const guests = form.getByRole('combobox', { name: 'Guests' });
  const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');

  await test.step('the first suggestion is the teammate, and Enter takes it', async () => {
    await form.getByLabel('Title').fill('Planning');
    await guests.focus();
    await page.keyboard.type('jo');
    await expect(options).toHaveCount(5);
    await watched.look('guests-editor', { phone: true });
    await page.keyboard.press('Enter');
    await expect(form.getByRole('button', { name: 'Remove Jonas.mate' })).toBeVisible();
    await expect(guests).toBeFocused();
  });

  await test.step('Escape closes the list, not the form', async () => {
    await page.keyboard.type('jonas');
    await expect(options).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(options).toHaveCount(0);
    await expect(form).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await expect(form.getByRole('button', { name: 'Remove Jonas Weber' })).toBeVisible();
    // the next control is a free time, where the times of the teammate are there already, else the location
    await expect(guests).not.toBeFocused();
    await expect(form.locator(':focus')).toHaveCount(1);
  });

  await test.step('the busy time of the teammate is shown, and a time when both are free is one press away', async () => {
    const times = form.getByRole('region', { name: 'Guest availability' });
    await expect(times.getByText('Busy until 10:30 AM')).toBeVisible();
    await expect(times.getByText('Availability not shared: Jonas Weber')).toBeVisible();
    await times.scrollIntoViewIfNeeded();
    await watched.look('guests-times', { phone: true });
    const free = times.getByRole('group', { name: 'Everyone who shares availability is free' });
    await free.getByRole('button').first().click();
    await expect(times.getByText('Free', { exact: true })).toBeVisible();
    await expect(free).toBeHidden();
  });

  await test.step('the event has both guests', async () => {
    await form.getByRole('button', { name: 'Create Event' }).click();
    await expect(page.getByText('Created: Planning')).toBeVisible();
    const range = `from=${instantAt('00:00')}&to=${instantAt('23:00')}`;
    await expect
      .poll(async () => {
        const answer = await dana?.<{ events: { attendees: string[] }[] }>('GET', `/api/calendars/events?${range}`);
        return answer?.events.flatMap(({ attendees }) => attendees).toSorted();
      })
      .toEqual(['Jonas Weber', 'Jonas.mate']);
  });

  await test.step('quick create takes the focus into the field and offers the same', async () => {
    await page.locator('[data-slot][data-minute="600"]').first().press('Enter');
    const card = page.getByRole('dialog', { name: 'Create Event' });
    await card.getByLabel('Title').fill('Short');
    await card.getByRole('button', { name: 'Add guests' }).press('Enter');
    await page.keyboard.type('jon');
    await expect(options).toHaveCount(4);
    await watched.look('guests-quick');
    await page.keyboard.press('Escape');
    await expect(card).toBeVisible();
    await expect(options).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(card).toBeHidden();
  });
  watched.expectQuietConsole();
});
