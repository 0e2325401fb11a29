import { expect, type Page, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { goTo, signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, inMotion, watchPage } from './watched-page.ts';

/** Layers over every screen: the palette, the keyboard sheet and the inbox; by keyboard alone. */

test.use(inMotion);

let product: Product;
test.beforeAll(async () => {
  product = await startProduct({ allow: [], env: { SIMULATED_PROVIDERS: 'true' } });
});
test.afterAll(async () => {
  await product?.stop();
  killAll();
});

async function simulate(page: Page, provider: 'Google' | 'Microsoft') {
  await page.getByRole('button', { name: /^Connect (Calendar )?Account$/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: `Simulate ${provider}` }).click();
  await expect(dialog).toBeHidden();
}

test('the palette finds events and times by keyboard, and the inbox shows conflicts', async ({ page }) => {
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await signUp(page, product, 'nora@example.org');
  await goTo(page, 'Integrations');
  await simulate(page, 'Google');
  await simulate(page, 'Microsoft');

  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  const field = palette.getByRole('combobox');
  const option = (name: string | RegExp) => palette.getByRole('option', { name });

  await test.step('events that were just read are found', async () => {
    await page.keyboard.press('Control+k');
    await expect(field).toBeFocused();
    await expect(option(/^Create event(?! type)/)).toHaveAttribute('aria-selected', 'true');
    await expect(async () => {
      await field.fill('choi');
      await field.fill('choir');
      await expect(option(/^Choir/)).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await watched.look('palette-found', { phone: true });
    await page.keyboard.press('Enter');
    const card = page.getByRole('dialog', { name: 'Choir' });
    await expect(card).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(card).toBeHidden();
  });

  await test.step('a time in what is typed becomes an event, a day or a time elsewhere', async () => {
    await page.keyboard.press('Control+k');
    await field.fill('9am Tokyo');
    await expect(option('9:00 AM in Tokyo is 1:00 AM your time')).toBeVisible();
    await field.fill('12 mar 2027');
    await expect(option('Go to Fri, 2027-03-12')).toBeVisible();
    await field.fill('lunch with Priya 12 mar 2027 1pm 45m');
    await expect(option(/lunch with Priya.*1:00 PM – 1:45 PM/)).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    const form = page.getByRole('dialog', { name: 'Create Event' });
    await expect(form.getByLabel('Title')).toHaveValue('lunch with Priya');
    await expect(form.getByLabel('Start', { exact: true })).toHaveValue('2027-03-12, 1:00 PM');
    await expect(form.getByLabel('End', { exact: true })).toHaveValue('2027-03-12, 1:45 PM');
    await page.keyboard.press('Escape');
    await expect(form).toBeHidden();
  });

  await test.step('keys that act here are listed, and can be switched off', async () => {
    await page.goto(`${product.url}/meetings`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(sheet.getByText('Go to Calendar')).toBeVisible();
    await watched.look('keyboard-sheet', { phone: true });
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
  });

  await test.step('conflicts of the two accounts are told', async () => {
    const bell = page.getByRole('button', { name: /^Notifications, \d+ unread$/ });
    await expect(bell).toBeVisible({ timeout: 40_000 });
    await expect(page).toHaveTitle(/^\(\d+\) /);
    await bell.focus();
    await page.keyboard.press('Enter');
    const inbox = page.getByRole('dialog', { name: 'Notifications' });
    await expect(inbox.getByRole('link', { name: / conflicts with / }).first()).toBeVisible();
    await watched.look('inbox', { phone: true });
    await inbox.getByRole('button', { name: 'Mark all as read' }).click();
    await expect(page).toHaveTitle(/^Meetings/);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeFocused();
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await expect(page).toHaveURL(/\/calendar/);
  });
  watched.expectQuietConsole();
});
