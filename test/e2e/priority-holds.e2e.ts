import { expect, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { askIn } from './ask-as.ts';
import { signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, watchPage } from './watched-page.ts';

/** A person keeps time that what is more important may take: it is booked over, moves, and comes back. */

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
const tuesday = today.add({ days: ((2 - today.dayOfWeek + 7) % 7) + (today.dayOfWeek >= 2 ? 7 : 0) });
const msOf = (time: string) => tuesday.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds;

test('a hold is created, booked over, viewed, removed, and restored', async ({ page }) => {
  const ask = askIn(page.request, product.url);
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(() => signUp(page, product, 'keeper@example.org'));
  await page.goto(`${product.url}/integrations`);
  await page.getByRole('button', { name: 'Connect Calendar Account' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Holdfast calendar' }).click();
  await expect(page.getByText('Kept by Holdfast').first()).toBeVisible();
  await page.goto(`${product.url}/availability`);
  const made = page.locator('section').filter({ hasText: 'Tentative time others can still book' });
  const row = made.getByRole('listitem').filter({ hasText: 'Deep work' });

  await test.step('it is made by keys, with rank and range', async () => {
    await expect(made.getByText('No upcoming holds')).toBeVisible();
    await made.getByRole('button', { name: 'New hold' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New hold' });
    await expect(dialog.getByLabel('Title')).toBeFocused();
    await page.keyboard.type('Deep work');
    await dialog.getByLabel('Start').fill(`${tuesday.toString()}T10:00`);
    await expect(dialog.getByRole('textbox', { name: 'End' })).toHaveValue(`${tuesday.toString()}, 11:00 AM`);
    await dialog.getByLabel('Becomes critical').selectOption({ label: '1 hour' });
    await watched.look('hold-new', { phone: true });
    await dialog.getByRole('button', { name: 'Create hold' }).click();
    await expect(page.getByText('Hold created')).toBeVisible();
    await expect(row).toContainText('10:00 AM – 11:00 AM');
    await expect(row).toContainText('Low');
  });

  let manage = '';
  await test.step('somebody books the time, and it moves', async () => {
    const location = { kind: 'link', url: 'https://meet.example.org/keeper' };
    await ask('PUT', '/api/handle', { handle: 'keeper' });
    await ask('POST', '/api/event-types', {
      title: 'Intro',
      kind: 'one-on-one',
      settings: { notice_minutes: 0, location },
    });
    const wish = { start: msOf('10:00') / 60_000, name: 'Gus', email: 'gus@example.net', zone, language: 'en' };
    const booked = await ask<{ bookings: { token: string }[] }>('POST', '/api/book/keeper/intro/bookings', wish);
    manage = booked.bookings[0]?.token ?? '';
    await expect(row).toContainText('10:30 AM – 11:30 AM');
  });

  await test.step('its card and its dialog tell what it is and what happened', async () => {
    await page.goto(`${product.url}/calendar?day=${tuesday.toString()}`);
    await page
      .getByRole('button', { name: /Deep work/ })
      .first()
      .click();
    const card = page.getByRole('dialog');
    await expect(card).toContainText('Hold: Low · Within the same day · critical 1 hour before');
    await watched.look('hold-card');
    await card.getByRole('button', { name: 'Edit hold' }).click();
    const dialog = page.getByRole('dialog', { name: 'Hold', exact: true });
    await expect(dialog).toContainText('Booked over. Moved to');
    await expect(dialog).toContainText('Intro, Gus was booked');
    await watched.look('hold-edit', { phone: true });
    await dialog.getByRole('button', { name: 'Remove hold' }).click();
    await expect(page.getByRole('button', { name: /Deep work/ })).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('button', { name: /Deep work/ }).first()).toBeVisible();
  });

  await test.step('the booking goes, and it is back where it was put', async () => {
    await ask('POST', `/api/booked/${manage}/cancel`, {});
    await page.goto(`${product.url}/availability`);
    await expect(row).toContainText('10:00 AM – 11:00 AM');
    await page.evaluate('scrollTo(0, 0)');
    await watched.look('holds-list', { phone: true });
  });
  watched.expectQuietConsole();
});
