import { type Browser, expect, type Page, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { createPerson, fillSignIn, mailedLink, password } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, watchPage } from './watched-page.ts';

/** How people come in with an address and a password, with the mails that a real SMTP server took. */

let product: Product;

test.beforeAll(async () => {
  product = await startProduct({ allow: [] });
});

test.afterAll(async () => {
  await product?.stop();
  killAll();
});

const changed = 'copper lantern ninety';

async function fillSignUp(page: Page, email: string, typed: string, repeated = typed) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(typed);
  await page.getByLabel('Confirm password', { exact: true }).fill(repeated);
  await page.getByRole('button', { name: 'Sign up', exact: true }).click();
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

test('a user signs up, confirms the address by the mailed link, and signs in', async ({ page }) => {
  const dana = 'dana+cal@example.org';
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(async () => {
    await page.goto(`${product.url}/meetings?scope=past`);
    await expect(heading(page, 'Welcome Back')).toBeVisible();
    await page.getByRole('link', { name: 'Sign up' }).click();
    await expect(heading(page, 'Create your account')).toBeFocused();
    await fillSignUp(page, dana, password, `${password}!`);
    await expect(page.getByText('Passwords do not match')).toBeVisible();
    await fillSignUp(page, dana, 'short');
    await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true');
    await watched.look('sign-up-weak', { phone: true });
    await fillSignUp(page, dana, password);
    await expect(heading(page, 'Check Your Email')).toBeFocused();
    await watched.look('sign-up-sent', { phone: true });
    await mailedLink(product, dana, '/verify-email');

    // Before the address is verified, the right password leads to the mail and no further.
    await page.getByRole('link', { name: 'Back to Login' }).click();
    await expect(page.getByLabel('Email')).toHaveValue(dana);
    await fillSignIn(page, dana);
    await expect(page.getByRole('alert')).toBeVisible();
    await watched.look('sign-in-unverified', { phone: true });
    await page.getByRole('button', { name: 'Resend email' }).click();
    await expect(page.getByText('Only the newest link works.')).toBeVisible();

    // A program that looks into mails opens the link too; only the button has an effect.
    const link = await mailedLink(product, dana, '/verify-email', 2);
    for (let opened = 0; opened < 2; opened += 1) await page.goto(link);
    await expect(page.getByText(dana)).toBeVisible();
    await watched.look('verify-email', { phone: true });
    // The browser that signed up is signed in at once; another one chooses the password.
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Verify email' }).click();
    await expect(heading(page, 'Choose a password')).toBeFocused();
    await watched.look('first-password', { phone: true });
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByLabel('Confirm password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Save password' }).click();
    await expect(page.getByRole('status')).toContainText('confirmed');
    await expect(page).toHaveURL(/\/login$/);
    await watched.look('sign-in-verified', { phone: true });
    await fillSignIn(page, dana);
    await expect(page).toHaveURL(/\/dashboard$/);

    // Used once: the same link does nothing more, and the way out leads on.
    await page.goto(link);
    await page.getByRole('button', { name: 'Verify email' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await watched.look('verify-email-used', { phone: true });
    await page.getByRole('link', { name: 'Back to Login' }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
  });
  watched.expectQuietConsole();
});

async function elsewhere(browser: Browser): Promise<Page> {
  return (await browser.newContext({ viewport: desktop })).newPage();
}

test('a forgotten password is reset by mail, and sessions with the old one end', async ({ page, browser }) => {
  const sam = 'sam@example.org';
  await createPerson(product, sam);
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(async () => {
    await page.goto(`${product.url}/login?from=%2Fintegrations`);
    await fillSignIn(page, sam, 'not the password');
    await expect(page.getByRole('alert')).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue(sam);
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
    await watched.look('sign-in-wrong', { phone: true });
    await page.getByRole('button', { name: 'Show password' }).click();
    await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/integrations$/);
    await expect(heading(page, 'No calendars connected yet')).toBeVisible();
  });

  const other = await elsewhere(browser);
  const watchedOther = watchPage(other);
  await watchedOther.expectFailedRequests(async () => {
    await other.goto(`${product.url}/login`);
    await other.getByLabel('Email').fill(sam);
    await other.getByRole('link', { name: 'Forgot your password?' }).click();
    await expect(other.getByLabel('Email')).toHaveValue(sam);
    await watchedOther.look('password-forgot', { phone: true });
    await other.getByRole('button', { name: 'Send reset link' }).click();
    await expect(heading(other, 'Check Your Email')).toBeFocused();
    await watchedOther.look('password-forgot-sent', { phone: true });
    await other.goto(await mailedLink(product, sam, '/password/reset'));
    await expect(other.getByText(sam)).toBeVisible();
    await other.getByLabel('New password').fill(changed);
    await other.getByLabel('Confirm password', { exact: true }).fill(password);
    await other.getByRole('button', { name: 'Reset password' }).click();
    await expect(other.getByText('Passwords do not match')).toBeVisible();
    await watchedOther.look('password-reset', { phone: true });
    await other.getByLabel('Confirm password', { exact: true }).fill(changed);
    await other.getByRole('button', { name: 'Reset password' }).click();
    await expect(other.getByText('Password reset successfully. Please log in with your new password.')).toBeVisible();
    await fillSignIn(other, sam);
    await expect(other.getByRole('alert')).toBeVisible();
    await fillSignIn(other, sam, changed);
    await expect(other).toHaveURL(/\/dashboard$/);
  });
  watchedOther.expectQuietConsole();

  // The page that stood open has learned of it by itself, and remembers where it was.
  await expect(page).toHaveURL(/\/login\?from=%2Fintegrations$/);
  await other.context().close();
});

test('an address and a password typed before the script has loaded are kept', async ({ page }) => {
  for (const [path, heading] of [
    ['/login', 'Welcome Back'],
    ['/signup', 'Create your account'],
  ] as const) {
    const loaded = Promise.withResolvers<void>();
    await page.route('**/assets/pages/entrance-*.js', async (route) => {
      await loaded.promise;
      await route.continue();
    });
    await page.goto(`${product.url}${path}`, { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
    await page.getByLabel('Email').fill('dana@example.org');
    await page.getByLabel('Password', { exact: true }).fill('typed early');
    loaded.resolve();
    await expect(page.locator('html')).toHaveAttribute('data-live', '');
    await page.getByRole('button', { name: 'Show password' }).first().click();
    await expect(page.getByLabel('Email')).toHaveValue('dana@example.org');
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('typed early');
    await page.unroute('**/assets/pages/entrance-*.js');
  }
});

test('a sign-in never redirects to another site', async ({ page }) => {
  const kim = 'kim@example.org';
  await createPerson(product, kim);
  for (const from of ['//evil.example', '/\t/evil.example', '/\\evil.example', 'https://evil.example']) {
    await page.goto(`${product.url}/login?from=${encodeURIComponent(from)}`);
    await fillSignIn(page, kim);
    await expect(page).toHaveURL(`${product.url}/dashboard`);
    // the app that is open there would leave by itself
    await page.goto('about:blank');
    await page.context().clearCookies();
  }
});
