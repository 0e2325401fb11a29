import { expect, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { openTeam } from './open-team.ts';
import { fillSignIn } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, watchPage } from './watched-page.ts';

/** A person invites a teammate and contacts by the beginning of their names, with the keyboard alone. */

test.use({ actionTimeout: 10_000 });

let product: Product;
test.beforeAll(async () => {
  product = await startProduct({ allow: [] });
});
test.afterAll(async () => {
  await product?.stop();
  killAll();
});

const day = Temporal.Now.plainDateISO('Europe/Berlin').add({ days: 14 });

test('guests are picked by keys in the editor and in quick create', async ({ page }) => {
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  const { asks } = await openTeam(page, product, ['dana@example.org', 'jonas.mate@example.org']);
  const [dana] = asks;
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
    await expect(form.getByLabel('Location')).toBeFocused();
  });

  await test.step('the event has both guests', async () => {
    await form.getByRole('button', { name: 'Create Event' }).click();
    await page
      .getByRole('button', { name: /Planning/ })
      .first()
      .click();
    await expect(page.getByRole('dialog').getByText('Jonas Weber')).toBeVisible();
    await expect(page.getByRole('dialog').getByText('Jonas.mate')).toBeVisible();
    await page.keyboard.press('Escape');
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
