import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page, test } from '@playwright/test';
import { sql } from 'kysely';
import sharp from 'sharp';
import * as z from 'zod/mini';
import { type DatabaseHandle, openDatabase } from '#platform/db.ts';
import { createJobs, defineJob } from '#platform/jobs.ts';
import { createLog } from '#platform/log.ts';
import { type OpenedAccount, openAccount } from '../harness/open-account.ts';
import { killAll } from '../harness/spawn-holdfast.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, watchPage } from './watched-page.ts';

/** The operator's view of failures and changes: a provider that stops answering, a full queue, a key, a flag. */

let database: DatabaseHandle;
let product: Product;
let publisher: Server;
let feedUrl: string;
let isDown = false;
let admin: OpenedAccount;
let ada: OpenedAccount;

test.beforeAll(async () => {
  publisher = createServer((_request, response) => {
    if (isDown) response.writeHead(500).end();
    else
      response
        .writeHead(200, { 'content-type': 'text/calendar' })
        .end('BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\nEND:VCALENDAR\r\n');
  });
  await new Promise<void>((resolve) => publisher.listen(0, '127.0.0.1', resolve));
  feedUrl = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}/rota.ics`;
  const log = await createLog({ level: 'silent', format: 'json' });
  product = await startProduct({ allow: [feedUrl] });
  database = openDatabase({ url: product.databaseUrl, log });
  admin = await openAccount(database, 'admin@example.org');
  ada = await openAccount(database, 'ada@example.org');
  // a second factor has a journey of its own
  await sql`update accounts.settings set require_admin_mfa = false`.execute(database.db);
});
test.afterAll(async () => {
  await database?.close();
  await product?.stop();
  publisher?.close();
  killAll();
});

const call = (method: string, path: string, token: string, body?: object) =>
  fetch(`${product.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });

/** Reads the feed now; resolves when that was counted. */
async function readFeed(accountId: string): Promise<void> {
  const count = async () => {
    const { rows } = await sql<{ calls: number }>`
      select coalesce(sum(answered + refused + silent), 0)::int as calls from sync.call_sums where provider = 'ics'`.execute(
      database.db,
    );
    return rows[0]?.calls ?? 0;
  };
  const before = await count();
  expect((await call('POST', `/api/calendars/sync/${accountId}`, ada.token)).ok).toBe(true);
  await expect.poll(count).toBeGreaterThan(before);
}

/** 12,000 jobs that no worker of this version knows, as a newer one would leave them: nobody takes them meanwhile. */
async function fillQueue(): Promise<void> {
  const name = 'journey.heap';
  const log = await createLog({ level: 'silent', format: 'json' });
  const heap = defineJob({ name, payload: z.strictObject({}), handle: async () => undefined });
  const jobs = createJobs({ url: product.databaseUrl, log, jobs: [heap] });
  await jobs.start();
  await jobs.close();
  await sql`insert into jobs.job (name, data) select ${name}, '{}' from generate_series(1, 12000)`.execute(database.db);
}

/** A wide logo: two blocks and a bar where a name would be. */
const drawWordmark = () =>
  sharp({ create: { width: 600, height: 120, channels: 4, background: '#ffffff00' } })
    .composite([
      { input: { create: { width: 100, height: 100, channels: 4, background: '#b26b00' } }, left: 10, top: 10 },
      { input: { create: { width: 440, height: 50, channels: 4, background: '#333333' } }, left: 140, top: 35 },
    ])
    .png()
    .toBuffer();

async function giveReason(page: Page, title: string, confirm: string) {
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.getByRole('textbox', { name: /^Reason|^Why/ }).fill('The journey asks for it');
  await dialog.getByRole('button', { name: confirm, exact: true }).click();
}

test('the operator sees provider failures, alerts, and queues, and manages keys and flags', async ({
  page,
  context,
}) => {
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await context.addCookies([{ name: 'holdfast', value: admin.token, url: product.url }]);
  const connected = await call('POST', '/api/connections/feed', ada.token, { url: feedUrl });
  const { account } = (await connected.json()) as { account: { accountId: string } };
  await readFeed(account.accountId);

  await page.goto(`${product.url}/admin`);
  await page.getByRole('button', { name: 'Update now' }).click();
  await expect(page.getByText('of 2 total, active in the last 30 days; 2 joined')).toBeVisible();
  await watched.look('admin-overview', { phone: true });
  await page.getByRole('button', { name: /^Active users/ }).click();
  const modal = page.getByRole('dialog', { name: 'Active Users Details' });
  await expect(modal.getByText('Calendar feed')).toBeVisible();
  await watched.look('admin-overview-modal', { phone: true });
  await page.mouse.click(5, 5); // beside it
  await expect(modal).toHaveCount(0);

  isDown = true;
  for (let n = 0; n < 6; n += 1) await readFeed(account.accountId);
  await page.getByRole('tab', { name: 'Integrations' }).click();
  await expect(page.getByRole('heading', { name: 'Accounts with the most errors' })).toBeVisible();
  await watched.look('admin-integrations', { phone: true });
  isDown = false;
  await page.getByRole('button', { name: /^Resync rot/ }).click();
  await giveReason(page, 'Resync the account rot*****?', 'Resync');
  await expect(page.getByText('Resyncing rot*****.')).toBeVisible();
  await expect
    .poll(async () => {
      const { rows } = await sql<{
        failures: number;
      }>`select max(failures) as failures from connections.calendars`.execute(database.db);
      return rows[0]?.failures;
    })
    .toBe(0);

  await fillQueue();
  await page.getByRole('tab', { name: 'System Health' }).click();
  // automatic: the worker looks every 15 seconds, and the browser gets a live update
  await expect(page.getByRole('list', { name: 'Alerts' }).getByText('Calendar feed: Critical')).toBeVisible({
    timeout: 60_000,
  });
  await expect(page.getByRole('list', { name: 'Alerts' }).getByText(/journey\.heap.*12,000/)).toBeVisible({
    timeout: 60_000,
  });
  await expect(page.getByRole('row', { name: /^journey\.heap 12,000/ })).toBeVisible();
  await watched.look('admin-health', { phone: true });

  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Create key' }).click();
  const making = page.getByRole('dialog', { name: 'Create key' });
  await making.getByLabel('Name').fill('a script');
  await making.getByLabel('Reason').fill('The journey asks for it');
  await watched.look('admin-key');
  await making.getByRole('button', { name: 'Create key' }).click();
  const made = page.getByRole('dialog', { name: 'Your new key' });
  const key = (await made.getByText(/^hfk_/).textContent()) ?? '';
  await made.getByRole('button', { name: 'Done' }).click();
  expect((await call('GET', '/api/account/profile', key)).status).toBe(200);
  expect((await call('GET', '/api/admin/overview', key)).status).toBe(403);
  await watched.look('admin-settings', { phone: true });
  await page.getByRole('button', { name: 'Revoke a script' }).click();
  await giveReason(page, 'Are you sure you want to revoke this API key?', 'Revoke');
  await expect(page.getByText('a script was revoked.')).toBeVisible();
  expect((await call('GET', '/api/account/profile', key)).status).toBe(401);

  await page.getByRole('switch', { name: 'Published calendar feeds' }).click();
  await page.getByRole('button', { name: 'Change Published calendar feeds' }).click();
  await giveReason(page, 'Change Published calendar feeds?', 'Change');
  await expect(page.getByText('Published calendar feeds was changed.')).toBeVisible();
  expect((await call('PUT', '/api/published-feeds/busy', ada.token)).status).toBe(403);

  await page.getByRole('button', { name: 'Send test email' }).click();
  await giveReason(page, 'Send a test email?', 'Send');
  await expect(page.getByText(/^The mail server accepted the email to admin@example\.org/)).toBeVisible();
  const subjects = product.smtp.mailsTo('admin@example.org').map(({ parsed }) => parsed.subject ?? '');
  expect(subjects.filter((subject) => /test/i.test(subject))).toHaveLength(1);

  await page.getByRole('textbox', { name: 'Product name' }).fill('Smith & Sons');
  await page.getByRole('textbox', { name: 'Accent color', exact: true }).fill('#ffb300');
  await page.getByRole('button', { name: /^Use #/ }).click();
  await page
    .getByLabel('Choose picture')
    .first()
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await drawWordmark() });
  await expect(page.getByRole('img', { name: 'Logo', exact: true })).toBeVisible();
  await watched.look('admin-branding', { phone: true });
  await page.getByRole('button', { name: 'Save branding' }).click();
  await giveReason(page, 'Change the branding?', 'Save branding');
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page).toHaveTitle(/Smith & Sons$/);
  await expect(page.getByRole('link', { name: 'Smith & Sons' }).locator('img')).toHaveJSProperty('complete', true);
  // leave the app, which would otherwise navigate on its own
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.goto(`${product.url}/home`);
  await expect(page).toHaveTitle(/^Smith & Sons/);
  await watched.look('landing-branded');
  await page.goto(`${product.url}/login`);
  await expect(page).toHaveTitle(/Smith & Sons$/);
  watched.expectQuietConsole();
});
