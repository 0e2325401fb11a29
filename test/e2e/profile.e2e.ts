import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { killAll } from '../harness/spawn-holdfast.ts';
import { fillSignIn, goTo, signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, watchPage } from './watched-page.ts';

/** Profile, preferences in every window, all of one's data in a file, and the way out. */

let product: Product;
test.beforeAll(async () => {
  product = await startProduct({ allow: [] });
});
test.afterAll(async () => {
  await product?.stop();
  killAll();
});

const email = 'vera@example.org';

test('a user sets a picture and preferences in every window, exports their data, and deletes the account', async ({
  page,
  context,
}) => {
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(() => signUp(page, product, email));
  await goTo(page, 'Integrations');
  await page.getByRole('button', { name: 'Connect Calendar Account' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Holdfast calendar' }).click();
  await expect(page.getByText('Kept by Holdfast').first()).toBeVisible();
  const other = await context.newPage();
  await other.goto(`${product.url}/calendar`);
  // Any hour will do: the grid hides the label that is nearest to now.
  await expect(other.getByText(/^\d+ PM$/).first()).toBeAttached();

  await page.goto(`${product.url}/profile`);
  await test.step('a picture, seen in every window', async () => {
    const picture = await sharp({ create: { width: 900, height: 500, channels: 3, background: '#2a9d8f' } })
      .jpeg()
      .toBuffer();
    await page.getByLabel('Choose picture').setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: picture });
    await expect(page.getByRole('button', { name: 'Change picture' })).toBeVisible();
    await expect(other.locator('header img, button img').first()).toBeAttached();
    await watched.look('profile', { phone: true });
  });

  await test.step('preferences, without a reload', async () => {
    await page.getByLabel('Time format').selectOption('24h');
    await page.getByLabel('Week starts on').selectOption('1');
    await page.getByRole('combobox', { name: 'Time zone' }).fill('kolk');
    await page.getByRole('option', { name: 'Asia/Kolkata' }).click();
    await page.getByRole('button', { name: 'Save preferences' }).click();
    await expect(page.getByText('Preferences updated successfully')).toBeVisible();
    await expect(other.getByText(/^1\d:00$/).first()).toBeAttached();
    await expect(other.getByRole('button', { name: /^Time zone Asia\/Kolkata/ })).toBeVisible();
  });

  await test.step('colors and density, in every window and on every device', async () => {
    await page.getByRole('radiogroup', { name: 'Colors' }).getByText('Dark', { exact: true }).click();
    await page.getByRole('radiogroup', { name: 'Density' }).getByText('Compact', { exact: true }).click();
    const looks = (one: Page) => one.evaluate('({ ...document.documentElement.dataset })');
    const wanted = { mantineColorScheme: 'dark', density: 'compact' };
    await expect.poll(() => looks(other)).toMatchObject(wanted);
    // A browser that was never here has no copy of them.
    await other.evaluate(() => localStorage.clear());
    await other.reload();
    await expect.poll(() => looks(other)).toMatchObject(wanted);
    // One that was has them before anything of the app has run.
    await other.route('**/*.js', (route) =>
      route.request().url().endsWith('/theme.js') ? route.continue() : route.abort(),
    );
    await other.reload();
    expect(await looks(other)).toMatchObject(wanted);
    await other.unroute('**/*.js');
    await other.reload();
    await expect(other.getByText('Real-time')).toBeVisible();
    await page.getByRole('radiogroup', { name: 'Colors' }).getByText('System', { exact: true }).click();
    await expect.poll(() => looks(other)).toMatchObject({ mantineColorScheme: 'light' });
  });

  await test.step('what is not saved is asked about before the page is left', async () => {
    await page.getByLabel('Company').fill('Analytical Engines');
    await page.getByRole('link', { name: 'Security' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await expect(dialog.getByRole('button', { name: 'Stay on this page' })).toBeFocused();
    await watched.look('profile-unsaved', { phone: true });
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page.getByLabel('Company')).toHaveValue('Analytical Engines');
    await goTo(page, 'Calendar');
    await dialog.getByRole('button', { name: 'Leave without saving' }).click();
    await expect(page).toHaveURL(/\/calendar/);
    await page.goto(`${product.url}/profile`);
    // by keys: a page that nobody has touched may not ask, and the browser hears of either a little later
    await page.getByLabel('Company').pressSequentially('Analytical Engines');
    await page.keyboard.press('Tab');
    await expect(page.getByLabel('Phone')).toBeFocused();
    const asked = page.waitForEvent('dialog').then((one) => one.accept());
    await Promise.all([asked, page.reload()]);
    await expect(page.getByLabel('Company')).toHaveValue('');
  });

  await test.step('an export, downloaded', async () => {
    await page.getByRole('button', { name: 'Prepare export' }).click();
    const link = page.getByRole('link', { name: /^Download/ });
    await expect(link).toBeVisible({ timeout: 30_000 });
    await watched.look('profile-export', { phone: true });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    const files = unzipSync(await readFile(await download.path()));
    expect(JSON.parse(new TextDecoder().decode(files['account.json']))).toMatchObject({
      email,
      timeZone: 'Asia/Kolkata',
    });
  });

  await test.step('the way out', async () => {
    await page.getByRole('button', { name: 'Delete account...' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill(email);
    await watched.look('profile-delete', { phone: true });
    await watched.expectFailedRequests(async () => {
      await dialog.getByRole('button', { name: 'Delete permanently' }).click();
      await expect(page).toHaveURL(/\/login/);
      await expect(other).toHaveURL(/\/login/);
      await fillSignIn(page, email);
      await expect(page.getByText('Wrong email or password.')).toBeVisible();
    });
    await expect
      .poll(() => product.smtp.mailsTo(email).at(-1)?.parsed.subject)
      .toBe('Your Holdfast account is deleted');
  });
});
