import { expect, type Page, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, watchPage } from './watched-page.ts';

/** Accounts that workflows send through: simulated ones, a refusal, and who agreed to text messages. */

let product: Product;

test.beforeAll(async () => {
  product = await startProduct({ allow: [], env: { SIMULATED_PROVIDERS: 'true' } });
});

test.afterAll(async () => {
  await product?.stop();
  killAll();
});

async function simulate(page: Page, name: string) {
  await page.getByRole('button', { name: 'Connect a service' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Simulate ${name}` })
    .click();
  await expect(page.getByRole('dialog')).toBeHidden();
}

test('services are connected, tested, and disconnected, and phone numbers opt in and out', async ({ page }) => {
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(() => signUp(page, product, 'wanda@example.org'));
  await page.goto(`${product.url}/workflows/connections`);
  await expect(page.getByText('No services connected yet')).toBeVisible();
  await watched.look('channels-empty', { phone: true });

  await page.getByRole('button', { name: 'Connect a service' }).click();
  await expect(page.getByRole('dialog').getByText('Text messages', { exact: true })).toBeVisible();
  await watched.look('channels-chooser', { phone: true });
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Twilio/ })
    .click();
  await page.getByRole('dialog').getByLabel('Account SID').fill('AC1');
  await page.getByRole('dialog').getByRole('button', { name: 'Test and connect' }).click();
  await expect(page.getByText('Enter AC followed by 32 letters and digits')).toBeVisible();
  await watched.look('channels-form', { phone: true });
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

  await simulate(page, 'Twilio');
  await simulate(page, 'Slack bot');
  await simulate(page, 'HubSpot');
  const list = page.getByRole('list', { name: 'Connected services' });
  await expect(list.getByText('Works')).toHaveCount(3);
  await page
    .getByRole('button', { name: /^Test connection wanda/ })
    .first()
    .click();
  await expect(page.getByText(/ works$/)).toBeVisible();

  await page.getByLabel('Number with country code').fill('0151 12345678');
  await page.getByLabel('The owner of this number agreed to text messages from me').check();
  await watched.expectFailedRequests(async () => {
    await page.getByRole('button', { name: 'Add number' }).click();
    await expect(page.getByText(/phone number with its country code/)).toBeVisible();
  });
  await page.getByLabel('Number with country code').fill('+49 151 12345678');
  await page.getByRole('button', { name: 'Add number' }).click();
  await expect(page.getByText('Agreed', { exact: true })).toBeVisible();
  await watched.look('channels-list', { phone: true });
  await page.getByRole('button', { name: 'Stop messages +4915112345678' }).click();
  await expect(page.getByText('Opted out', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Agreed', { exact: true })).toBeVisible();

  const [service] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: /^View sent messages HubSpot/ }).click(),
  ]);
  await expect(service.getByText('Nobody has been pushed yet.')).toBeVisible();
  await service.close();

  await page.getByRole('button', { name: /^Disconnect HubSpot/ }).click();
  await expect(page.getByRole('dialog').getByText('No workflow uses it.')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(list.getByText('Works')).toHaveCount(2);
  watched.expectQuietConsole();
});
