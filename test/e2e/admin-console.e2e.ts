import { expect, type Page, test } from '@playwright/test';
import { sql } from 'kysely';
import { generateSync } from 'otplib';
import { type DatabaseHandle, openDatabase } from '#platform/db.ts';
import { createLog } from '#platform/log.ts';
import { openAccount, testPassword } from '../harness/open-account.ts';
import { killAll } from '../harness/spawn-holdfast.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, watchPage } from './watched-page.ts';

/** The administrators' place, before and after a second factor is set up. */

const closed = /^Set up multi-factor authentication for your account to open/;

let database: DatabaseHandle;
let product: Product;

test.beforeAll(async () => {
  const log = await createLog({ level: 'silent', format: 'json' });
  product = await startProduct({ allow: [] });
  database = openDatabase({ url: product.databaseUrl, log });
  // The first account of an install administers it.
  await openAccount(database, 'admin@example.org');
  await openAccount(database, 'ada@example.org');
});
test.afterAll(async () => {
  await database?.close();
  await product?.stop();
  killAll();
});

async function signIn(page: Page, door: '/login' | '/admin/login', email: string): Promise<void> {
  await page.goto(`${product.url}${door}`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(testPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

const notice = (page: Page) =>
  page.getByText('Security Notice: Enable multi-factor authentication to secure your admin account.');

async function sayWhy(page: Page, verb: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Reason' }).fill('Tried out');
  await page.getByRole('button', { name: verb, exact: true }).click();
}

test('an administrator sets up a second factor and decides whether other administrators need one', async ({ page }) => {
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(() => signIn(page, '/login', 'admin@example.org'));
  await expect(page).toHaveURL(/\/dashboard/);
  await expect(notice(page)).toBeVisible();
  await watched.look('security-notice', { phone: true });

  await page.getByRole('button', { name: 'Your account' }).click();
  await watched.look('admin-menu');
  await watched.expectFailedRequests(async () => {
    await page.getByRole('menuitem', { name: 'Admin console' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Admin console' })).toBeVisible();
    await expect(page.getByRole('tab')).toHaveCount(7);
    await expect(page.getByText(closed)).toBeVisible();
    await expect(notice(page)).toBeVisible();
    await watched.look('console-overview', { phone: true });
    // By keyboard: the arrows walk through the tabs.
    await page.getByRole('tab', { name: 'Overview' }).focus();
    await page.keyboard.press('ArrowLeft');
    await expect(page.getByRole('tab', { name: 'Settings', selected: true })).toBeFocused();
    await expect(page.getByText(closed)).toBeVisible();
    // The closed settings are asked for again whenever the window gets the focus.
    await watched.look('console-settings-closed', { phone: true });
  });

  const answer = page.waitForResponse((response) => response.url().endsWith('/auth/mfa/enroll/init'));
  await page.getByRole('link', { name: 'Enable MFA Now' }).click();
  const { base32Secret } = (await (await answer).json()) as { base32Secret: string };
  await page.getByRole('button', { name: "I've added the account" }).click();
  await page.getByLabel('6-digit code').fill(generateSync({ secret: base32Secret }));
  await expect(page.getByRole('heading', { name: 'Save your backup codes' })).toBeVisible();
  const codes = await page.getByText(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/).allTextContents();
  expect(codes).toHaveLength(10);
  await page
    .getByRole('button', { name: 'Continue to Dashboard' })
    .or(page.getByRole('link', { name: 'Continue to Dashboard' }))
    .click();

  await expect(page).toHaveURL(/\/admin/);
  await expect(notice(page)).toHaveCount(0);
  await page.getByRole('tab', { name: 'Settings' }).click();
  const enforced = page.getByRole('switch', { name: /^Enforce 2FA for Admins/ });
  await expect(enforced).toBeChecked();
  await watched.look('console-settings', { phone: true });
  await enforced.focus();
  await page.keyboard.press('Space');
  await sayWhy(page, 'Stop requiring');
  await expect(page.getByText('Administrators no longer need multi-factor authentication.')).toBeVisible();
  await page.reload();
  await expect(enforced).not.toBeChecked();
  await enforced.click();
  await sayWhy(page, 'Require');
  await expect(page.getByText('Administrators now need multi-factor authentication.')).toBeVisible();

  // Later the server wants to know again who is there; the dialog asks, and the choice is carried out.
  await sql`update accounts.sessions set authenticated_at = now() - interval '11 minutes'`.execute(database.db);
  await watched.expectFailedRequests(async () => {
    await enforced.click();
    await sayWhy(page, 'Stop requiring');
    const dialog = page.getByRole('dialog', { name: "Confirm it's you" });
    // each code counts once: this is the next one
    const epoch = Math.floor(Temporal.Now.instant().epochMilliseconds / 1000) + 30;
    await dialog.getByLabel('6-digit code').fill(generateSync({ secret: base32Secret, epoch }));
    await dialog.getByLabel('Password', { exact: true }).fill(testPassword);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText('Administrators no longer need multi-factor authentication.')).toBeVisible();
  });
  await expect(enforced).not.toBeChecked();

  await page.getByRole('button', { name: 'Your account' }).click();
  await watched.expectFailedRequests(async () => {
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(/\/login/);
    await signIn(page, '/admin/login', 'admin@example.org');
    await page.getByRole('button', { name: 'Use a backup code' }).click();
    await page.getByLabel('Backup code').fill(codes[0] ?? '');
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Admin console' })).toBeVisible();
  });
  watched.expectQuietConsole();
});

test('the admin console is closed to everybody else', async ({ page }) => {
  await page.goto(`${product.url}/admin`);
  await expect(page).toHaveURL(/\/admin\/login/);
  await signIn(page, '/login', 'ada@example.org');
  await expect(page).toHaveURL(/\/dashboard/);
  await page.goto(`${product.url}/admin`);
  await expect(page).toHaveURL(/\/dashboard/);
  await page.getByRole('button', { name: 'Your account' }).click();
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Admin console' })).toHaveCount(0);
});
