import { expect, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { fillSignIn, password } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { phone, watchPage } from './watched-page.ts';

/** Somebody who has just started Holdfast on their own machine: no address of its own, no mail server. */

let product: Product;

test.beforeAll(async () => {
  product = await startProduct({ embedded: true, allow: [], env: { PUBLIC_URL: undefined, SMTP_URL: undefined } });
});

test.afterAll(async () => {
  await product?.stop();
  killAll();
});

test('a newcomer signs up, reads the mail where it is kept, and is in', async ({ page }) => {
  const email = 'newcomer@example.org';
  const watched = watchPage(page);
  await page.setViewportSize(phone);
  await watched.expectFailedRequests(async () => {
    await page.goto(product.url);
    await page.getByRole('link', { name: 'Sign up' }).click();
    await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByLabel('Confirm password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign up', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeFocused();
    await watched.look('newcomer-mail');
    // From here on the browser notes that the test itself may not run in the frame with the mail.
    watched.expectQuietConsole();
    await page.getByRole('link', { name: 'Open the mail' }).click();
    await page.getByRole('link', { name: 'Confirm your e-mail address' }).click();
    await page.frameLocator('iframe').getByRole('link', { name: 'Confirm address' }).click();
    await page.getByRole('button', { name: 'Verify email' }).click();
    await expect(page.getByLabel('Email')).toHaveValue(email);
    await fillSignIn(page, email);
    await expect(page).toHaveURL(/\/dashboard$/);
  });
});
