import { expect, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { createPerson, fillSignIn, mailedLink, signOut } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, watchPage } from './watched-page.ts';

/** Changes of sign-in methods by a signed-in person. */

let product: Product;

test.beforeAll(async () => {
  product = await startProduct({ allow: [] });
});

test.afterAll(async () => {
  await product?.stop();
  killAll();
});

test('a new password and a new address end other sessions, and only the new ones sign in', async ({
  page,
  browser,
}) => {
  const [before, after] = ['mia@example.org', 'mia.new@example.org'];
  const changed = 'copper lantern ninety';
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  const other = await (await browser.newContext({ viewport: desktop })).newPage();
  await watched.expectFailedRequests(async () => {
    await createPerson(product, before);
    await other.goto(`${product.url}/login`);
    await fillSignIn(other, before);
    await expect(other).toHaveURL(/\/dashboard$/);
    await page.goto(`${product.url}/login?from=%2Fprofile%2Fsecurity`);
    await fillSignIn(page, before);
    await expect(page.getByRole('heading', { name: 'Security' })).toBeVisible();

    await test.step('the password', async () => {
      await page.getByRole('button', { name: 'Change' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Choose a new password' });
      await dialog.getByLabel('New password').fill(changed);
      await dialog.getByLabel('Confirm password', { exact: true }).fill(changed);
      await watched.look('security-password', { phone: true });
      await dialog.getByRole('button', { name: 'Change password' }).click();
      await expect(dialog).toBeHidden();
      // Live, without a press; here the person stays.
      await expect(other).toHaveURL(/\/login/);
      await expect(page.getByText('Password changed').first()).toBeVisible();
      await fillSignIn(other, before);
      await expect(other.getByRole('alert')).toBeVisible();
    });

    await test.step('the address', async () => {
      await page.getByRole('button', { name: 'Change' }).nth(1).click();
      await page.getByLabel('New email address').fill(after);
      await page.getByRole('button', { name: 'Send link' }).click();
      await expect(page.getByRole('dialog', { name: 'Check your email' })).toBeVisible();
      await page.goto(await mailedLink(product, after, '/verify-email'));
      await page.getByRole('button', { name: 'Verify email' }).click();
      await expect(page).toHaveURL(/\/dashboard$/);
      await expect
        .poll(() => product.smtp.mailsTo(before).map((mail) => mail.parsed.subject))
        .toContain('Your email address was changed');
      await signOut(page);
      await fillSignIn(page, before, changed);
      await expect(page.getByRole('alert')).toBeVisible();
      await fillSignIn(page, after, changed);
      await expect(page).toHaveURL(/\/dashboard$/);
    });
  });
  watched.expectQuietConsole();
  await other.context().close();
});
