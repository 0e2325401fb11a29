import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { sql } from 'kysely';
import { type DatabaseHandle, openDatabase } from '#platform/db.ts';
import { createLog } from '#platform/log.ts';
import { insertBookable } from '../harness/bookable.ts';
import { openAccount, testPassword } from '../harness/open-account.ts';
import { killAll } from '../harness/spawn-holdfast.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, watchPage } from './watched-page.ts';

/** An administrator finds somebody, suspends, resumes, looks in their place, and finds it all in the audit. */

let database: DatabaseHandle;
let product: Product;

test.beforeAll(async () => {
  const log = await createLog({ level: 'silent', format: 'json' });
  product = await startProduct({ allow: [] });
  database = openDatabase({ url: product.databaseUrl, log });
  await openAccount(database, 'admin@example.org');
  await sql`update accounts.settings set require_admin_mfa = false`.execute(database.db);
  for (let at = 1; at <= 12; at++) await openAccount(database, `guest${at}@example.org`);
  const ada = await openAccount(database, 'ada@example.org');
  await insertBookable({ app: database as never }, ada, 'intro');
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

async function act(page: Page, verb: string, reason: string): Promise<void> {
  await page.getByRole('button', { name: verb, exact: true }).first().click();
  await page.getByRole('textbox', { name: 'Reason' }).fill(reason);
  await page.getByRole('dialog').last().getByRole('button', { name: verb, exact: true }).click();
}

test('an administrator finds, suspends, resumes, and impersonates a user, and the audit log records it', async ({
  page,
  browser,
}) => {
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(() => signIn(page, '/admin/login', 'admin@example.org'));
  await page.getByRole('tab', { name: 'Users' }).click();
  await expect(page.getByText('14 accounts')).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(11);
  await watched.look('users', { phone: true });
  await page.getByRole('searchbox', { name: 'Search by name or email' }).fill('nobody is called so');
  await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible();
  await watched.look('users-nobody', { phone: true });
  await page.getByRole('searchbox', { name: 'Search by name or email' }).fill('ada@');
  await expect(page.getByText('1 account', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/search=ada/);
  await page.getByRole('button', { name: 'ada@example.org' }).click();
  const panel = page.getByRole('dialog', { name: 'ada@example.org' });
  await expect(panel.getByText('No entries yet.')).toBeVisible();
  await watched.look('user', { phone: true });

  // Ada is at her calendar meanwhile
  const other = await browser.newContext({ viewport: desktop });
  const ada = await other.newPage();
  await signIn(ada, '/login', 'ada@example.org');
  await expect(ada).not.toHaveURL(/login/);

  await panel.getByRole('button', { name: 'Suspend', exact: true }).click();
  await watched.look('suspend');
  await page.getByRole('textbox', { name: 'Reason' }).fill('Spam was sent from here');
  await page.getByRole('dialog').last().getByRole('button', { name: 'Suspend', exact: true }).click();
  await expect(page.getByText('Account suspended.')).toBeVisible();
  await expect(
    page.locator('tr', { hasText: 'ada@example.org' }).getByText('Suspended', { exact: true }),
  ).toBeVisible();
  await expect(ada).toHaveURL(/\/login/);
  await ada.goto(`${product.url}/ada/intro`);
  await expect(ada.getByText('Bookings are temporarily unavailable')).toBeVisible();

  await act(page, 'Resume', 'It was a misunderstanding');
  await expect(page.getByText('Account reactivated.')).toBeVisible();
  await expect(panel.getByText('It was a misunderstanding')).toBeVisible();
  await ada.goto(`${product.url}/ada/intro`);
  await expect(ada.getByText('Bookings are temporarily unavailable')).toHaveCount(0);
  await other.close();

  await act(page, 'Impersonate', 'She cannot find her links');
  await expect(page).toHaveURL(/dashboard/);
  await expect(page.getByText(/You're viewing ada@example.org's account until/)).toBeVisible();
  await watched.look('in-their-place', { phone: true });
  await page.goto(`${product.url}/calendar`);
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await expect(page).toHaveURL(/admin\/users/);

  await page.goto(`${product.url}/admin/audit`);
  const log = page.getByRole('list');
  await expect(log.getByText('Impersonation ended')).toBeVisible();
  await page.getByLabel('Action').selectOption('user_suspension');
  await expect(page).toHaveURL(/action=user_suspension/);
  await expect(page.getByText('Spam was sent from here')).toBeVisible();
  await expect(log.getByText('Impersonation ended')).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('Spam was sent from here')).toBeVisible();
  await page.getByRole('button', { name: 'Verify chain' }).click();
  await expect(page.getByText('The chain is intact')).toBeVisible();
  await watched.look('audit', { phone: true });
  await page.getByLabel('Words in the reason or details').fill('here spam');
  await expect(page).toHaveURL(/text=here/);
  await expect(page.getByText('Spam was sent from here')).toBeVisible();
  await page.getByLabel('Words in the reason or details').fill('here ham');
  await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible();
  await watched.look('audit-nothing', { phone: true });
  await page.getByLabel('Words in the reason or details').fill('');
  await expect(page.getByText('Spam was sent from here')).toBeVisible();
  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'As CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^audit-logs-\d{4}-\d\d-\d\d\.csv$/);
  const text = await readFile(await file.path(), 'utf8');
  expect(text.trim().split('\r\n')).toHaveLength(2);
  expect(text).toContain('Spam was sent from here');
  // the export itself is logged at once
  await page.getByLabel('Action').selectOption('');
  await expect(log.getByText('Audit log exported')).toBeVisible();
});
