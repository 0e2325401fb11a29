import { expect, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { goTo, signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, watchPage } from './watched-page.ts';

/** The setup of bookings: an address is chosen, and event types are made, changed, shared and ordered. */

let product: Product;
test.beforeAll(async () => {
  product = await startProduct({ allow: [], env: { SIMULATED_PROVIDERS: 'true' } });
});
test.afterAll(async () => {
  await product?.stop();
  killAll();
});

test('a host creates, edits, shares, deletes, and restores an event type', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await signUp(page, product, 'nora@example.org');
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()');

  await test.step('the address is suggested, checked and taken', async () => {
    await page.goto(`${product.url}/booking-links`);
    const field = page.getByLabel('Your address');
    await expect(field).toHaveValue('nora');
    await watched.look('links-empty');
    await field.fill('adm1n');
    await expect(page.getByText('This name is reserved')).toBeVisible();
    await field.fill('nora-lee');
    await expect(page.getByText('This name is available')).toBeVisible();
    await page.getByRole('button', { name: 'Use this address' }).click();
    await page.getByRole('button', { name: 'Copy link to your page' }).click();
    await expect.poll(copied).toBe(`${product.url}/nora-lee`);
  });

  await test.step('an event type is created by keyboard, and its link is on the clipboard', async () => {
    await page.getByRole('button', { name: 'Create Event Type' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Create Event Type' });
    await expect(dialog.getByLabel('Title')).toBeFocused();
    await page.keyboard.type('Intro call');
    await page.keyboard.press('Enter');
    const card = page.getByRole('dialog', { name: '“Intro call” is live' });
    await expect(card.getByText('Copied to your clipboard.')).toBeVisible();
    await expect.poll(copied).toBe(`${product.url}/nora-lee/intro-call`);
    await watched.look('links-live', { phone: true });
    await card.getByRole('link', { name: 'Edit details' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Intro call' })).toBeVisible();
  });

  await test.step('it is changed, and the change is saved', async () => {
    await page.getByLabel('Minutes', { exact: true }).fill('45');
    await page.getByRole('button', { name: 'Add duration' }).click();
    await page.getByRole('button', { name: 'Add question' }).click();
    await page.getByRole('textbox', { name: 'Question' }).fill('What is it about?');
    await watched.look('links-editor', { phone: true });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText("Saved. Existing bookings don't change.")).toBeVisible();
    await expect(page.getByText('Unsaved changes')).toBeHidden();
  });

  await test.step('it is shared by link, QR code and a private link', async () => {
    await page.getByRole('link', { name: 'All booking links' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'Intro call' });
    await row.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(copied).toBe(`${product.url}/nora-lee/intro-call`);
    await watched.look('links-list', { phone: true });
    await page.getByRole('button', { name: 'More actions for Intro call' }).click();
    await page.getByRole('menuitem', { name: 'Share...' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share Intro call' });
    await dialog.getByRole('button', { name: 'Create a private link' }).click();
    await dialog.getByRole('textbox', { name: 'Recipient (only you see this)' }).fill('Ada');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = dialog.getByRole('listitem').filter({ hasText: 'Ada' });
    await link.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(copied).toMatch(/\/l\/[\w-]{43}$/);
    await watched.look('links-share');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Private links 1' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: 'Ada' }).getByText('Intro call')).toBeVisible();
    await watched.look('links-private', { phone: true });
    await page.getByRole('link', { name: 'Shared times 0' }).click();
    await expect(page.getByRole('heading', { name: 'No shared times yet' })).toBeVisible();
    await page.getByRole('link', { name: 'Event types 1' }).click();
  });

  await test.step('the old address and the keys lead to them', async () => {
    await page.goto(`${product.url}/availability/links`);
    await expect(page).toHaveURL(/\/booking-links$/);
    await expect(page.getByRole('heading', { level: 1, name: 'Booking links' })).toBeVisible();
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await expect(page).toHaveURL(/\/availability$/);
    await page.keyboard.press('g');
    await page.keyboard.press('l');
    await expect(
      page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Booking links' }),
    ).toHaveAttribute('aria-current', 'page');
  });

  await test.step('a time that guests miss is explained', async () => {
    await page.getByRole('button', { name: 'More actions for Intro call' }).click();
    await page.getByRole('menuitem', { name: 'Why is a time not offered?' }).click();
    const dialog = page.getByRole('dialog', { name: 'Why is a time not offered?' });
    await dialog.getByLabel('Time').fill('03:00');
    await expect(dialog.getByText("No, guests can't book this time")).toBeVisible();
    await expect(dialog.getByText("It's outside your hours, or too close to the end.")).toBeVisible();
    await watched.look('links-explain', { phone: true });
    await page.keyboard.press('Escape');
  });

  await test.step('what is deleted comes back', async () => {
    await page.getByRole('button', { name: 'More actions for Intro call' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(page.getByText('No event types yet')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('link', { name: 'Intro call', exact: true })).toBeVisible();
  });

  watched.expectQuietConsole();
});

test('a calendar has its own booking link, and times picked on the grid are shared', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await signUp(page, product, 'ben@example.org');
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()');

  await test.step('a calendar of Integrations has a link', async () => {
    await goTo(page, 'Integrations');
    await page.getByRole('button', { name: /^Connect (Calendar )?Account$/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Simulate Google' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.getByRole('button', { name: 'Generate link' }).first().click();
    const dialog = page.getByRole('dialog', { name: /^Booking link/ });
    await dialog.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(copied).toMatch(/\/l\/[\w-]{43}$/);
    await watched.look('links-integrations', { phone: true });
    await page.keyboard.press('Escape');
  });

  await test.step('the palette copies it', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search and commands' }).getByRole('combobox').fill('30 minute');
    await page.getByRole('option', { name: /Copy link: 30 minute meeting/ }).click();
    await expect.poll(copied).toMatch(/\/l\/[\w-]{43}$/);
  });

  await test.step('times picked on the grid are shared as a text, as HTML and as a link', async () => {
    await goTo(page, 'Calendar');
    const thisWeek = page.url();
    await page.getByRole('button', { name: 'Next week' }).click();
    await expect(page).not.toHaveURL(thisWeek);
    await expect(page.locator('[data-event]').first()).toBeVisible();
    await page.keyboard.press('s');
    const bar = page.getByRole('region', { name: 'Share times' });
    await expect(bar).toBeVisible();
    for (const column of [1, 3]) await page.locator(`[data-slot][data-column="${column}"][data-minute="180"]`).click();
    await expect(bar.getByText('4 times picked')).toBeVisible();
    await page
      .getByRole('button', { name: /Remove .*3:30 –/ })
      .first()
      .click();
    await expect(bar.getByText('3 times picked')).toBeVisible();
    await watched.look('share-grid', { phone: true });
    await bar.getByRole('button', { name: 'Share...' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share 3 times' });
    await expect(dialog.getByLabel('Message', { exact: true })).toHaveValue(/- 3:00\D+3:30/);
    await watched.look('share-dialog', { phone: true });
    await dialog.getByRole('button', { name: 'Copy text' }).click();
    await expect.poll(copied).toMatch(/Times are in Europe\/Berlin\. Choose one here:\n\S+\/l\/[\w-]{43}$/);
    await dialog.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(copied).toMatch(/\/l\/[\w-]{43}$/);
    await dialog.getByRole('button', { name: 'Copy as HTML' }).click();
    await expect(dialog.getByRole('button', { name: 'Copied' }).last()).toBeVisible();
  });
  watched.expectQuietConsole();
});
