import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { goTo, signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, watchPage } from './watched-page.ts';

/** A calendar published elsewhere as a source, the calendar that Holdfast keeps, and one's own feeds for others. */

let product: Product;
let publisher: Server;
let feedUrl: string;

test.beforeAll(async () => {
  // daily: in this week whatever day it is where, and also after midnight
  const today = Temporal.Now.plainDateISO('UTC').toString().replaceAll('-', '');
  publisher = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/calendar; charset=utf-8' });
    response.end(
      `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//rota//EN\r\nX-WR-CALNAME:On-call rota\r\nBEGIN:VEVENT\r\nUID:1@rota\r\nDTSTAMP:${today}T000000Z\r\nDTSTART:${today}T100000Z\r\nDTEND:${today}T120000Z\r\nRRULE:FREQ=DAILY;COUNT=3\r\nSUMMARY:On call\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
    );
  });
  await new Promise<void>((resolve) => publisher.listen(0, '127.0.0.1', resolve));
  feedUrl = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}/secret/rota.ics`;
  product = await startProduct({ allow: [feedUrl] });
});

test.afterAll(async () => {
  await product?.stop();
  publisher.close();
  killAll();
});

test('a user subscribes to a feed, keeps a local calendar, and publishes a feed that can be revoked', async ({
  page,
}) => {
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(() => signUp(page, product, 'dana@example.org'));
  await goTo(page, 'Integrations');
  await page.getByRole('button', { name: 'Connect Calendar Account' }).click();
  const dialog = page.getByRole('dialog');
  await watched.look('feeds-chooser', { phone: true });
  await dialog.getByRole('button', { name: 'Calendar feed (ICS, webcal)' }).click();
  await watched.look('feeds-form', { phone: true });
  await dialog.getByLabel('Feed URL').fill('an invalid address');
  await watched.expectFailedRequests(async () => {
    await dialog.getByRole('button', { name: 'Subscribe' }).click();
    await expect(dialog.getByText('Enter the address of a calendar feed')).toBeVisible();
  });
  await dialog.getByLabel('Feed URL').fill(feedUrl);
  await dialog.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByText(/On-call rota \(127/).first()).toBeVisible();
  await page.getByRole('button', { name: 'Connect Account' }).click();
  await dialog.getByRole('button', { name: 'Holdfast calendar' }).click();
  await expect(page.getByText('Kept by Holdfast').first()).toBeVisible();
  await expect(page.getByText('Synced Just now').first()).toBeVisible({ timeout: 20_000 });
  await watched.look('feeds-connected', { phone: true });

  await goTo(page, 'Calendar');
  await expect(page.getByText('On call').first()).toBeVisible();
  await page.getByRole('button', { name: 'Subscribe from other apps' }).click();
  const busy = dialog.getByRole('region', { name: 'Busy times only' });
  await busy.getByRole('button', { name: 'Create URL' }).click();
  const address = await busy.getByLabel('URL for busy times').inputValue();
  const read = await page.request.get(address);
  expect(read.status()).toBe(200);
  expect(await read.text()).toContain('SUMMARY:Busy');
  expect(await read.text()).not.toContain('On call');
  await watched.look('feeds-published', { phone: true });
  await page.setViewportSize(desktop);
  await busy.getByRole('button', { name: 'Revoke URL' }).click();
  await expect(busy.getByRole('button', { name: 'Create URL' })).toBeVisible();
  expect((await page.request.get(address)).status()).toBe(404);
  watched.expectQuietConsole();
});
