import { expect, type Page, test } from '@playwright/test';
import { killAll, runToEnd } from '../harness/spawn-holdfast.ts';
import { createPerson, fillSignIn, signOut, signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, watchPage } from './watched-page.ts';

/** Coming in without a password, and seeing who else is in. */

let product: Product;

test.beforeAll(async () => {
  // A passkey belongs to a host name; browsers take no number for one.
  product = await startProduct({ allow: [], host: 'localhost' });
});

test.afterAll(async () => {
  await product?.stop();
  killAll();
});

/** A device with a fingerprint reader, whose owner always puts their finger on it. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

const letTimePass = async () => {
  const { code, output } = await runToEnd(['test/harness/age-proofs.ts', product.databaseUrl]);
  expect(code, output).toBe(0);
};

const signInWithPasskey = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' }).click();

test('a passkey is created, signs in, reauthenticates its user, and is removed', async ({ page }) => {
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await addAuthenticator(page);
  await watched.expectFailedRequests(() => signUp(page, product, 'ada@example.org'));
  await page.goto(`${product.url}/profile`);
  await page.getByRole('link', { name: 'Security' }).click();
  await expect(page.getByText('No passkeys yet.', { exact: false })).toBeVisible();
  await watched.look('security', { phone: true });

  await test.step('made', async () => {
    await page.getByRole('button', { name: 'Add passkey' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add passkey' });
    await expect(dialog.getByLabel('Name')).toHaveValue('Chrome on Linux');
    await dialog.getByLabel('Name').fill('Laptop');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Laptop was added', { exact: false })).toBeVisible();
    await expect(page.getByText('Passkey Laptop added')).toBeVisible();
    await expect(page.getByText('Never used', { exact: false })).toBeVisible();
  });

  await watched.expectFailedRequests(async () => {
    await test.step('one of the same device is not made twice', async () => {
      await page.getByRole('button', { name: 'Add passkey' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add passkey' });
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await expect(dialog.getByRole('alert')).toHaveText('This device already has a passkey for this account.');
      await page.keyboard.press('Escape');
    });

    await test.step('opens the account without a name', async () => {
      await signOut(page);
      await watched.look('sign-in-with-passkey', { phone: true });
      await signInWithPasskey(page);
      await expect(page).toHaveURL(/\/dashboard$/);
      await page.goto(`${product.url}/profile/security`);
      await expect(page.getByText('Last used', { exact: false })).toBeVisible();
    });

    await test.step('proves its person again before it is removed', async () => {
      await letTimePass();
      await page.getByRole('button', { name: 'Remove Laptop' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      const proof = page.getByRole('dialog', { name: "Confirm it's you" });
      await expect(proof.getByLabel('Password', { exact: true })).toBeFocused();
      await watched.look('security-proof', { phone: true });
      await page.keyboard.press('Escape');
      await expect(page.getByText("Confirm it's you", { exact: false })).toBeVisible();
      await page.getByRole('button', { name: 'Remove Laptop' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await proof.getByRole('button', { name: 'Use a passkey' }).click();
      await expect(page.getByText('Laptop was removed')).toBeVisible();
      await expect(page.getByText('No passkeys yet.', { exact: false })).toBeVisible();
    });

    await test.step('opens nothing any more', async () => {
      await signOut(page);
      await signInWithPasskey(page);
      await expect(page.getByRole('alert')).toContainText("This passkey isn't registered");
    });
  });
  watched.expectQuietConsole();
});

test('a device signed out from another device leaves the app at once', async ({ page, browser }) => {
  const bob = 'bob@example.org';
  await createPerson(product, bob);
  const elsewhere = await (await browser.newContext()).newPage();
  for (const one of [page, elsewhere]) {
    await one.goto(`${product.url}/login`);
    await fillSignIn(one, bob);
    await expect(one).toHaveURL(/\/dashboard$/);
  }
  await page.goto(`${product.url}/profile/security`);
  await expect(page.getByText('This device')).toBeVisible();
  await page.getByRole('button', { name: 'Sign out Chrome on Linux' }).click();
  // said for some seconds only
  await expect(page.getByText('Another device signed out')).toBeVisible();
  await expect(elsewhere).toHaveURL(/\/login/);
  await expect(page.getByRole('button', { name: 'Sign out Chrome on Linux' })).toHaveCount(0);

  await fillSignIn(elsewhere, bob);
  await expect(elsewhere).toHaveURL(/\/dashboard$/);
  await page.reload();
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(page.getByText('Signed out of 1 other device')).toBeVisible();
  await expect(elsewhere).toHaveURL(/\/login/);
  await elsewhere.context().close();
});
