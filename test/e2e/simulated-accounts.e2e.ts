import { expect, type Page, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { goTo, signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, watchPage } from './watched-page.ts';

/** A newcomer without any registration: two simulated accounts, what becomes of a consent that is taken back, and the settings. */

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
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Simulate ${provider}` })
    .click();
  const name = provider === 'Google' ? 'Google' : 'Microsoft Outlook';
  await expect(page.getByText(`${name} account simulated successfully!`)).toBeVisible();
}

const card = (page: Page, email: string) => page.locator('section, article, div').filter({ hasText: email });

test('a simulated account connects with one click, and a revoked consent is renewed with one click', async ({
  page,
}) => {
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(() => signUp(page, product, 'dana@example.org'));
  await goTo(page, 'Integrations');
  await expect(page.getByText('No calendars connected yet')).toBeVisible();
  await watched.look('integrations-empty', { phone: true });
  await page.getByRole('button', { name: 'Connect Calendar Account' }).click();
  await expect(page.getByText('Development Mode - Simulate Connections')).toBeVisible();
  await watched.look('integrations-chooser', { phone: true });
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

  await simulate(page, 'Google');
  await simulate(page, 'Microsoft');
  for (const email of ['dana@gmail.example', 'dana@contoso.example']) {
    await expect(card(page, email).getByText('Synced Just now').first()).toBeVisible();
  }
  // Simulated providers can knock at this machine's address.
  await expect(page.getByText('Live', { exact: false }).first()).toBeVisible({ timeout: 30_000 });
  // toasts of earlier steps would cover the cards
  await expect(page.getByText('account simulated successfully!')).toHaveCount(0);
  await watched.look('integrations-simulated', { phone: true });

  await page.getByRole('button', { name: 'Sync now dana@gmail.example' }).click();
  await expect(page.getByText('Calendar synced successfully!')).toBeVisible();

  await page.getByRole('button', { name: 'Advanced Settings' }).click();
  await expect(page.getByLabel('Days ahead')).toBeVisible();
  await watched.look('integrations-settings', { phone: true });
  await page.getByLabel('Days ahead').fill('120');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();

  // At the provider: the person takes the consent back on the account's own page.
  const [provider] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Open Simulated Google' }).click(),
  ]);
  await expect(provider.getByText('dana@gmail.example').first()).toBeVisible();
  const emulator = new URL(provider.url()).origin;
  await fetch(`${emulator}/_emu/act`, {
    method: 'POST',
    body: JSON.stringify({ account: 'dana@gmail.example', do: 'revoke-access' }),
  });
  await provider.close();
  await page.getByRole('button', { name: 'Sync now dana@gmail.example' }).click();
  const again = page.getByRole('link', { name: 'Reconnect dana@gmail.example' });
  await expect(again).toBeVisible({ timeout: 20_000 });
  await watched.look('integrations-reconnect', { phone: true });

  // No, at first: nothing changes, and the address is clean again.
  await again.click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await expect(page.getByText("You didn't give Holdfast access to Google", { exact: false })).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/integrations`);
  await watched.look('integrations-denied');

  // A box left out: connected, but not complete.
  await page.getByRole('link', { name: 'Reconnect dana@gmail.example' }).click();
  await page.getByRole('checkbox', { name: 'View and edit events' }).uncheck();
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(
    page.getByText('Google is connected, but some permissions are missing', { exact: false }).first(),
  ).toBeVisible();

  await page.getByRole('link', { name: 'Reconnect dana@gmail.example' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByText('Google calendar connected successfully!')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Reconnect dana@gmail.example' })).toBeHidden();
  await expect(page.getByText('dana@gmail.example').first()).toBeVisible();

  // the data survives a restart of the whole product
  await watched.expectFailedRequests(async () => {
    await product.crash();
    await product.restart();
    await page.goto(`${product.url}/integrations`);
  });
  await page.getByRole('button', { name: 'Sync now dana@contoso.example' }).click();
  await expect(page.getByText('Calendar synced successfully!')).toBeVisible();

  await page.getByRole('button', { name: 'Disconnect dana@gmail.example' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByText('dana@gmail.example')).toHaveCount(0, { timeout: 30_000 });
  watched.expectQuietConsole();
});
