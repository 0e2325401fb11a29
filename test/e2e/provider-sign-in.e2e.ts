import { expect, type Page, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, type WatchedPage, watchPage } from './watched-page.ts';

/** A newcomer who signs up with a simulated Google, and what the sign-in page says when it does not work. */

const thisMachine = { PUBLIC_URL: undefined, SMTP_URL: undefined };

let product: Product;

test.beforeAll(async () => {
  product = await startProduct({ allow: [], host: 'localhost', env: thisMachine });
});

test.afterAll(async () => {
  await product?.stop();
  killAll();
});

/** As a newcomer does: the address holds the key that simulated sign-in needs. */
async function openPrintedAddress(page: Page) {
  const [, address = ''] = /^Open (\S+) in a browser/m.exec(product.output()) ?? [];
  await page.goto(address);
}

async function signOut(page: Page) {
  await expect(page.getByText('No calendars connected').first()).toBeVisible();
  await page
    .getByRole('button', { name: /account/i })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login/);
}

test('a new user signs up with a simulated Google account, signs out, and signs in again', async ({ page }) => {
  const watched = watchPage(page);
  await watched.expectFailedRequests(() => comeAndGo(page, watched));
  watched.expectQuietConsole();
});

test('a linked Microsoft account signs in, and the last sign-in method cannot be removed', async ({ page }) => {
  const watched = watchPage(page);
  await watched.expectFailedRequests(() => linkAndUnlink(page, watched));
  watched.expectQuietConsole();
});

async function linkAndUnlink(page: Page, watched: WatchedPage) {
  await page.setViewportSize(desktop);
  await openPrintedAddress(page);
  await page.goto(`${product.url}/signup`);
  await page.getByRole('link', { name: 'Sign up with Google' }).click();
  await page.getByRole('radio').first().check();
  await page.getByLabel('Another address').fill('robin@gmail.example');
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page).toHaveURL(`${product.url}/dashboard`);
  await page.goto(`${product.url}/profile/security`);
  await expect(page.getByText('robin@gmail.example · used')).toBeVisible();
  await page.getByRole('button', { name: 'Unlink Google' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
  await expect(page.getByRole('alert')).toContainText('This is your only way to sign in.');
  await page.getByRole('button', { name: 'Link Microsoft' }).click();
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByText('You can now sign in with Microsoft.')).toBeVisible();
  await watched.look('provider-linked', { phone: true });

  await page.goto(`${product.url}/calendar`);
  await signOut(page);
  await page.getByRole('link', { name: 'Sign in with Microsoft' }).click();
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page).toHaveURL(`${product.url}/dashboard`);
  await page.goto(`${product.url}/profile/security`);
  await page.getByRole('button', { name: 'Unlink Google' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
  await expect(page.getByText('Google sign-in was removed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Link Google' })).toBeVisible();
}

/** Strangers are nobody to each call: the browser notes that. */
async function comeAndGo(page: Page, watched: WatchedPage) {
  await page.setViewportSize(desktop);
  await openPrintedAddress(page);
  await page.goto(`${product.url}/signup`);
  await expect(page.getByRole('link', { name: 'Sign up with Google' })).toBeVisible();
  await watched.look('provider-sign-up', { phone: true });
  await page.getByRole('link', { name: 'Sign up with Google' }).click();
  await expect(page.getByText('Sign in to a simulated account')).toBeVisible();
  await expect(page.getByText('Holdfast wants to know who you are.', { exact: false })).toBeVisible();
  await watched.look('provider-google');
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page).toHaveURL(`${product.url}/dashboard`);
  // No token in any entry of the history. Going back is taken for done by whatever the page notes of itself meanwhile, so
  // it has settled before, and what lies behind it has come after.
  await expect(page.getByText('No calendars connected').first()).toBeVisible();
  await page.goBack();
  await expect(page.getByText('Sign in to a simulated account')).toBeVisible();
  expect(page.url()).not.toContain('token=');

  await page.goto(`${product.url}/calendar`);
  await signOut(page);
  await page.getByRole('link', { name: 'Sign in with Google' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page).toHaveURL(`${product.url}/dashboard`);
}

test('the sign-in page explains a failed provider sign-in', async ({ page }) => {
  const watched = watchPage(page);
  await watched.expectFailedRequests(() => failToSignIn(page, watched));
  watched.expectQuietConsole();
});

async function failToSignIn(page: Page, watched: WatchedPage) {
  await page.setViewportSize(desktop);
  await page.goto(`${product.url}/login`);
  await page.getByRole('link', { name: 'Sign in with Google' }).click();
  await expect(page.getByRole('alert')).toContainText('the address printed when Holdfast started');
  await watched.look('provider-without-key', { phone: true });
  await openPrintedAddress(page);
  await page.goto(`${product.url}/login`);
  await page.getByRole('link', { name: 'Sign in with Google' }).click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await expect(page.getByRole('alert')).toHaveText('Sign-in with Google was canceled. Nothing was changed.');
  await watched.look('provider-denied', { phone: true });
  // a token of another browser
  await page.goto(`${product.url}/?token=somebody-elses&provider=google`);
  await expect(page.getByRole('alert')).toHaveText(
    'This sign-in has expired or was started elsewhere. Nothing was changed. Try again.',
  );
  expect(page.url()).not.toContain('token=');
  for (const name of ['Apple', 'Zoho']) {
    await expect(page.getByRole('button', { name: `Sign in with ${name} Coming soon` })).toHaveAttribute(
      'aria-disabled',
    );
  }
}
